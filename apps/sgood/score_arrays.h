// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "decision_rows.h"
#include "sgood/detectors/array_model.h"

namespace sgood::cli {

/// What `score` reads in place of a model and graphs: arrays that another program has computed.
struct ArrayOptions {
  std::string features, test, calibration;
  ArraySettings settings;
  std::vector<std::string> set;
};

/// Adds --features, which the other ones need, and returns it.
CLI::Option* add_array_options(CLI::App& command, ArrayOptions& options);

/// Fits on --features and scores the rows of --test. The path of the classes, if any, stands in
/// `read` as --labels.
void score_arrays(const ArrayOptions& options, const DataOptions& read,
                  std::optional<double> alarm_rate, const AnswerOptions& answer, Session& session);

}  // namespace sgood::cli

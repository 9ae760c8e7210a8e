// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/core/run_control.h"

namespace sgood {

/// What every experiment may be told.
struct ExperimentContext {
  std::vector<std::string> suites;  ///< Empty: the experiment's own.
  std::filesystem::path data_root;
  std::int32_t seeds = 5;
  int jobs = 1;
  RunControl control;
};

/// A table or figure of the paper, measured here.
struct ExperimentInfo {
  std::string name;
  std::string summary;
  /// Rows as an array of objects.
  nlohmann::ordered_json (*run)(const ExperimentContext& context);
};

/// All experiments.
const std::vector<ExperimentInfo>& experiments();
/// The one called `name`; throws InvalidArgument that lists the known ones.
const ExperimentInfo& experiment_info(std::string_view name);

/// An array of flat objects with equal keys as a Markdown table; numbers with two decimals.
std::string markdown_table(const nlohmann::ordered_json& rows);

}  // namespace sgood

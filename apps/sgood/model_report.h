// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "commands.h"

namespace sgood::cli {

struct ModelReportOptions {
  std::string model, data, output;
  std::int32_t explained = 12;  ///< Graphs that are drawn with their reasons.
  DataOptions read;
};

/// One page on what a model says of some data.
void report_model(const ModelReportOptions& options, Session& session);

}  // namespace sgood::cli

// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment batch_size() {
  Experiment experiment = {
      .name = "batch-size",
      .title = "Batch size",
      .caption =
          "Paper: Figure \"the batch size B varies from 16 to 256\", without printed numbers.",
      .suites = kSixSuites,
      .variants = {},
      .figure = Figure::kLines,
      .x_label = "graphs in a batch",
      .x = {16, 32, 64, 128, 256}};
  for (const double x : experiment.x)
    experiment.variants.push_back(
        {fmt::format("{}", x), "sgood", {{"batch_size", fmt::format("{}", x)}}, {}});
  return experiment;
}

}  // namespace sgood::paper

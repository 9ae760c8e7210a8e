// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment alpha() {
  Experiment experiment = {
      .name = "alpha",
      .title = "Weight of the contrastive loss",
      .caption =
          "Paper: Figure \"the weight of the contrastive loss alpha varies from 0 to 1\", without "
          "printed numbers. At 0 there still are 100 epochs of pre-training.",
      .suites = kSixSuites,
      .variants = {},
      .figure = Figure::kLines,
      .x_label = "alpha",
      .x = {0, 0.1, 0.25, 0.5, 1}};
  for (const double x : experiment.x)
    experiment.variants.push_back(
        {fmt::format("{}", x), "sgood", {{"alpha", fmt::format("{}", x)}}, {}});
  return experiment;
}

}  // namespace sgood::paper

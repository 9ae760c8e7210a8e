// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment pretraining_epochs() {
  Experiment experiment = {.name = "pretraining-epochs",
                           .title = "Epochs of pre-training",
                           .caption =
                               "Paper: Figure \"number of pretraining epochs T_PT varies from 0 to "
                               "200\", without printed numbers.",
                           .suites = kSixSuites,
                           .variants = {},
                           .figure = Figure::kLines,
                           .x_label = "epochs of pre-training",
                           .x = {0, 50, 100, 150, 200}};
  for (const double x : experiment.x)
    experiment.variants.push_back(
        {fmt::format("{}", x), "sgood", {{"pretrain_epochs", fmt::format("{}", x)}}, {}});
  return experiment;
}

}  // namespace sgood::paper

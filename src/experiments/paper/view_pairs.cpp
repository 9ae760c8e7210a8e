// SPDX-License-Identifier: MIT
#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment view_pairs() {
  Experiment experiment = {
      .name = "view-pairs",
      .title = "Pairs of augmentations",
      .caption =
          "Paper: Figure \"AUROC gain compared with SGOOD\\A\", without printed numbers. Row: "
          "first view, column: second view.",
      .suites = kSixSuites,
      .variants = {{"SGOOD\\A", "sgood", kNoViews, {}}},
      .figure = Figure::kHeatMaps,
      .pair_options = {"I", "SD", "SG", "SS"}};
  for (const std::string& view0 : experiment.pair_options)
    for (const std::string& view1 : experiment.pair_options)
      experiment.variants.push_back(
          {view0 + ", " + view1, "sgood", {{"view0", view0}, {"view1", view1}}, {}});
  return experiment;
}

}  // namespace sgood::paper

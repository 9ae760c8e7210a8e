// SPDX-License-Identifier: MIT
#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment ablation() {
  return {.name = "ablation",
          .title = "Ablation",
          .caption =
              "Paper: Table \"Ablation\". SGOOD\\A has no views (no pre-training, alpha = 0); "
              "SGOOD (base) has no substructures either.",
          .suites = kSixSuites,
          .variants = {
              {"SGOOD (base)", "sgood", kBase, {{67.38, 69.26, 76.80, 73.78, 53.77, 66.90}}},
              {"SGOOD\\A", "sgood", kNoViews, {{73.60, 75.22, 77.80, 75.96, 57.84, 68.80}}},
              {"SGOOD", "sgood", {}, {{74.41, 78.84, 80.42, 84.40, 61.25, 73.16}}},
          }};
}

}  // namespace sgood::paper

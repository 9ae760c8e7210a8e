// SPDX-License-Identifier: MIT
#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment score_distributions() {
  return {.name = "score-distributions",
          .title = "Scores of ID and OOD graphs",
          .caption =
              "Paper: Figure \"ID and OOD score distributions\" (drugood); seed 0, dotted lines "
              "at the means.",
          .suites = {"drugood"},
          .variants = {{"SGOOD (base)", "sgood", kBase, {}},
                       {"SGOOD\\A", "sgood", kNoViews, {}},
                       {"SGOOD", "sgood", {}, {}}},
          .figure = Figure::kDistributions};
}

}  // namespace sgood::paper

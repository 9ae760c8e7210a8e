// SPDX-License-Identifier: MIT
#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment substructures() {
  constexpr double kNone = kNotPrinted;
  return {.name = "substructures",
          .title = "Ways to find substructures",
          .caption =
              "Paper: Table \"Comparison between different substructure detection methods\". BRICS "
              "is for molecules only.",
          .suites = kSixSuites,
          .variants = {
              {"without", "sgood", kBase, {{67.38, 69.26, 76.80, 73.78, 53.77, 66.90}}},
              {"modularity", "sgood", {}, {{74.41, 78.84, 80.42, 84.40, 61.25, 73.16}}},
              {"Graclus",
               "sgood",
               {{"partitioner", "graclus"}},
               {{71.12, 74.64, 78.86, 79.54, 56.62, 67.94}}},
              {"label propagation",
               "sgood",
               {{"partitioner", "label-propagation"}},
               {{68.09, 75.48, 78.46, 76.63, 54.90, 68.95}}},
              {"BRICS",
               "sgood",
               {{"partitioner", "brics"}},
               {{kNone, kNone, kNone, 78.39, 60.18, 64.78}}},
          }};
}

}  // namespace sgood::paper

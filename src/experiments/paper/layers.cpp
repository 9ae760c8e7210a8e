// SPDX-License-Identifier: MIT
#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment layers() {
  const auto with = [](const char* l1, const char* l2) {
    return Settings{{"node_layers", l1}, {"super_layers", l2}};
  };
  return {.name = "layers",
          .title = "Layers over nodes (L1) and over the super graph (L2)",
          .caption =
              "Paper: Table \"Varying L1 and L2\", whose heads BBBP and BACE are swapped in print; "
              "they are read the other way round here.",
          .suites = kSixSuites,
          .variants = {
              {"4 + 1", "sgood", with("4", "1"), {{74.00, 77.13, 81.00, 80.43, 62.00, 71.17}}},
              {"3 + 2", "sgood", with("3", "2"), {{74.41, 78.84, 80.42, 84.40, 61.25, 73.16}}},
              {"2 + 3", "sgood", with("2", "3"), {{73.63, 76.03, 79.05, 80.34, 62.26, 69.12}}},
              {"1 + 4", "sgood", with("1", "4"), {{74.22, 77.83, 76.79, 76.62, 61.08, 68.01}}},
          }};
}

}  // namespace sgood::paper

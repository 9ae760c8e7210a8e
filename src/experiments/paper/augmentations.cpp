// SPDX-License-Identifier: MIT
#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment augmentations() {
  constexpr double kNone = kNotPrinted;
  const auto with = [](const char* view) { return Settings{{"view0", "I"}, {"view1", view}}; };
  return {.name = "augmentations",
          .title = "Augmentations",
          .caption =
              "Paper: Table \"Comparing with different augmentations\". The paper does not say "
              "what the second view is; here it is the graph itself.",
          .suites = kSixSuites,
          .variants = {
              {"EP", "sgood", with("EP"), {{74.28, 76.50, 78.44, 78.75, 58.24, 71.32}}},
              {"AM", "sgood", with("AM"), {{72.44, kNone, kNone, 77.28, 59.68, 71.27}}},
              {"ND", "sgood", with("ND"), {{73.11, 77.09, 78.40, 78.79, 58.59, 69.48}}},
              {"SA", "sgood", with("SA"), {{72.12, 76.76, 79.25, 77.13, 57.84, 72.66}}},
              {"SD", "sgood", with("SD"), {{74.77, 78.15, 79.54, 82.00, 59.76, 72.65}}},
              {"SG", "sgood", with("SG"), {{72.74, 77.98, 78.97, 82.24, 59.58, 71.97}}},
              {"SS", "sgood", with("SS"), {{74.27, 76.20, 80.50, 83.53, 63.53, 71.94}}},
          }};
}

}  // namespace sgood::paper

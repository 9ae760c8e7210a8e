// SPDX-License-Identifier: MIT
#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment backbones() {
  const auto on = [](const char* backbone) { return Settings{{"backbone", backbone}}; };
  return {
      .name = "backbones",
      .title = "Other backbones",
      .caption = "Paper: Table \"Performance with different backbones\".",
      .suites = kSixSuites,
      .variants = {
          {"GCN: MAH", "mahalanobis", on("gcn"), {{70.04, 71.27, 53.46, 72.68, 54.97, 66.01}}},
          {"GCN: GraphDE", "graphde", on("gcn"), {{61.40, 68.44, 29.13, 53.24, 52.50, 56.61}}},
          {"GCN: GOOD-D", "good-d", on("gcn"), {{41.96, 61.71, 59.53, 72.52, 58.91, 61.79}}},
          {"GCN: OCGIN", "ocgin", on("gcn"), {{64.35, 57.46, 64.08, 67.54, 51.23, 59.30}}},
          {"GCN: SGOOD", "sgood", on("gcn"), {{71.26, 73.52, 65.91, 83.42, 62.76, 72.52}}},
          {"SAGE: MAH", "mahalanobis", on("sage"), {{68.07, 48.06, 43.63, 73.60, 53.88, 64.55}}},
          {"SAGE: GraphDE", "graphde", on("sage"), {{61.37, 69.65, 28.28, 53.24, 52.50, 56.66}}},
          {"SAGE: GOOD-D", "good-d", on("sage"), {{45.55, 57.02, 23.90, 73.15, 56.85, 61.57}}},
          {"SAGE: OCGIN", "ocgin", on("sage"), {{71.75, 36.86, 71.44, 57.47, 46.65, 63.82}}},
          {"SAGE: SGOOD", "sgood", on("sage"), {{70.21, 68.63, 61.59, 82.22, 59.50, 68.60}}},
      }};
}

}  // namespace sgood::paper

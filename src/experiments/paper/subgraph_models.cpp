// SPDX-License-Identifier: MIT
#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment subgraph_models() {
  return {.name = "subgraph",
          .title = "Subgraph-aware models under the Mahalanobis distance",
          .caption = "Paper: Table \"Comparing with subgraph-aware models\".",
          .suites = kSixSuites,
          .variants = {
              {"SAG", "sagpool", {}, {{70.40, 76.50, 77.30, 76.90, 58.90, 65.80}}},
              {"TopK", "topkpool", {}, {{70.20, 76.80, 77.20, 74.20, 54.90, 58.50}}},
              {"DiffPool", "diffpool", {}, {{73.30, 75.90, 78.00, 76.50, 57.50, 70.60}}},
              {"NGNN", "ngnn", {}, {{70.30, 71.20, 76.60, 71.20, 52.60, 75.60}}},
              {"GNN-AK+", "gnn-ak+", {}, {{68.50, 73.50, 77.20, 70.90, 54.30, 63.00}}},
              {"SGOOD", "sgood", {}, {{74.41, 78.84, 80.42, 84.40, 61.25, 73.16}}},
          }};
}

}  // namespace sgood::paper

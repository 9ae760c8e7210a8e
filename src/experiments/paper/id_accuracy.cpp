// SPDX-License-Identifier: MIT
#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment id_accuracy() {
  const std::vector<double> classifier = {37.33, 48.27, 69.80, 48.91, 80.83, 87.44, 96.62, 79.20};
  return {
      .name = "id-accuracy",
      .title = "Classification of ID graphs",
      .caption =
          "Paper: Table \"ID graph classification performance\". Methods without classes are "
          "left out.",
      .suites = kAllSuites,
      .metrics = {Metric::kIdAccuracy},
      .variants = {
          {"MSP", "msp", {}, {classifier}},
          {"Energy", "energy", {}, {classifier}},
          {"ODIN", "odin", {}, {classifier}},
          {"MAH", "mahalanobis", {}, {classifier}},
          {"GNNSafe", "gnnsafe", {}, {{17.66, 30.13, 50.20, 27.42, 56.69, 79.14, 96.58, 64.40}}},
          {"GraphDE", "graphde", {}, {{46.00, 37.86, 69.80, 40.68, 77.68, 88.90, 96.20, 77.00}}},
          {"SGOOD", "sgood", {}, {{48.66, 48.66, 71.60, 51.82, 80.33, 89.14, 96.66, 79.40}}},
      }};
}

}  // namespace sgood::paper

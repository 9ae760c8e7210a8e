// SPDX-License-Identifier: MIT
#include "src/experiments/paper/tables.h"

namespace sgood::paper {

Experiment epoch_time() {
  const Settings few = {{"epochs", "7"}};
  const std::vector<double> classifier = {0.119, 0.077, 0.090, 0.890, 0.053, 0.055, 2.740, 0.078};
  return {
      .name = "epoch-time",
      .title = "Training time per epoch",
      .caption =
          "Paper: Table \"Training time per epoch\" (RTX 3090). Ours are wall seconds of one "
          "thread, the median epoch of runs of seven epochs made for this table alone: run it "
          "where nothing else does, with one job.",
      .suites = kAllSuites,
      .metrics = {Metric::kEpochSeconds},
      .variants = {
          {"MSP", "msp", few, {classifier}},
          {"Energy", "energy", few, {classifier}},
          {"ODIN", "odin", few, {classifier}},
          {"MAH", "mahalanobis", few, {classifier}},
          {"GraphDE", "graphde", few, {{1.692, 1.175, 1.392, 176.4, 0.950, 0.696, 43.77, 1.020}}},
          {"GOOD-D", "good-d", few, {{0.257, 0.171, 0.197, 17.55, 0.157, 0.095, 5.160, 0.230}}},
          {"AAGOD",
           "aagod",
           {{"pretrain_epochs", "1"}, {"epochs", "7"}},
           {{0.234, 0.269, 0.404, 5.927, 0.380, 0.681, 14.00, 0.310}}},
          {"OCGIN", "ocgin", few, {{0.123, 0.079, 0.086, 1.650, 0.075, 0.044, 2.900, 0.099}}},
          {"GLocalKD", "glocalkd", few, {{0.072, 0.203, 0.054, 142.0, 0.052, 0.035, 4.220, 0.067}}},
          {"SGOOD",
           "sgood",
           {{"pretrain_epochs", "0"}, {"finetune_epochs", "7"}},
           {{0.161, 0.138, 0.137, 0.980, 0.085, 0.058, 3.970, 0.124}}},
      }};
}

}  // namespace sgood::paper

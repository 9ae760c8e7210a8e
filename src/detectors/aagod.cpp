// SPDX-License-Identifier: MIT
#include "sgood/detectors/aagod.h"

namespace sgood {

void AagodDetector::add_options(OptionTable& table) {
  table.add("pretrain_epochs", &pretrain_epochs_, 0, 1000000, "Epochs of contrast.");
  table.add("pretrain_lr", &pretrain_lr_, 1e-8, 1, "Adam's learning rate in pre-training.");
  table.add("tau", &tau_, 0.001, 1000, "Temperature of the contrast.");
  table.add("lambda1", &lambda1_, 0, 1e6, "Weight of the distance of lowered graphs.");
  table.add("lambda2", &lambda2_, 0, 1e6, "Weight of the distance of edge weights from 1.");
  table.add(
      "outlier_score", &outlier_score_, {"mahalanobis", "lof"},
      "Distance of a representation to the training graphs' Gaussian, or how much thinner they "
      "lie around it than around its five nearest (local outlier factor).");
  table.add("published", &published_, "As the published code: noise on edge weights in scoring.");
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sgood/detectors/graph_model_detector.h"

namespace sgood {

/// On a frozen, pre-trained GIN, a learned amplifier weighs edges so that the representations of
/// training graphs form one tight Gaussian, far from those under lowered weights. The score is the
/// squared Mahalanobis distance to it, or the local outlier factor. Labels are not used.
/// Deviation: no noise on the weights in scoring; published=true draws it, graph after graph, so
/// a score depends on its place in the call. The published choice of the epoch by a validation part
/// with OOD graphs is not offered.
/// Deviation: the contrast of pre-training is between a view without some nodes and one with some
/// edges moved.
/// Reference: Guo, Yang, Chen, Liu, Shi and Du, 2023.
class AagodDetector : public GraphModelDetector {
 public:
  AagodDetector() : GraphModelDetector({.epochs = 29, .batch_size = 512, .learning_rate = 0.02}) {}
  std::string_view method() const override { return "aagod"; }

 protected:
  void add_options(OptionTable& table) override;
  bool scores_together() const override { return published_; }

 private:
  int pretrain_epochs_ = 20;
  double pretrain_lr_ = 0.01;
  double tau_ = 0.2;
  double lambda1_ = 10;
  double lambda2_ = 10;
  std::string outlier_score_ = "mahalanobis";
  bool published_ = false;
};

}  // namespace sgood

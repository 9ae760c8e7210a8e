// SPDX-License-Identifier: MIT
#pragma once

#include "sgood/detectors/graph_model_detector.h"

namespace sgood {

/// Deep one-class classification: a GIN without biases, read out as means over nodes, is trained to
/// send training graphs near their first mean; the squared distance from it is the score. Labels
/// are not used. Batch norms neither scale nor shift, so that the network cannot shrink to the
/// centre.
/// Reference: Zhao and Akoglu, 2021.
class OcginDetector : public GraphModelDetector {
 public:
  OcginDetector()
      : GraphModelDetector({.epochs = 25, .batch_size = 32, .learning_rate = 0.001},
                           FeatureKind::kDegree) {}
  std::string_view method() const override { return "ocgin"; }

 protected:
  void add_options(OptionTable& table) override;

 private:
  std::string backbone_ = "gin";
  int layers_ = 3;
  int width_ = 128;
  double weight_decay_ = 0.0005;
};

}  // namespace sgood

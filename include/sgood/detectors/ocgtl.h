// SPDX-License-Identifier: MIT
#pragma once

#include "sgood/detectors/graph_model_detector.h"

namespace sgood {

/// One-class graph transformation learning: K GIN encoders ("transformations") must stay near
/// a learned centre and near a reference encoder, yet differ among each other; the training loss of
/// a graph is its score. Labels are not used.
/// Deviation: a fixed number of epochs instead of an early stop on the validation loss.
/// Reference: Qiu, Kloft, Mandt and Rudolph, 2022.
class OcgtlDetector : public GraphModelDetector {
 public:
  OcgtlDetector()
      : GraphModelDetector({.epochs = 500, .batch_size = 128, .learning_rate = 0.001},
                           FeatureKind::kDegree) {}
  std::string_view method() const override { return "ocgtl"; }

 protected:
  void add_options(OptionTable& table) override;

 private:
  int transformations_ = 5;
  int layers_ = 4;
  int width_ = 32;
  double tau_ = 1;
};

}  // namespace sgood

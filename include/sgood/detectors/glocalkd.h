// SPDX-License-Identifier: MIT
#pragma once

#include "sgood/detectors/graph_model_detector.h"

namespace sgood {

/// Knowledge distillation of a random network: a student learns what a fixed random teacher makes
/// of the nodes and of the whole of training graphs; the mean squared error on a graph is its
/// score. Labels are not used.
/// Deviation: hidden rows are normalised node by node, as the published code does for a batch of
/// one. With published=true, training normalises over the nodes that stand at the same place of all
/// graphs of a batch, and every graph is filled up with empty nodes to the largest training graph,
/// which makes errors grow with size; memory grows with batch_size times that graph.
/// Deviation: nodes without features show their degree as one-hot code instead of one number.
/// Reference: Ma, Pang, Chen and van den Hengel, 2022.
class GlocalkdDetector : public GraphModelDetector {
 public:
  GlocalkdDetector()
      : GraphModelDetector({.epochs = 150, .batch_size = 300, .learning_rate = 0.0001},
                           FeatureKind::kDegree) {}
  std::string_view method() const override { return "glocalkd"; }

 protected:
  void add_options(OptionTable& table) override;

 private:
  int width_ = 512;
  int outputs_ = 256;
  bool published_ = false;
};

}  // namespace sgood

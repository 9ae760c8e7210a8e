// SPDX-License-Identifier: MIT
#pragma once

#include "sgood/detectors/graph_model_detector.h"

namespace sgood {

/// Hierarchical contrast between a feature view and a structure view (random-walk return
/// probabilities and degree) of each graph: of nodes, of graphs, and of groups found by k-means.
/// The standardised losses of a graph add up to its score. Labels are not used.
/// Deviation: the graph loss of a graph takes its negatives from a fixed bank of training graphs,
/// and the group loss takes the nearest prototype as the graph's own. With published=true,
/// negatives are the other graphs of the call, so a score depends on them, and the group term is,
/// as in the published code, the similarity to the farthest prototype. Deviation: a graph of fewer
/// than two nodes, which has no node loss, gets the training mean. Deviation: one set of epochs,
/// clusters and alpha for all data sets (the published one of ENZYMES), for they were chosen on OOD
/// graphs. Reference: Liu, Ding, Liu and Pan, 2023.
class GoodDDetector : public GraphModelDetector {
 public:
  GoodDDetector()
      : GraphModelDetector({.epochs = 150, .batch_size = 128, .learning_rate = 0.0001}) {}
  std::string_view method() const override { return "good-d"; }

 protected:
  void add_options(OptionTable& table) override;
  bool scores_together() const override { return published_; }

 private:
  std::string backbone_ = "gin";
  int layers_ = 5;
  int width_ = 16;
  int clusters_ = 15;
  double alpha_ = 0.2;
  double tau_ = 0.2;
  int bank_ = 2000;
  bool published_ = false;
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include "sgood/detectors/graph_model_detector.h"

namespace sgood {

/// A generative model of the edges given the features (how alike are the nodes at both ends?) and
/// a classifier are trained together, less on graphs that both explain badly. The score is the
/// negative log-likelihood of edges and non-edges; the classifier only predicts. Without two
/// classes the model of the edges is trained alone. With equal features everywhere the score only
/// tells complete graphs from others.
/// Deviation: scoring takes all non-edges of graphs up to 200 nodes, and of larger ones those of
/// 20,000 pairs that depend on the graph alone. With published=true it draws as many as there are
/// edges, graph after graph, so a score depends on its place in the call.
/// Deviation: a fixed number of epochs; the published early stop looks at OOD graphs.
/// Reference: Li, Wu, Zhang and Yan, 2022.
class GraphdeDetector : public GraphModelDetector {
 public:
  GraphdeDetector()
      : GraphModelDetector({.epochs = 400, .batch_size = 64, .learning_rate = 0.01},
                           FeatureKind::kDegree) {}
  std::string_view method() const override { return "graphde"; }

 protected:
  void add_options(OptionTable& table) override;
  bool scores_together() const override { return published_; }

 private:
  std::string variant_ = "variational";
  std::string backbone_ = "gat";
  int layers_ = 3;
  int width_ = 64;
  double outlier_share_ = 0.1;
  bool published_ = false;
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sgood/detectors/encoder_detector.h"

namespace sgood {

// Encoders that look at parts of a graph, each under the Mahalanobis distance. All are trained for
// a fixed number of epochs. Deviation: the papers stop early on the accuracy of held-out graphs.
// Those that average or scale what comes from neighbours read the degree where nodes show nothing:
// of equal constants they would make equal vectors, whatever the graph.

/// Graph convolutions with self-attention pooling: of each graph the nodes stay that a GCN scores
/// highest. Representation: [max | mean] of the nodes left after each pooling, summed.
/// Reference: Lee, Lee and Kang, 2019.
class SagPoolDetector : public EncoderDetector {
 public:
  SagPoolDetector()
      : EncoderDetector({.epochs = 200, .batch_size = 128, .learning_rate = 0.0005},
                        FeatureKind::kDegree) {}
  std::string_view method() const override { return "sagpool"; }

 protected:
  void add_encoder_options(OptionTable& table) override;

 private:
  std::string variant_ = "hierarchical";
  int layers_ = 3;
  int width_ = 128;
  double ratio_ = 0.5;
  double dropout_ = 0.5;
  double weight_decay_ = 0.0001;
};

/// Graph convolutions with a top-k pooling after every second one: the nodes stay whose features
/// have the largest projection on a learned direction. Representation: mean of the nodes after each
/// convolution, side by side.
/// Deviation: the encoder of Graph U-Nets with the projection of its paper, without the decoder.
/// Reference: Gao and Ji, 2019.
class TopKPoolDetector : public EncoderDetector {
 public:
  TopKPoolDetector()
      : EncoderDetector({.epochs = 200, .batch_size = 128, .learning_rate = 0.001},
                        FeatureKind::kDegree) {}
  std::string_view method() const override { return "topkpool"; }

 protected:
  void add_encoder_options(OptionTable& table) override;

 private:
  int layers_ = 5;
  int width_ = 64;
  double ratio_ = 0.8;
  double dropout_ = 0.5;
};

/// Differentiable pooling: a GNN assigns nodes softly to clusters, which are the nodes of a smaller
/// graph. Representation: maximum over the nodes and over the clusters, side by side.
/// Deviations: batch norm is over all nodes of a batch, with running statistics in scoring, instead
/// of over the batch per position, also in scoring; the link loss is a Frobenius norm, which needs
/// no matrix of node pairs, so graphs of any size take part.
/// Reference: Ying et al., 2018.
class DiffPoolDetector : public EncoderDetector {
 public:
  DiffPoolDetector()
      : EncoderDetector({.epochs = 200, .batch_size = 20, .learning_rate = 0.001},
                        FeatureKind::kDegree) {}
  std::string_view method() const override { return "diffpool"; }

 protected:
  void add_encoder_options(OptionTable& table) override;

 private:
  int width_ = 20;
  int head_width_ = 50;
  double assign_ratio_ = 0.1;
  int max_clusters_ = 100;
  double link_weight_ = 0;
  double entropy_weight_ = 0;
  double dropout_ = 0;
};

/// Nested GNN: a GIN on the neighbourhood of every node, with distances from the node as labels.
/// Representation: mean over nodes of the mean over each neighbourhood, all layers side by side.
/// Deviation: crowded hops are thinned out evenly instead of at random.
/// Reference: Zhang and Li, 2021.
class NgnnDetector : public EncoderDetector {
 public:
  NgnnDetector() : EncoderDetector({.epochs = 100, .batch_size = 128, .learning_rate = 0.01}) {}
  std::string_view method() const override { return "ngnn"; }

 protected:
  void add_encoder_options(OptionTable& table) override;

 private:
  int hops_ = 2;
  int max_per_hop_ = 10;
  int width_ = 32;
  double dropout_ = 0.5;
};

/// GNN-AK+: message passing whose kernel is a GNN on the neighbourhood of each node, in four
/// layers. Representation: sum over nodes. Deviations: width 32 instead of 128, for time; a
/// constant learning rate; neighbourhoods have a limit per hop, as in NgnnDetector. Reference:
/// Zhao, Jin, Akoglu and Shah, 2022.
class GnnAkDetector : public EncoderDetector {
 public:
  GnnAkDetector() : EncoderDetector({.epochs = 100, .batch_size = 128, .learning_rate = 0.001}) {}
  std::string_view method() const override { return "gnn-ak+"; }

 protected:
  void add_encoder_options(OptionTable& table) override;

 private:
  int hops_ = 3;
  int max_per_hop_ = 10;
  int layers_ = 4;
  int width_ = 32;
  double dropout_ = 0;
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sgood/core/matrix.h"
#include "sgood/graph/packed_graph.h"
#include "sgood/nn/network.h"

namespace sgood {

/// What one training step reads. Either part may be absent, not both. The same batch may be given
/// more than once, as for views that change nothing; it is then encoded once.
struct TrainingStep {
  const PackedBatch* original = nullptr;  ///< Graphs to classify; null in pre-training.
  std::span<const std::int32_t> labels;   ///< [original->num_graphs] class of each.
  const PackedBatch* view0 = nullptr;  ///< Graphs to contrast: row i of both views comes from the
  const PackedBatch* view1 = nullptr;  ///< same graph; at least two graphs. Null when not wanted.
  double contrastive_weight = 1.0;     ///< alpha; total = CE + alpha * CL.
  double temperature = 0.2;            ///< tau >= kSmallestTemperature.
};

/// Sums of exp(s), |s| <= 1 / tau, must fit single precision without a shift; here with room to
/// spare.
inline constexpr double kSmallestTemperature = 0.02;

/// Losses of one step. Paper: Eqs. (5), (6), (7).
struct StepLoss {
  double total = 0;
  double cross_entropy = 0;  ///< 0 when nothing was classified.
  double contrastive = 0;    ///< 0 when nothing was contrasted; may be negative otherwise.
};

/// What a trained network says of the graphs of a batch.
struct Encoding {
  Matrix node_sum;  ///< h_G, [num_graphs, L1 * d]: sum over nodes of h_v.
  Matrix
      super_sum;  ///< [num_graphs, (L2 + 1) * d]: sum over super nodes of h_g; no columns if flat.
  Matrix logits;  ///< [num_graphs, num_classes]
};

/// A network frozen for scoring: batch normalisation uses fixed statistics, so the result for a
/// graph depends on that graph alone. Safe to use from several threads at once.
class FrozenNetwork {
 public:
  virtual ~FrozenNetwork() = default;
  virtual Encoding encode(const PackedBatch& batch) const = 0;
  /// h_v of every node, [num_nodes, node_width].
  virtual Matrix node_representations(const PackedBatch& batch) const = 0;
  /// Gradient of the sum over graphs of CE(logits / temperature, most probable class) with respect
  /// to the real columns, [num_nodes, num_dense], in double. Throws InvalidArgument for a network
  /// without classes or one that reads codes, and unless temperature > 0.
  virtual Matrix input_gradient(const PackedBatch& batch, double temperature) const = 0;
};

/// Runs SGOOD's network: losses and gradients for training, encodings for scoring. Parameters live
/// outside, in one flat buffer laid out by `ParameterLayout`, so engines can be exchanged freely.
/// An engine keeps scratch memory and serves one thread at a time.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Losses at `parameters` [num_parameters] with batch statistics in every BN (each view and the
  /// original are normalised apart); writes d total / d parameters into `gradient`
  /// [num_parameters].
  virtual StepLoss loss_and_gradient(const TrainingStep& step, std::span<const float> parameters,
                                     std::span<float> gradient) = 0;

  /// Mean and biased variance of every BN's input over this batch (batch statistics in every BN
  /// before it), laid out by ParameterLayout::statistics() [num_statistics].
  virtual void batch_statistics(const PackedBatch& batch, std::span<const float> parameters,
                                std::span<double> statistics) = 0;

  /// The network with BN fixed to `statistics`.
  virtual std::unique_ptr<FrozenNetwork> freeze(std::span<const float> parameters,
                                                std::span<const double> statistics) const = 0;
};

}  // namespace sgood

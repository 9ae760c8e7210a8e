// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sgood/core/matrix.h"
#include "sgood/detectors/detector.h"
#include "sgood/detectors/mahalanobis.h"
#include "sgood/detectors/network_options.h"
#include "sgood/graph/packed_graph.h"
#include "sgood/nn/engine.h"

namespace sgood {

class FittedNetwork;

/// A detector that reads its scores off a trained network: SGOOD and the post-hoc methods. A class
/// of its own per method says how the network is trained and what its score is.
class NetworkDetector : public Detector {
 public:
  using Detector::score;
  Fragmentation fragmentation() const override;
  void fit(const GraphSet& train, const FitContext& context) override;
  std::vector<GraphScore> score(const GraphSet& graphs, int threads,
                                const RunControl& control) const override;
  nlohmann::ordered_json summary() const override;
  std::vector<std::pair<std::string, double>> epoch_seconds() const override;
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;
  std::unique_ptr<Partitioner> substructures() const override;

 protected:
  virtual NetworkOptions network_options() const = 0;
  /// Whether there is no score without a classifier, which needs two classes.
  virtual bool needs_classes() const { return true; }
  /// Whether the network is trained at all; one that is not predicts no classes.
  virtual bool trains() const { return true; }
  /// Learns what the score needs besides the network; `graphs` are those of `train`, packed.
  virtual void learn(const FittedNetwork& network, std::span<const PackedGraph> graphs,
                     const GraphSet& train) = 0;
  /// Scores [num_graphs] of a batch, each a function of its own graph to the last bit.
  virtual std::vector<double> scores(const FittedNetwork& network, const PackedBatch& batch,
                                     const Encoding& encoding) const = 0;
  /// Keeps what learn() has learned.
  virtual void save_learned(TensorFile& file) const = 0;
  virtual void load_learned(const FittedNetwork& network, const TensorFile& file) = 0;

  /// Throws NotFitted before fit() or load().
  const FittedNetwork& network() const;

 private:
  std::shared_ptr<const FittedNetwork> network_;
};

/// Mahalanobis distance of the network's representation to the training graphs.
class DistanceDetector : public NetworkDetector {
 public:
  /// Representations z [num_graphs, node_width + super_width] of Paper: Eq. (8); L2-normalised
  /// unless `normalize` is off.
  Matrix represent(const GraphSet& graphs, int threads = 1) const;
  /// The distance and the nearest of the training graphs, all or 1000 of them, by the Mahalanobis
  /// distance of their representations.
  Explanation explain(const Graph& graph, int nearest) const override;

 protected:
  virtual const DistanceOptions& distance_options() const = 0;
  void learn(const FittedNetwork& network, std::span<const PackedGraph> graphs,
             const GraphSet& train) override;
  std::vector<double> scores(const FittedNetwork& network, const PackedBatch& batch,
                             const Encoding& encoding) const override;
  void save_learned(TensorFile& file) const override;
  void load_learned(const FittedNetwork& network, const TensorFile& file) override;

 private:
  Matrix joint(const Encoding& encoding) const;

  void learn_references(const Matrix& z, const GraphSet& train);

  std::optional<MahalanobisScore> mahalanobis_;
  // Training graphs to be nearest to:
  std::vector<std::int32_t> positions_;
  std::vector<std::string> ids_;
  Matrix references_;  // [ids, q], whitened, in single precision.
};

}  // namespace sgood

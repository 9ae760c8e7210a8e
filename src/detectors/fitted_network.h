// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sgood/detectors/detector.h"
#include "sgood/detectors/network_options.h"
#include "sgood/graph/feature_encoder.h"
#include "sgood/graph/packed_graph.h"
#include "sgood/nn/engine.h"
#include "sgood/substructure/partitioner.h"

namespace sgood {

/// What a network with these options asks of the reader of its graphs.
Fragmentation fragmentation_of(const NetworkOptions& options);

/// Turns a graph into what the network reads.
class GraphPacker {
 public:
  /// Learns the features of `train`.
  GraphPacker(const GraphSet& train, const NetworkOptions& options);
  GraphPacker(FeatureEncoder encoder, const NetworkOptions& options);

  const FeatureEncoder& encoder() const { return encoder_; }
  PackedGraph pack(const Graph& graph) const;
  std::vector<PackedGraph> pack(const GraphSet& graphs, int threads,
                                const RunControl& control) const;

 private:
  FeatureEncoder encoder_;
  std::unique_ptr<Partitioner> partitioner_;
  NodeOrder order_;
};

/// A trained two-level (or flat) network with all that stands between a graph and its encoding.
/// Never changes, so detectors and threads share it.
class FittedNetwork {
 public:
  static constexpr std::int64_t kBlock = 64;  ///< Graphs encoded together; changes no bit.

  /// Trains on the `graphs` of `packer`, or takes the network from context.networks. One class
  /// leaves nothing to classify: the network is then trained by contrast alone.
  static std::shared_ptr<const FittedNetwork> fit(std::shared_ptr<const GraphPacker> packer,
                                                  std::span<const PackedGraph> graphs,
                                                  const NetworkOptions& options,
                                                  const FitContext& context);
  static std::shared_ptr<const FittedNetwork> load(const TensorFile& file,
                                                   const NetworkOptions& options);
  void save(TensorFile& file) const;

  const GraphPacker& packer() const { return *packer_; }
  const NetworkShape& shape() const { return layout_.shape(); }
  /// The parameter called `name`.
  std::span<const float> parameter(const std::string& name) const;
  const nlohmann::ordered_json& summary() const { return summary_; }
  /// Of its training, by stage; empty when loaded.
  const std::vector<std::pair<std::string, double>>& epoch_seconds() const {
    return epoch_seconds_;
  }

  PackedBatch batch(std::span<const PackedGraph> graphs) const;
  const FrozenNetwork& frozen() const { return *frozen_; }
  /// Encodings of all `graphs`, block by block.
  Encoding encode(std::span<const PackedGraph> graphs) const;
  /// The same network reading its one-hot codes as reals [num_nodes, input_width].
  std::unique_ptr<FrozenNetwork> freeze_on_reals() const;

 private:
  FittedNetwork(std::shared_ptr<const GraphPacker> packer, const NetworkOptions& options,
                std::int32_t num_classes, std::vector<float> parameters,
                std::vector<double> statistics);

  std::shared_ptr<const GraphPacker> packer_;
  NetworkOptions options_;
  ParameterLayout layout_;
  std::vector<float> parameters_;
  std::vector<double> statistics_;
  std::unique_ptr<FrozenNetwork> frozen_;
  nlohmann::ordered_json summary_;
  std::vector<std::pair<std::string, double>> epoch_seconds_;
};

}  // namespace sgood

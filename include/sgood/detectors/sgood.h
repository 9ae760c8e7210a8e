// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sgood/detectors/detector.h"
#include "sgood/detectors/mahalanobis.h"
#include "sgood/graph/feature_encoder.h"
#include "sgood/graph/packed_graph.h"
#include "sgood/nn/engine.h"
#include "sgood/substructure/partitioner.h"

namespace sgood {

/// Options of SGOOD; the defaults are the paper's settings (Paper: Section 4.1) where it gives one.
struct SgoodOptions {
  std::string features = "auto";
  int degree_cap = 64;
  std::string partitioner = "modularity";
  int graclus_levels = PartitionerOptions().graclus_levels;
  std::string order = "canonical";
  bool substructures = true;
  std::string backbone = "gin";
  int node_layers = 3;
  int super_layers = 2;
  int width = 16;
  bool super_self_loops = true;
  int batch_size = 128;
  int pretrain_epochs = 100;
  int finetune_epochs = 500;
  double pretrain_lr = 0.001;
  double finetune_lr = 0.001;
  double alpha = 0.1;
  double tau = 0.2;
  std::string view0 = "random";
  std::string view1 = "random";
  double ratio = 0.3;
  bool normalize = true;
  std::string aggregation = "closest";
  std::string covariance = "shrinkage";
  double shrinkage = 0.001;
  bool relative = false;
  std::string engine = "auto";
  std::string device = "cpu";

  OptionTable table();
};

/// SGOOD (Paper: Section 3): super graphs of substructures, a two-level network trained in two
/// stages, and the Mahalanobis distance in the joint representation.
///
/// Deviation: batch normalisation uses, for scoring, statistics of the clean training graphs at the
/// final weights instead of a moving average over augmented batches, so they do not depend on the
/// last few batches. Deviation: nodes are read in canonical order, so that a score is a function of
/// the graph and not of its node numbering (`order=input` gives the published behaviour).
class SgoodDetector : public Detector {
 public:
  explicit SgoodDetector(SgoodOptions options = {}) : options_(std::move(options)) {}

  using Detector::score;
  std::string_view method() const override { return "sgood"; }
  OptionTable options() override { return options_.table(); }
  Fragmentation fragmentation() const override { return partitioner()->fragmentation(); }
  void fit(const GraphSet& train, const FitContext& context) override;
  std::vector<GraphScore> score(const GraphSet& graphs, int threads,
                                const RunControl& control) const override;
  nlohmann::ordered_json summary() const override { return summary_; }
  std::vector<std::pair<std::string, double>> epoch_seconds() const override {
    return epoch_seconds_;
  }
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;

  /// Representations z [num_graphs, node_width + super_width] of Paper: Eq. (8); L2-normalised
  /// unless `normalize` is off.
  Matrix represent(const GraphSet& graphs, int threads = 1) const;

 private:
  struct Network;  // layout, parameters, statistics and the frozen network

  std::unique_ptr<Partitioner> partitioner() const;
  NetworkShape network_shape(std::int32_t num_classes) const;
  PackedGraph prepare(const Graph& graph) const;
  std::vector<PackedGraph> prepare_all(const GraphSet& graphs, int threads,
                                       const RunControl& control) const;
  Encoding encode(std::span<const PackedGraph> graphs) const;
  Matrix joint(const Encoding& encoding) const;
  void require_fitted() const;

  SgoodOptions options_;
  FeatureEncoder encoder_;
  std::unique_ptr<Partitioner> partitioner_;
  std::shared_ptr<const Network> network_;
  std::optional<MahalanobisScore> mahalanobis_;
  nlohmann::ordered_json summary_;
  std::vector<std::pair<std::string, double>> epoch_seconds_;
};

}  // namespace sgood

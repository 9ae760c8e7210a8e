// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sgood/core/matrix.h"
#include "sgood/detectors/detector.h"
#include "sgood/graph/feature_encoder.h"
#include "sgood/substructure/partitioner.h"

namespace sgood {

/// Options of the nearest neighbours in graph statistics.
struct StatsKnnOptions {
  int k = 5;
  std::string labels = "first";
  std::string partitioner = "modularity";
  std::string order = "canonical";

  OptionTable table();
};

/// Mean Euclidean distance to the k nearest training graphs (all, if they are fewer) in
/// standardised features, found by exact search: graph_statistics() and, where nodes have labels,
/// the share of nodes with each value. Values that training never showed share one feature per
/// column; a feature that is constant in training keeps its unit. No training, no classes.
/// Reference: Angiulli and Pizzuti, 2002.
class StatsKnnDetector : public Detector {
 public:
  explicit StatsKnnDetector(StatsKnnOptions options = {}) : options_(std::move(options)) {}

  using Detector::score;
  std::string_view method() const override { return "stats-knn"; }
  OptionTable options() override { return options_.table(); }
  Fragmentation fragmentation() const override {
    return make_partitioner(options_.partitioner)->fragmentation();
  }
  void fit(const GraphSet& train, const FitContext& context) override;
  std::vector<GraphScore> score(const GraphSet& graphs, int threads,
                                const RunControl& control) const override;
  nlohmann::ordered_json summary() const override;
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;

 private:
  struct Column {
    double mean = 0;
    double scale = 1;  ///< Population deviation; 1 for a constant.
  };

  std::vector<double> features(const Graph& graph, const Partitioner& partitioner) const;
  std::int64_t num_features() const;
  void require_fitted() const;

  StatsKnnOptions options_;
  std::optional<FeatureEncoder> labels_;  ///< Absent when no labels are looked at.
  std::vector<Column> columns_;           ///< [num_features]
  Matrix training_;                       ///< [num_features, num_graphs], standardised.
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sgood/detectors/detector.h"
#include "sgood/graph/feature_encoder.h"
#include "sgood/nn/graph_model.h"

namespace sgood {

/// Options of every method that trains a network of its own; each method has its own defaults.
struct GraphModelOptions {
  std::string features = "auto";
  int degree_cap = 64;
  std::string order = "canonical";
  int epochs = 100;
  int batch_size = 128;
  double learning_rate = 0.001;
  std::string device = "cpu";
};

/// A method whose network is a GraphModel, trained through LibTorch. A class of its own per method
/// gives name, defaults and further options; what the method computes is src/torch/models/NAME.cpp.
/// Graphs are read in canonical order and scored one by one in double precision, so a score is
/// a function of the graph alone.
class GraphModelDetector : public Detector {
 public:
  using Detector::score;
  OptionTable options() final;
  void fit(const GraphSet& train, const FitContext& context) override;
  std::vector<GraphScore> score(const GraphSet& graphs, int threads,
                                const RunControl& control) const override;
  nlohmann::ordered_json summary() const override { return summary_; }
  std::vector<std::pair<std::string, double>> epoch_seconds() const override {
    return epoch_seconds_;
  }
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;

 protected:
  /// `fallback`: what features=auto shows of nodes that have neither labels nor attributes.
  explicit GraphModelDetector(GraphModelOptions defaults,
                              FeatureKind fallback = FeatureKind::kConstant)
      : common_(std::move(defaults)), fallback_(fallback) {}

  /// Adds the options that only this method has.
  virtual void add_options(OptionTable& table) { (void)table; }
  /// Whether training needs two classes at least.
  virtual bool needs_classes() const { return false; }
  /// Whether all graphs of a call are evaluated as one batch, as some published codes do; a score
  /// then depends on the other graphs.
  virtual bool scores_together() const { return false; }
  /// Learns from what the trained model says of the training graphs, when learns_from_output().
  virtual bool learns_from_output() const { return false; }
  virtual void fit_output(const GraphModelOutput& training, const GraphSet& train) {
    (void)training, (void)train;
  }
  /// The score of row `g`; the model's own by default.
  virtual double score_of(const GraphModelOutput& output, std::int64_t g) const;

 private:
  FeatureEncoder fit_encoder(const GraphSet& train) const;
  GraphModelSpec spec(std::int32_t num_classes) const;
  std::vector<PackedGraph> pack(const GraphSet& graphs, int threads,
                                const RunControl& control) const;
  GraphModelOutput evaluate(const std::vector<PackedGraph>& graphs, int threads,
                            const RunControl& control) const;

  GraphModelOptions common_;
  FeatureKind fallback_;
  FeatureEncoder encoder_;
  std::int32_t num_classes_ = 0;
  std::int32_t max_nodes_ = 0;  // of a training graph
  std::shared_ptr<const GraphModel> model_;
  nlohmann::ordered_json summary_;
  std::vector<std::pair<std::string, double>> epoch_seconds_;
};

}  // namespace sgood

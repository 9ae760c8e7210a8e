// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sgood/detectors/graph_model_detector.h"
#include "sgood/detectors/mahalanobis.h"
#include "sgood/detectors/network_options.h"

namespace sgood {

/// A classifier of graphs whose representation, the vector of a graph before the classifier's head,
/// is scored by its Mahalanobis distance to the classes of the training graphs. Needs graphs of two
/// classes at least.
class EncoderDetector : public GraphModelDetector {
 public:
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;

 protected:
  explicit EncoderDetector(GraphModelOptions defaults,
                           FeatureKind fallback = FeatureKind::kConstant)
      : GraphModelDetector(std::move(defaults), fallback) {}

  /// Adds the options of the encoder; those of the distance follow.
  virtual void add_encoder_options(OptionTable& table) = 0;

  void add_options(OptionTable& table) final;
  bool needs_classes() const final { return true; }
  bool learns_from_output() const final { return true; }
  void fit_output(const GraphModelOutput& training, const GraphSet& train) final;
  double score_of(const GraphModelOutput& output, std::int64_t g) const final;

 private:
  /// Row `g` of the representations, as the distance sees it.
  std::vector<double> representation(const GraphModelOutput& output, std::int64_t g) const;

  DistanceOptions distance_;
  std::optional<MahalanobisScore> mahalanobis_;
};

}  // namespace sgood

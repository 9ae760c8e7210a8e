// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "sgood/detectors/detector.h"

namespace sgood {

/// Options of the nearest neighbours in Weisfeiler-Lehman features.
struct WlKnnOptions {
  int k = 5;
  int iterations = 3;
  std::string labels = "first";

  OptionTable table();
};

/// Mean cosine distance to the k nearest training graphs (all, if they are fewer), found by exact
/// search, between counts of the colours of rounds 0 to `iterations` (see wl_colours()): the
/// normalised Weisfeiler-Lehman subtree kernel. Edge labels and attributes are not looked at;
/// graphs without node labels start with one colour. No training, no classes.
/// Reference: Shervashidze, Schweitzer, van Leeuwen, Mehlhorn and Borgwardt, 2011.
class WlKnnDetector : public Detector {
 public:
  explicit WlKnnDetector(WlKnnOptions options = {}) : options_(std::move(options)) {}

  using Detector::score;
  std::string_view method() const override { return "wl-knn"; }
  OptionTable options() override { return options_.table(); }
  void fit(const GraphSet& train, const FitContext& context) override;
  std::vector<GraphScore> score(const GraphSet& graphs, int threads,
                                const RunControl& control) const override;
  nlohmann::ordered_json summary() const override;
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;

 private:
  struct Fitted;  // the colours of the training graphs

  const Fitted& fitted() const;

  WlKnnOptions options_;
  std::shared_ptr<const Fitted> fitted_;
};

}  // namespace sgood

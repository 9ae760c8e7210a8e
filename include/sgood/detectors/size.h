// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sgood/detectors/detector.h"

namespace sgood {

/// Options of the size baseline.
struct SizeOptions {
  std::string statistic = "nodes";
  std::string tail = "both";

  OptionTable table();
};

/// How unusual a graph's size is among the training graphs: a shortcut that any other method must
/// beat. With s the number of nodes (edges, or the density) and F the share of training graphs with
/// a smaller s, those with an equal one counted half, the score is |2 F(s) - 1| in [0, 1]: one less
/// the two-sided p-value. `tail=upper` scores s itself and `tail=lower` -s, for those who know
/// beforehand on which side OOD graphs lie.
/// Deviation: the size audit of `bench` takes the better of both sides after looking at the OOD
/// graphs, which a detector must not.
class SizeDetector : public Detector {
 public:
  explicit SizeDetector(SizeOptions options = {}) : options_(std::move(options)) {}

  using Detector::score;
  std::string_view method() const override { return "size"; }
  OptionTable options() override { return options_.table(); }
  void fit(const GraphSet& train, const FitContext& context) override;
  std::vector<GraphScore> score(const GraphSet& graphs, int threads,
                                const RunControl& control) const override;
  nlohmann::ordered_json summary() const override;
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;

 private:
  double statistic(const Graph& graph) const;

  SizeOptions options_;
  std::vector<double> training_;  ///< The statistic of each training graph, ascending.
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sgood/detectors/detector.h"
#include "sgood/detectors/explanation.h"

namespace sgood {

/// Options of the density in Weisfeiler-Lehman features.
struct WlDensityOptions {
  std::string views = "size+whole+core";
  int depth = 2;
  double tau = 0.01;
  bool idf = true;
  std::string combine = "clip";
  std::string columns = "all";
  bool edge_labels = true;
  bool batch = false;

  OptionTable table();
};

/// How far a graph is from the training graphs in up to three views: the number of nodes (`size`),
/// the colours of its nodes (`whole`: see wl_colours(), rounds 0 to `depth`, together with the
/// number of nodes) and the colours of its 2-core (`core`, once by the first node column alone and
/// once by all labels). No training, no classes.
///
/// Two multisets of colours are compared by the weighted Jaccard distance of counts, in which rare
/// colours weigh more; parts of a view have equal weight. The distance from all training graphs is
/// their soft-minimum with temperature `tau`, so that many near graphs count for more than one.
/// Training graphs (all, or 1000 drawn by the seed), each compared with all others, give every
/// view its mean and standard deviation. The score is the sum of max((s - mean) / deviation, -1)
/// over views (`combine=clip`), or of -ln p with p the share of training graphs at least as far,
/// and (s - largest) / deviation beyond all of them (`fisher`). A deviation below 1e-9 (few or
/// equal training graphs) is replaced by `tau`.
///
/// The 2-core of a molecule is about its Murcko scaffold: where OOD graphs were chosen by scaffold,
/// `core` sees the very rule that made them.
///
/// The batch score of a graph G among the graphs of a call is (1 - w) r + w q over the number of
/// graphs: r is the mid-rank of its score, q that of the log density ratio
/// -ln mean exp(-D(G, T) / 0.2) + ln mean exp(-D(G, B) / 0.2), where D is the distance in view
/// `whole` with weights of colours from training, T runs over the training graphs and B over the
/// other graphs of the call; w is the share of OOD graphs that the p-values of the scores say
/// (estimated_ood_share()), at most 1/2. It needs `whole` among the views, time quadratic in the
/// number of graphs and memory linear in it. With `batch`, benchmarks rank all test graphs, ID and
/// OOD together, by it; scores, p-values and decisions stay those of each graph alone.
///
/// Node columns and the first edge label (molecules: the bond type) are read, real attributes are
/// not. Graphs without labels start with one colour. Distances are exact: no graph is skipped that
/// changes a score by 1e-15.
class WlDensityDetector : public Detector {
 public:
  explicit WlDensityDetector(WlDensityOptions options = {}) : options_(std::move(options)) {}

  using Detector::score;
  std::string_view method() const override { return "wl-density"; }
  OptionTable options() override { return options_.table(); }
  void fit(const GraphSet& train, const FitContext& context) override;
  std::vector<GraphScore> score(const GraphSet& graphs, int threads,
                                const RunControl& control) const override;
  std::vector<GraphScore> score_batch(const GraphSet& graphs, int threads,
                                      const RunControl& control) const override;
  bool ranks_batches() const override { return options_.batch; }
  bool leaves_one_out() const override { return true; }
  std::vector<double> training_scores() const override;
  nlohmann::ordered_json summary() const override;
  void save(TensorFile& file) const override;
  void load(const TensorFile& file) override;

  /// Views, the nearest training graphs of each, and the colours that the nearest one lacks.
  Explanation explain(const Graph& graph, int nearest = 5) const override;

  /// The log density ratio of each graph, higher = rather of `graphs` than of the training graphs;
  /// 0 for a graph alone. Throws as score_batch() does.
  std::vector<double> log_ratios(const GraphSet& graphs, int threads,
                                 const RunControl& control) const;

 private:
  struct Fitted;

  const Fitted& fitted() const;
  double ratio_weight(const std::vector<double>& scores) const;
  WlDensityOptions options_;
  std::shared_ptr<const Fitted> fitted_;
};

}  // namespace sgood

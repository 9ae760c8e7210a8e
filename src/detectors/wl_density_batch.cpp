// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "per_graph.h"
#include "sgood/core/error.h"
#include "sgood/detectors/wl_density.h"
#include "sgood/metrics/calibration.h"
#include "wl_density_fitted.h"

namespace sgood {
namespace {

/// Temperature of both densities: wide, for a ratio of two sharp ones is mostly noise.
constexpr double kBatchTau = 0.2;

std::vector<double> mid_ranks(const std::vector<double>& values) {
  std::vector<double> ascending = values, ranks;
  std::ranges::sort(ascending);
  for (const double value : values) ranks.push_back(mid_rank(ascending, value));
  return ranks;
}

}  // namespace

std::vector<double> WlDensityDetector::log_ratios(const GraphSet& graphs, int threads,
                                                  const RunControl& control) const {
  const Fitted& training = fitted();
  const std::vector<ViewPlan>& views = training.density.views();
  const auto whole = std::ranges::find(views, "whole", &ViewPlan::name);
  SGOOD_CHECK(
      whole != views.end(),
      "batch scores compare whole graphs, but option views was '{}' in the fit; it must name "
      "whole",
      options_.views);
  std::vector<double> ratios(graphs.graphs.size());
  if (ratios.size() < 2) return ratios;  // there are no other graphs

  std::vector<GraphFeatures> features(ratios.size());
  for_each_graph(std::ssize(ratios), threads, control, "comparing with training graphs",
                 [&](std::int64_t i) {
                   const auto g = static_cast<std::size_t>(i);
                   features[g] = training.features(graphs.graphs[g]);
                   ratios[g] = training.density.scores(
                       features[g], kBatchTau)[static_cast<std::size_t>(whole - views.begin())];
                   // Blocks of the whole graph come first; its number of nodes is no block.
                   features[g].blocks.resize(whole->parts.size() - 1);
                 });

  // In an order of their own, so that no sum depends on the order of rows.
  std::vector<std::size_t> order(ratios.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t g) -> const GraphFeatures& { return features[g]; });
  std::vector<GraphFeatures> ordered;
  for (const std::size_t g : order) ordered.push_back(features[g]);
  TrainingDensity batch(std::move(ordered), {*whole}, false);
  batch.weigh_as(training.density);
  for_each_graph(std::ssize(order), threads, control, "comparing with each other",
                 [&](std::int64_t i) {
                   const std::size_t g = order[static_cast<std::size_t>(i)];
                   const auto own = static_cast<std::int32_t>(i);
                   ratios[g] -= batch.scores(features[g], kBatchTau, own)[0];
                   ratios[g] /= kBatchTau;
                 });
  return ratios;
}

/// The estimated share of OOD graphs, at most a half: where there are few, their density is one of
/// the other graphs.
double WlDensityDetector::ratio_weight(const std::vector<double>& scores) const {
  if (scores.empty()) return 0;
  const Calibration calibration(training_scores());
  std::vector<double> p_values;
  for (const double score : scores) p_values.push_back(calibration.p_value(score));
  return std::min(estimated_ood_share(p_values), 0.5);
}

std::vector<GraphScore> WlDensityDetector::score_batch(const GraphSet& graphs, int threads,
                                                       const RunControl& control) const {
  const std::vector<double> by_ratio = mid_ranks(log_ratios(graphs, threads, control));
  std::vector<GraphScore> scores = score(graphs, threads, control);
  std::vector<double> values;
  for (const GraphScore& s : scores) values.push_back(s.score);
  const std::vector<double> by_score = mid_ranks(values);
  const double weight = ratio_weight(values);
  for (std::size_t g = 0; g < scores.size(); ++g)
    scores[g].batch_score =
        ((1 - weight) * by_score[g] + weight * by_ratio[g]) / static_cast<double>(scores.size());
  return scores;
}

}  // namespace sgood

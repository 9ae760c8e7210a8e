// SPDX-License-Identifier: MIT
#include "sgood/metrics/ood_metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string_view>
#include <vector>

#include "sgood/core/error.h"

namespace sgood {
namespace {

constexpr double kNormal975 = 1.959963984540054;  // 97.5 % point of the standard normal

// How many graphs of either side have one particular score.
struct Step {
  std::int64_t positives = 0;
  std::int64_t negatives = 0;
};

// Average precision and false-positive rate at 95 % recall.
struct Curve {
  double average_precision = 0;
  double fpr95 = 0;
};

void check_finite(std::span<const double> values, std::string_view name) {
  SGOOD_CHECK(!values.empty(), "{} is empty but must hold at least one value", name);
  for (std::size_t i = 0; i < values.size(); ++i)
    SGOOD_CHECK(std::isfinite(values[i]), "{}[{}] is {} but must be finite", name, i, values[i]);
}

std::vector<double> sorted_descending(std::span<const double> values) {
  std::vector<double> result(values.begin(), values.end());
  std::sort(result.begin(), result.end(), std::greater<>());
  return result;
}

// One step for each different score, highest first.
std::vector<Step> descending_steps(std::span<const double> positives,
                                   std::span<const double> negatives) {
  const std::vector<double> p = sorted_descending(positives), n = sorted_descending(negatives);
  std::vector<Step> steps;
  for (std::size_t i = 0, j = 0; i < p.size() || j < n.size();) {
    const bool next_is_positive = j == n.size() || (i < p.size() && p[i] >= n[j]);
    const double score = next_is_positive ? p[i] : n[j];
    Step& step = steps.emplace_back();
    for (; i < p.size() && p[i] == score; ++i) ++step.positives;
    for (; j < n.size() && n[j] == score; ++j) ++step.negatives;
  }
  return steps;
}

// The same thresholds with the sides exchanged and the sign of the score turned.
std::vector<Step> mirrored(const std::vector<Step>& steps) {
  std::vector<Step> result;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    result.push_back({step->negatives, step->positives});
  return result;
}

Curve curve(const std::vector<Step>& steps, std::int64_t num_positives,
            std::int64_t num_negatives) {
  Curve result;
  std::int64_t hits = 0, false_alarms = 0;
  for (const Step& step : steps) {
    const bool below = 100 * hits < 95 * num_positives;
    hits += step.positives;
    false_alarms += step.negatives;
    if (below && 100 * hits >= 95 * num_positives)
      result.fpr95 = static_cast<double>(false_alarms) / static_cast<double>(num_negatives);
    result.average_precision += static_cast<double>(step.positives) * static_cast<double>(hits) /
                                static_cast<double>(hits + false_alarms);
  }
  result.average_precision /= static_cast<double>(num_positives);
  return result;
}

// Variance of a mean of `count` values in [0, 1], from their squared deviations.
double variance_of_mean(double squares, std::int64_t count) {
  if (count == 1) return 0.25;
  return squares / static_cast<double>(count - 1) / static_cast<double>(count);
}

// Fills `auroc` and its interval; OOD is the positive side of `steps`.
void add_auroc(const std::vector<Step>& steps, OodMetrics& metrics) {
  const auto num_id = static_cast<double>(metrics.num_id);
  const auto num_ood = static_cast<double>(metrics.num_ood);
  // Twice the number of won comparisons, a tie counting one: a whole number, hence exact.
  std::int64_t twice_wins = 0, id_below = metrics.num_id;
  for (const Step& step : steps) {
    id_below -= step.negatives;
    twice_wins += step.positives * (2 * id_below + step.negatives);
  }
  metrics.auroc = static_cast<double>(twice_wins) / (2 * num_id * num_ood);

  double id_squares = 0, ood_squares = 0, ood_above = 0, id_above = 0;
  for (const Step& step : steps) {
    const auto id = static_cast<double>(step.negatives), ood = static_cast<double>(step.positives);
    const double ood_wins = (num_id - id_above - id / 2) / num_id;
    const double id_losses = (ood_above + ood / 2) / num_ood;
    ood_squares += ood * (ood_wins - metrics.auroc) * (ood_wins - metrics.auroc);
    id_squares += id * (id_losses - metrics.auroc) * (id_losses - metrics.auroc);
    id_above += id;
    ood_above += ood;
  }
  metrics.auroc_error = std::sqrt(variance_of_mean(id_squares, metrics.num_id) +
                                  variance_of_mean(ood_squares, metrics.num_ood));
  metrics.auroc_low = std::max(0.0, metrics.auroc - kNormal975 * metrics.auroc_error);
  metrics.auroc_high = std::min(1.0, metrics.auroc + kNormal975 * metrics.auroc_error);
}

// Quantile of ascending values, linear between neighbours.
double quantile(const std::vector<double>& ascending, double share) {
  const double position = share * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], position - static_cast<double>(below));
}

}  // namespace

OodMetrics ood_metrics(std::span<const double> id_scores, std::span<const double> ood_scores) {
  check_finite(id_scores, "id_scores");
  check_finite(ood_scores, "ood_scores");
  OodMetrics metrics;
  metrics.num_id = std::ssize(id_scores);
  metrics.num_ood = std::ssize(ood_scores);
  const std::vector<Step> steps = descending_steps(ood_scores, id_scores);
  const Curve ood = curve(steps, metrics.num_ood, metrics.num_id);
  const Curve id = curve(mirrored(steps), metrics.num_id, metrics.num_ood);
  metrics.aupr = ood.average_precision;
  metrics.fpr95 = ood.fpr95;
  metrics.aupr_id = id.average_precision;
  metrics.fpr95_id = id.fpr95;
  add_auroc(steps, metrics);
  return metrics;
}

double accuracy(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth) {
  SGOOD_CHECK(predicted.size() == truth.size(),
              "predicted has {} values but must have as many as truth, {}", predicted.size(),
              truth.size());
  SGOOD_CHECK(!truth.empty(), "truth is empty but must hold at least one value");
  std::int64_t correct = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) correct += predicted[i] == truth[i];
  return static_cast<double>(correct) / static_cast<double>(truth.size());
}

Summary summarize(std::span<const double> values) {
  check_finite(values, "values");
  const auto n = static_cast<double>(values.size());
  Summary summary{.n = static_cast<int>(values.size())};
  for (const double value : values) summary.mean += value;
  summary.mean /= n;
  if (values.size() == 1) return summary;
  double squares = 0;
  for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
  summary.std = std::sqrt(squares / (n - 1));
  return summary;
}

Interval bootstrap_mean_interval(std::span<const double> values, Rng& rng, double level,
                                 int resamples) {
  check_finite(values, "values");
  SGOOD_CHECK(level > 0 && level < 1, "level is {} but must be greater than 0 and less than 1",
              level);
  SGOOD_CHECK(resamples >= 1, "resamples is {} but must be at least 1", resamples);
  std::vector<double> means(static_cast<std::size_t>(resamples));
  for (double& mean : means) {
    for (std::size_t i = 0; i < values.size(); ++i) mean += values[rng.below(values.size())];
    mean /= static_cast<double>(values.size());
  }
  std::sort(means.begin(), means.end());
  return {quantile(means, (1 - level) / 2), quantile(means, (1 + level) / 2)};
}

}  // namespace sgood

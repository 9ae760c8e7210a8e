// SPDX-License-Identifier: MIT
#include "view_calibration.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sgood {

double mid_rank(const std::vector<double>& ascending, double value) {
  // Equal graphs tie, whatever rounding did to their scores.
  constexpr double kTie = 1e-12;
  const auto low = std::ranges::lower_bound(ascending, value - kTie);
  const auto high = std::ranges::upper_bound(ascending, value + kTie);
  return static_cast<double>((low - ascending.begin()) + (high - ascending.begin())) / 2;
}

ViewCalibration::ViewCalibration(std::vector<std::vector<double>> scores, double smallest,
                                 bool fisher)
    : training_(std::move(scores)), fisher_(fisher) {
  constexpr double kNone = 1e-9;
  for (const std::vector<double>& of_view : training_) {
    View& view = views_.emplace_back();
    view.ascending = of_view;
    std::ranges::sort(view.ascending);
    const auto n = static_cast<double>(of_view.size());
    view.mean = std::accumulate(of_view.begin(), of_view.end(), 0.0) / n;
    double squares = 0;
    for (const double s : of_view) squares += (s - view.mean) * (s - view.mean);
    view.deviation = std::sqrt(squares / n);
    if (view.deviation < kNone) view.deviation = smallest;
  }
}

double ViewCalibration::contribution(const View& view, double score) const {
  if (!fisher_) return std::max((score - view.mean) / view.deviation, -1.0);
  const auto n = static_cast<double>(view.ascending.size());
  const double beyond = std::max(score - view.ascending.back(), 0.0) / view.deviation;
  return beyond - std::log((n - mid_rank(view.ascending, score) + 0.5) / (n + 1));
}

std::vector<double> ViewCalibration::contributions(std::span<const double> scores) const {
  std::vector<double> values;
  for (std::size_t v = 0; v < views_.size(); ++v)
    values.push_back(contribution(views_[v], scores[v]));
  return values;
}

double ViewCalibration::score(std::span<const double> scores) const {
  const std::vector<double> values = contributions(scores);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<double> ViewCalibration::training_scores() const {
  std::vector<double> values, scores(training_.size());
  for (std::size_t g = 0; g < training_[0].size(); ++g) {
    for (std::size_t v = 0; v < training_.size(); ++v) scores[v] = training_[v][g];
    values.push_back(score(scores));
  }
  return values;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/metrics/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sgood/core/error.h"

namespace sgood {
namespace {

void check_alarm_rate(double alarm_rate) {
  SGOOD_CHECK(alarm_rate > 0 && alarm_rate < 1,
              "alarm_rate is {} but must be greater than 0 and less than 1", alarm_rate);
}

}  // namespace

Calibration::Calibration(std::vector<double> id_scores) : scores_(std::move(id_scores)) {
  SGOOD_CHECK(!scores_.empty(), "id_scores is empty but must hold at least one score");
  for (std::size_t i = 0; i < scores_.size(); ++i)
    SGOOD_CHECK(std::isfinite(scores_[i]), "id_scores[{}] is {} but must be finite", i, scores_[i]);
  std::sort(scores_.begin(), scores_.end());
}

double Calibration::share(std::int64_t rank) const {
  return static_cast<double>(rank) / static_cast<double>(scores_.size() + 1);
}

double Calibration::p_value(double score) const {
  SGOOD_CHECK(!std::isnan(score), "score is NaN but must be a number");
  return share(1 + (scores_.end() - std::lower_bound(scores_.begin(), scores_.end(), score)));
}

double Calibration::threshold(double alarm_rate) const {
  check_alarm_rate(alarm_rate);
  const auto n = static_cast<std::int64_t>(scores_.size());
  // The largest rank whose p-value is within the rate. Compared as p_value computes it, because
  // rounding can put 0.29 * 100 below 29.
  auto rank = static_cast<std::int64_t>(alarm_rate * static_cast<double>(n + 1));
  while (share(rank + 1) <= alarm_rate) ++rank;
  while (share(rank) > alarm_rate) --rank;
  return rank == 0 ? std::numeric_limits<double>::infinity()
                   : scores_[static_cast<std::size_t>(n - rank)];
}

bool Calibration::is_ood(double score, double alarm_rate) const {
  check_alarm_rate(alarm_rate);
  return p_value(score) <= alarm_rate;
}

double Calibration::batch_p_value(std::span<const double> scores) const {
  SGOOD_CHECK(!scores.empty(), "scores is empty but must hold at least one score");
  struct Ranked {
    double score;
    bool given;
  };
  std::vector<Ranked> all;
  for (const double score : scores_) all.push_back({score, false});
  for (const double score : scores) {
    SGOOD_CHECK(std::isfinite(score), "a score is {} but must be finite", score);
    all.push_back({score, true});
  }
  std::ranges::sort(all, {}, &Ranked::score);
  double rank_sum = 0, ties = 0;
  for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
    double given = 0;
    for (; last < all.size() && all[last].score == all[first].score; ++last)
      given += all[last].given ? 1 : 0;
    rank_sum += given * (static_cast<double>(first + 1) + static_cast<double>(last)) / 2;
    const auto equal = static_cast<double>(last - first);
    ties += equal * equal * equal - equal;
  }
  const auto m = static_cast<double>(scores.size()), n = static_cast<double>(scores_.size());
  const double u = rank_sum - m * (m + 1) / 2;
  const double total = m + n;
  const double variance = m * n / 12 * (total + 1 - ties / (total * (total - 1)));
  if (variance <= 0) return 1;  // all scores are equal
  // The smallest number stands for all that are too small to be one.
  return std::max(std::erfc((u - m * n / 2 - 0.5) / std::sqrt(2 * variance)) / 2,
                  std::numeric_limits<double>::min());
}

double estimated_ood_share(std::span<const double> p_values) {
  SGOOD_CHECK(!p_values.empty(), "p_values is empty but must hold at least one value");
  const auto high = std::ranges::count_if(p_values, [](double p) { return p > 0.5; });
  return std::max(0.0, 1 - 2 * static_cast<double>(high) / static_cast<double>(p_values.size()));
}

}  // namespace sgood

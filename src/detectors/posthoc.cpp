// SPDX-License-Identifier: MIT
#include "sgood/detectors/posthoc.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sgood/core/error.h"

namespace sgood {
namespace {

std::vector<double> divided(std::span<const double> values, double divisor) {
  std::vector<double> result(values.begin(), values.end());
  for (double& value : result) value /= divisor;
  return result;
}

/// log of sum_c exp(f_c - max f), in [0, log num_classes].
double log_sum_above_largest(std::span<const double> logits) {
  const auto largest = std::max_element(logits.begin(), logits.end());
  double others = 0;
  for (auto logit = logits.begin(); logit != logits.end(); ++logit)
    if (logit != largest) others += std::exp(*logit - *largest);
  // The largest itself adds exactly 1, beside which small terms would be lost.
  return std::log1p(others);
}

}  // namespace

double log_sum_exp(std::span<const double> logits) {
  return *std::max_element(logits.begin(), logits.end()) + log_sum_above_largest(logits);
}

double max_softmax_score(std::span<const double> logits, double temperature) {
  return log_sum_above_largest(divided(logits, temperature));
}

double energy_score(std::span<const double> logits, double temperature) {
  return -temperature * log_sum_exp(divided(logits, temperature));
}

ClassGuess guess_class(std::span<const double> logits) {
  const auto best = std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit - *best);
  return {static_cast<std::int32_t>(best - logits.begin()), 1.0 / sum};
}

double nearest_mean(std::vector<double>& distances, int k) {
  SGOOD_ASSERT(!distances.empty() && k >= 1);
  const auto nearest = std::min<std::ptrdiff_t>(k, std::ssize(distances));
  const auto end = distances.begin() + nearest;
  std::partial_sort(distances.begin(), end, distances.end());
  return std::accumulate(distances.begin(), end, 0.0) / static_cast<double>(nearest);
}

void normalize_length(std::span<double> values) {
  const double norm =
      std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
  if (norm > 0)
    for (double& value : values) value /= norm;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sgood {

// Post-hoc scores of one graph (or one row of an array), higher = more OOD. Logits f [num_classes],
// at least one; T > 0. All are computed in double and overflow for no finite logits.

/// log of sum_c exp(f_c).
double log_sum_exp(std::span<const double> logits);

/// -log of the largest softmax probability of f / T, in [0, log num_classes].
/// Deviation: MSP is -max p; this grows with it, and does not round to 1 for confident networks.
/// Reference: Hendrycks and Gimpel, 2017.
double max_softmax_score(std::span<const double> logits, double temperature = 1);

/// -T log sum_c exp(f_c / T). Reference: Liu et al., 2020.
double energy_score(std::span<const double> logits, double temperature = 1);

/// The most probable class (the first of equals) and its softmax probability, in (0, 1].
struct ClassGuess {
  std::int32_t predicted = 0;
  double probability = 1;
};
ClassGuess guess_class(std::span<const double> logits);

/// Mean of the `k` >= 1 smallest of `distances` (of all when they are fewer), which it reorders.
double nearest_mean(std::vector<double>& distances, int k);

/// `values` scaled to Euclidean length 1; zeros, which have no direction, stay as they are.
void normalize_length(std::span<double> values);

}  // namespace sgood

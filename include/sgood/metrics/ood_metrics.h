// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "sgood/core/rng.h"

namespace sgood {

/// How well scores separate OOD graphs from ID graphs; every share is a fraction in [0, 1]. Equal
/// scores are one threshold step, and count 1/2 in AUROC.
struct OodMetrics {
  double auroc = 0;     ///< P(OOD score > ID score) + P(equal) / 2.
  double aupr = 0;      ///< Average precision, OOD positive.
  double fpr95 = 0;     ///< Share of ID flagged at the first threshold catching >= 95 % of OOD.
  double aupr_id = 0;   ///< Average precision, ID positive.
  double fpr95_id = 0;  ///< Share of OOD accepted at the first threshold accepting >= 95 % of ID.
  std::int64_t num_id = 0;   ///< >= 1
  std::int64_t num_ood = 0;  ///< >= 1
  double auroc_error = 0;    ///< DeLong standard error of `auroc`.
  double auroc_low = 0;      ///< Lower end of the 95 % interval, clipped to [0, 1].
  double auroc_high = 0;     ///< Upper end.
};

/// All metrics of one evaluation, in O(n log n); a higher score means more OOD. Throws
/// InvalidArgument when a side is empty or a score is not finite.
/// DeLong's error is 0 at perfect separation, however few the graphs; a side of one graph, whose
/// variance cannot be estimated, counts with 1/4, the largest variance within [0, 1].
/// Reference: DeLong, DeLong and Clarke-Pearson, 1988.
OodMetrics ood_metrics(std::span<const double> id_scores, std::span<const double> ood_scores);

/// Share of positions where both agree. Both `[n]`, n >= 1, else InvalidArgument.
double accuracy(std::span<const std::int32_t> predicted, std::span<const std::int32_t> truth);

/// A quantity over seeds.
struct Summary {
  double mean = 0;
  double std = 0;  ///< Sample standard deviation (divided by n - 1); 0 when n is 1.
  int n = 0;       ///< Number of values, >= 1.
};

/// Mean and deviation of `values` `[n]`, n >= 1, all finite, else InvalidArgument.
Summary summarize(std::span<const double> values);

/// Both ends belong to it.
struct Interval {
  double low = 0;
  double high = 0;
};

/// Percentile bootstrap interval of the mean of `values` `[n]`, n >= 1, all finite. `level` in
/// (0, 1), `resamples` >= 1. With a handful of values it is narrower than its level says.
Interval bootstrap_mean_interval(std::span<const double> values, Rng& rng, double level = 0.95,
                                 int resamples = 10000);

}  // namespace sgood

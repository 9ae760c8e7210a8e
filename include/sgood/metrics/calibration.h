// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sgood {

/// Turns scores into p-values and decisions with a stated false-alarm rate, from the scores of ID
/// graphs that the detector was not fitted on. The guarantee is finite-sample and needs only that
/// calibration and new ID scores are exchangeable; it is an average over calibration sets. For
/// leave-one-out scores of training graphs it is an approximation, to be checked on ID graphs.
/// Reference: Vovk, Gammerman and Shafer, 2005 (split conformal prediction).
class Calibration {
 public:
  /// `id_scores` `[n]` in any order, n >= 1, all finite, else InvalidArgument.
  explicit Calibration(std::vector<double> id_scores);

  /// (1 + #{calibration score >= score}) / (n + 1), in (0, 1]; NaN throws InvalidArgument.
  double p_value(double score) const;

  /// The k-th smallest calibration score, k = ceil((1 - alarm_rate)(n + 1)); +infinity when
  /// alarm_rate < 1 / (n + 1), where no threshold keeps the promise. A new ID score exceeds it with
  /// probability <= alarm_rate. `alarm_rate` in (0, 1), else InvalidArgument.
  double threshold(double alarm_rate) const;

  /// Whether p_value(score) <= alarm_rate, which is the same as score > threshold(alarm_rate).
  bool is_ood(double score, double alarm_rate) const;

  /// One p-value, in (0, 1], for the hypothesis that all of `scores` (at least one, finite) belong
  /// to graphs in distribution: Wilcoxon's rank-sum test against the calibration scores, against
  /// the alternative that `scores` are higher, by the normal approximation with corrections for
  /// ties and continuity. It allows for the calibration scores being a sample too, which combining
  /// the graphs' own p-values would not.
  double batch_p_value(std::span<const double> scores) const;

  /// 1 / (n + 1): below this rate nothing is ever flagged.
  double smallest_alarm_rate() const { return share(1); }

  /// Calibration scores `[n]`, ascending: all there is to store.
  const std::vector<double>& scores() const { return scores_; }

 private:
  double share(std::int64_t rank) const;

  std::vector<double> scores_;
};

/// Share of OOD graphs, in [0, 1], among graphs with these p-values `[n]`, n >= 1, else
/// InvalidArgument: half of the ID graphs have one above 1/2, and OOD graphs hardly any. OOD graphs
/// that look like ID graphs are not counted. Its standard error is about sqrt((1 - share^2) / n).
/// Reference: Storey, A direct approach to false discovery rates, 2002 (1 - pi0, lambda = 1/2).
double estimated_ood_share(std::span<const double> p_values);

}  // namespace sgood

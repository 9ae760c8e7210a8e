// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sgood/core/matrix.h"

namespace sgood {

/// How the distances to the classes become one score.
enum class MahalanobisAggregation {
  kClosest,   ///< The smallest. Deviation: the paper prints max, the work it builds on has min.
  kFarthest,  ///< The largest, as the formula is printed in the paper.
  kMean,      ///< The average.
};

/// How the covariance S `[p, p]` is made invertible; I is the identity.
enum class CovarianceEstimate {
  kLedoitWolf,      ///< (1 - a) S + a tr(S)/p I, with the a of Ledoit and Wolf (2004).
  kFixedShrinkage,  ///< The same with a = `shrinkage`.
  kPseudoInverse,   ///< Drops directions with an eigenvalue up to 10 p eps times the largest.
};

struct MahalanobisOptions {
  MahalanobisAggregation aggregation = MahalanobisAggregation::kClosest;
  CovarianceEstimate covariance = CovarianceEstimate::kLedoitWolf;
  double shrinkage = 1e-3;  ///< In [0, 1]; used by kFixedShrinkage.
  /// Subtracts the distance under one Gaussian without classes (mean and covariance of all rows,
  /// regularised alike), so a score may be negative. Reference: Ren et al., 2021.
  bool relative = false;
};

/// All that a fitted MahalanobisScore knows, for storing. With d = z - centre,
/// distance to class c: |whitening^T d - means[c]|^2; class-free distance: |background^T d|^2.
struct MahalanobisState {
  MahalanobisAggregation aggregation = MahalanobisAggregation::kClosest;
  std::vector<std::int32_t> classes;  ///< `[num_fitted]`, the classes that had rows, ascending.
  std::vector<double> centre;         ///< `[p]`, mean of all rows.
  Matrix whitening;                   ///< `[p, q]`, 0 <= q <= p.
  Matrix means;                       ///< `[num_fitted, q]`, whitened class means.
  Matrix background;                  ///< `[p, q']`; 0 by 0 unless relative.
};

/// Squared Mahalanobis distance of a representation to class means under one shared covariance,
/// S = (1/N) sum over rows of (z - mean of its class)(z - mean of its class)^T.
/// Eigenvalues below 10 p eps times the largest are raised to it under shrinkage, so distances stay
/// finite when S is singular. A covariance no larger than the rounding error of z counts as zero,
/// and then the distance is the squared Euclidean one.
/// Paper: OOD score; methods of Lee et al., 2018.
class MahalanobisScore {
 public:
  /// Fits to `z` `[n, p]`, n and p >= 1, all finite, with `classes` `[n]` in [0, num_classes), else
  /// InvalidArgument. A class without rows is left out; a class of one row has a mean but adds no
  /// scatter. O(n p^2 + p^3).
  MahalanobisScore(const Matrix& z, std::span<const std::int32_t> classes, std::int32_t num_classes,
                   const MahalanobisOptions& options = {});

  /// Takes up a stored state; InvalidArgument when shapes disagree or a number is not finite.
  explicit MahalanobisScore(MahalanobisState state);

  /// Score of one representation `[p]`, higher = more OOD: a function of `z` alone, to the last
  /// bit. InvalidArgument on a wrong width, and when `z` or the score is not finite.
  double score(std::span<const double> z) const;

  /// Squared distances `[num_fitted]` to the classes of `state().classes`, possibly +infinity when
  /// `z` is huge. InvalidArgument on a wrong width or when `z` is not finite.
  std::vector<double> distances(std::span<const double> z) const;

  /// whitening^T (z - centre), in which plain distances are Mahalanobis distances. InvalidArgument
  /// as score().
  std::vector<double> whitened(std::span<const double> z) const;

  const MahalanobisState& state() const { return state_; }

 private:
  std::vector<double> centred(std::span<const double> z) const;
  std::vector<double> class_distances(std::span<const double> centred_z) const;

  MahalanobisState state_;
};

}  // namespace sgood

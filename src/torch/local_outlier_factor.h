// SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Tensor.h>

namespace sgood {

/// How much thinner points lie around a row than around its nearest points: above 1 outside. For
/// rows that are not among the points. Reference: Breunig, Kriegel, Ng and Sander, 2000.
struct LocalOutlierFactor {
  at::Tensor point;    ///< [n, width]
  at::Tensor reach;    ///< [n] distance of each point to its k-th nearest
  at::Tensor density;  ///< [n] 1 / mean reachability distance of its k nearest points

  /// Of at least two points; k is 5, or one less than there are points.
  static LocalOutlierFactor fit(const at::Tensor& points);
  /// [num_rows], each by itself.
  at::Tensor score(const at::Tensor& rows) const;
};

}  // namespace sgood

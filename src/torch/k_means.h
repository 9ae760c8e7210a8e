// SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>

namespace sgood {

struct Clusters {
  at::Tensor centroid;  ///< [k, width]
  at::Tensor cluster;   ///< [num_points] of each point, the nearest one
  at::Tensor distance;  ///< [num_points] to its centroid
};

/// Lloyd's algorithm from `restarts` random sets of points, `iterations` rounds each; the one with
/// the smallest sum of squared distances. k is `wanted` or the number of points (at least one),
/// whichever is smaller; a cluster that loses all its points stays where it is.
Clusters k_means(const at::Tensor& points, std::int64_t wanted, int iterations, int restarts,
                 at::Generator& generator);

}  // namespace sgood

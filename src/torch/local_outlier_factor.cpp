// SPDX-License-Identifier: MIT
#include "src/torch/local_outlier_factor.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "sgood/core/error.h"

namespace sgood {
namespace {

constexpr std::int64_t kNeighbors = 5;
constexpr double kSmallestDistance = 1e-10;  // of copies, whose density has no bound otherwise

std::int64_t neighbors_among(std::int64_t points) { return std::min(kNeighbors, points - 1); }

/// The nearest of `points` to one row: their distances and places, ascending, [k]. `itself` is
/// a point that does not count, or -1.
std::pair<at::Tensor, at::Tensor> nearest(const at::Tensor& points, const at::Tensor& row,
                                          std::int64_t itself) {
  at::Tensor distance = (points - row).square().sum(1).sqrt();
  if (itself >= 0) distance[itself] = std::numeric_limits<double>::infinity();
  const auto [least, place] =
      distance.topk(neighbors_among(points.size(0)), 0, /*largest=*/false, /*sorted=*/true);
  return {least, place};
}

at::Tensor density_of(const at::Tensor& distance, const at::Tensor& reach) {
  return 1 / (at::maximum(distance, reach).mean() + kSmallestDistance);
}

}  // namespace

LocalOutlierFactor LocalOutlierFactor::fit(const at::Tensor& points) {
  const std::int64_t n = points.size(0);
  SGOOD_ASSERT(n >= 2);
  std::vector<at::Tensor> distances, places, densities;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto [distance, place] = nearest(points, points[i], i);
    distances.push_back(distance);
    places.push_back(place);
  }
  const at::Tensor distance = at::stack(distances), place = at::stack(places);
  const at::Tensor reach = distance.select(1, distance.size(1) - 1).contiguous();
  for (std::int64_t i = 0; i < n; ++i)
    densities.push_back(density_of(distance[i], reach.index_select(0, place[i])));
  return {points, reach, at::stack(densities)};
}

at::Tensor LocalOutlierFactor::score(const at::Tensor& rows) const {
  std::vector<at::Tensor> scores;
  for (std::int64_t r = 0; r < rows.size(0); ++r) {
    const auto [distance, place] = nearest(point, rows[r], -1);
    const at::Tensor own = density_of(distance, reach.index_select(0, place));
    scores.push_back(density.index_select(0, place).mean() / own);
  }
  return scores.empty() ? at::zeros({0}, rows.options()) : at::stack(scores);
}

}  // namespace sgood

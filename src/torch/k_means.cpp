// SPDX-License-Identifier: MIT
#include "src/torch/k_means.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

#include "src/torch/graph_tensors.h"

namespace sgood {
namespace {

void assign(const at::Tensor& points, Clusters& clusters) {
  std::tie(clusters.distance, clusters.cluster) = at::cdist(points, clusters.centroid).min(1);
}

void move_centroids(const at::Tensor& points, Clusters& clusters) {
  const std::int64_t k = clusters.centroid.size(0);
  const at::Tensor empty = at::bincount(clusters.cluster, {}, k).eq(0).unsqueeze(1);
  clusters.centroid = at::where(empty, clusters.centroid, mean_rows(points, clusters.cluster, k));
}

}  // namespace

Clusters k_means(const at::Tensor& points, std::int64_t wanted, int iterations, int restarts,
                 at::Generator& generator) {
  const std::int64_t k = std::min(wanted, points.size(0));
  Clusters best;
  double smallest = std::numeric_limits<double>::infinity();
  for (int r = 0; r < restarts; ++r) {
    const at::Tensor start = at::randperm(points.size(0), generator, at::kLong).narrow(0, 0, k);
    Clusters clusters;
    clusters.centroid = points.index_select(0, start.to(points.device()));
    assign(points, clusters);
    for (int i = 0; i < iterations; ++i) {
      move_centroids(points, clusters);
      assign(points, clusters);
    }
    const double sum = clusters.distance.square().sum().item<double>();
    if (best.centroid.defined() && sum >= smallest) continue;
    smallest = sum;
    best = clusters;
  }
  return best;
}

}  // namespace sgood

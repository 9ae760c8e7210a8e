// SPDX-License-Identifier: MIT
#include "src/torch/random_walk.h"

#include <algorithm>
#include <cstddef>

namespace sgood {

std::vector<float> walk_return_probabilities(const PackedGraph& graph, int steps) {
  const auto n = static_cast<std::size_t>(graph.num_nodes());
  std::vector<double> share(n), here(n), next(n);
  for (std::size_t v = 0; v < n; ++v) {
    const auto degree = graph.row_ptr[v + 1] - graph.row_ptr[v];
    share[v] = degree == 0 ? 0 : 1.0 / degree;
  }
  std::vector<float> result;
  result.reserve(n * static_cast<std::size_t>(steps));
  for (std::size_t start = 0; start < n; ++start) {
    std::fill(here.begin(), here.end(), 0);
    here[start] = 1;
    for (int k = 0; k < steps; ++k) {
      for (std::size_t v = 0; v < n; ++v) here[v] *= share[v];
      for (std::size_t v = 0; v < n; ++v) {
        double sum = 0;
        for (auto e = graph.row_ptr[v]; e < graph.row_ptr[v + 1]; ++e)
          sum += here[static_cast<std::size_t>(graph.col[static_cast<std::size_t>(e)])];
        next[v] = sum;
      }
      here.swap(next);
      result.push_back(static_cast<float>(here[start]));
    }
  }
  return result;
}

}  // namespace sgood

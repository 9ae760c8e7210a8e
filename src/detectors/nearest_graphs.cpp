// SPDX-License-Identifier: MIT
#include "nearest_graphs.h"

#include <algorithm>
#include <numeric>

namespace sgood {

std::vector<NearGraph> nearest_graphs(const std::vector<double>& distances,
                                      const std::vector<std::string>& ids, int count) {
  std::vector<std::int32_t> order(distances.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](std::int32_t g) { return distances[static_cast<std::size_t>(g)]; };
  const auto end = order.begin() + std::min<std::ptrdiff_t>(count, std::ssize(order));
  std::partial_sort(order.begin(), end, order.end(), [&](std::int32_t a, std::int32_t b) {
    return at(a) != at(b) ? at(a) < at(b) : a < b;
  });
  std::vector<NearGraph> nearest;
  for (auto g = order.begin(); g != end; ++g)
    nearest.push_back({*g, ids[static_cast<std::size_t>(*g)], at(*g)});
  return nearest;
}

}  // namespace sgood

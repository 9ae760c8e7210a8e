// SPDX-License-Identifier: MIT
#include "sgood/substructure/label_propagation.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace sgood {
namespace {

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

std::vector<std::int32_t> numbered(std::int32_t count) {
  std::vector<std::int32_t> numbers(idx(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// The nodes by colour: largest degree first, each takes the smallest colour free among its
/// neighbours.
std::vector<std::int32_t> by_greedy_colour(const Graph& graph) {
  std::vector<std::int32_t> order = numbered(graph.num_nodes());
  std::ranges::stable_sort(order, std::greater(), [&](std::int32_t v) { return graph.degree(v); });
  std::vector<std::int32_t> colour(order.size(), -1);
  std::vector<std::int32_t> used_by(order.size(), -1);  // last node that saw a colour next to it
  for (const std::int32_t v : order) {
    for (const std::int32_t u : graph.neighbors(v))
      if (colour[idx(u)] >= 0) used_by[idx(colour[idx(u)])] = v;
    std::int32_t smallest = 0;
    while (used_by[idx(smallest)] == v) ++smallest;
    colour[idx(v)] = smallest;
  }
  std::ranges::stable_sort(order, {}, [&](std::int32_t v) { return colour[idx(v)]; });
  return order;
}

/// The labels of all nodes while they spread.
class Labels {
 public:
  explicit Labels(const Graph& graph)
      : graph_(graph), label_(numbered(graph.num_nodes())), count_(label_.size(), 0) {}

  /// Gives `v` its neighbours' label.
  void update(std::int32_t v) { label_[idx(v)] = favourite(v); }
  /// True when no update would change a label.
  bool stable() {
    for (std::int32_t v = 0; v < graph_.num_nodes(); ++v)
      if (favourite(v) != label_[idx(v)]) return false;
    return true;
  }
  const std::vector<std::int32_t>& values() const { return label_; }

 private:
  /// The most frequent label around `v`; its own before any other, then the largest.
  std::int32_t favourite(std::int32_t v) {
    const std::int32_t own = label_[idx(v)];
    const auto around = graph_.neighbors(v);
    for (const std::int32_t u : around) ++count_[idx(label_[idx(u)])];
    std::int32_t best = own;
    for (const std::int32_t u : around) {
      const std::int32_t label = label_[idx(u)];
      const std::int32_t more = count_[idx(label)] - count_[idx(best)];
      if (more > 0 || (more == 0 && best != own && label > best)) best = label;
    }
    for (const std::int32_t u : around) count_[idx(label_[idx(u)])] = 0;
    return best;
  }

  const Graph& graph_;
  std::vector<std::int32_t> label_;
  std::vector<std::int32_t> count_;  // by label; all 0 between calls
};

}  // namespace

Partition LabelPropagationPartitioner::partition(const Graph& graph) const {
  const std::vector<std::int32_t> order = by_greedy_colour(graph);
  Labels labels(graph);
  while (!labels.stable())
    for (const std::int32_t v : order) labels.update(v);
  return connected_parts(graph, labels.values());
}

}  // namespace sgood

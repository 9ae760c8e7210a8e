// SPDX-License-Identifier: MIT
#include "sgood/substructure/modularity.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "modularity_merging.h"
#include "sgood/core/error.h"

namespace sgood {
namespace {

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// The blocks numbered by their first nodes.
Partition number_blocks(const std::vector<std::int32_t>& name) {
  std::vector<std::int32_t> number(name.size(), -1);
  std::vector<std::int32_t> block(name.size());
  std::int32_t num_blocks = 0;
  for (std::size_t v = 0; v < name.size(); ++v) {
    std::int32_t& k = number[idx(name[v])];
    if (k < 0) k = num_blocks++;
    block[v] = k;
  }
  return Partition(std::move(block));
}

}  // namespace

double modularity(const Graph& graph, const Partition& partition) {
  SGOOD_CHECK(partition.num_nodes() == graph.num_nodes(),
              "partition covers {} nodes but the graph has {}", partition.num_nodes(),
              graph.num_nodes());
  if (graph.num_edges() == 0) return 0.0;
  std::vector<double> twice_inside(idx(partition.num_blocks()));
  std::vector<double> degree_sum(idx(partition.num_blocks()));
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
    const std::int32_t block = partition.block(v);
    degree_sum[idx(block)] += graph.degree(v);
    for (const std::int32_t u : graph.neighbors(v))
      if (partition.block(u) == block) ++twice_inside[idx(block)];
  }
  const double two_m = 2.0 * graph.num_edges();
  double total = 0;
  for (std::size_t b = 0; b < degree_sum.size(); ++b) {
    const double share = degree_sum[b] / two_m;
    total += twice_inside[b] / two_m - share * share;
  }
  return total;
}

std::string ModularityPartitioner::name() const {
  return arithmetic_ == Arithmetic::kExact ? "modularity" : "modularity-networkx";
}

Partition ModularityPartitioner::partition(const Graph& graph) const {
  if (graph.num_edges() == 0) return Partition::singletons(graph.num_nodes());
  const bool dense = arithmetic_ == Arithmetic::kExact && graph.num_nodes() <= kMaxDenseNodes;
  return number_blocks(dense ? merge_dense(graph) : merge_sparse(graph, arithmetic_));
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/graph/partition.h"

#include <algorithm>
#include <numeric>

#include "sgood/core/error.h"

namespace sgood {

Partition::Partition(std::vector<std::int32_t> block) : block_(std::move(block)) {
  for (const std::int32_t b : block_) {
    SGOOD_CHECK(b >= 0 && static_cast<std::size_t>(b) < block_.size(), "block {} is not in [0, {})",
                b, block_.size());
    num_blocks_ = std::max(num_blocks_, b + 1);
  }
  std::vector<char> used(static_cast<std::size_t>(num_blocks_), 0);
  for (const std::int32_t b : block_) used[static_cast<std::size_t>(b)] = 1;
  const auto gap = std::find(used.begin(), used.end(), 0);
  SGOOD_CHECK(gap == used.end(), "block {} is empty but block {} is not", gap - used.begin(),
              num_blocks_ - 1);
}

std::vector<std::vector<std::int32_t>> Partition::members() const {
  std::vector<std::vector<std::int32_t>> lists(static_cast<std::size_t>(num_blocks_));
  for (std::int32_t v = 0; v < num_nodes(); ++v)
    lists[static_cast<std::size_t>(block(v))].push_back(v);
  return lists;
}

Partition Partition::singletons(std::int32_t num_nodes) {
  std::vector<std::int32_t> block(static_cast<std::size_t>(num_nodes));
  std::iota(block.begin(), block.end(), 0);
  return Partition(std::move(block));
}

bool blocks_connected(const Graph& graph, const Partition& partition) {
  SGOOD_CHECK(graph.num_nodes() == partition.num_nodes(),
              "the partition has {} nodes but the graph has {}", partition.num_nodes(),
              graph.num_nodes());
  std::vector<char> block_seen(static_cast<std::size_t>(partition.num_blocks()), 0);
  std::vector<char> node_seen(static_cast<std::size_t>(graph.num_nodes()), 0);
  std::vector<std::int32_t> stack;
  for (std::int32_t start = 0; start < graph.num_nodes(); ++start) {
    if (node_seen[static_cast<std::size_t>(start)]) continue;
    // A second unreached start in the same block means that the block falls apart.
    const auto block = static_cast<std::size_t>(partition.block(start));
    if (block_seen[block]) return false;
    block_seen[block] = 1;
    node_seen[static_cast<std::size_t>(start)] = 1;
    stack.push_back(start);
    while (!stack.empty()) {
      const std::int32_t v = stack.back();
      stack.pop_back();
      for (const std::int32_t u : graph.neighbors(v))
        if (partition.block(u) == partition.block(v) && !node_seen[static_cast<std::size_t>(u)]) {
          node_seen[static_cast<std::size_t>(u)] = 1;
          stack.push_back(u);
        }
    }
  }
  return true;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/graph/partition.h"

#include <algorithm>
#include <numeric>
#include <utility>

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

Partition connected_parts(const Graph& graph, std::span<const std::int32_t> group) {
  SGOOD_CHECK(group.size() == static_cast<std::size_t>(graph.num_nodes()),
              "group has {} values but the graph has {} nodes", group.size(), graph.num_nodes());
  std::vector<std::int32_t> part(group.size(), -1);
  std::vector<std::int32_t> stack;
  std::int32_t num_parts = 0;
  const auto reach = [&](std::int32_t v) {
    part[static_cast<std::size_t>(v)] = num_parts;
    stack.push_back(v);
  };
  const auto unreached = [&](std::int32_t v) { return part[static_cast<std::size_t>(v)] < 0; };
  const auto group_of = [&](std::int32_t v) { return group[static_cast<std::size_t>(v)]; };
  for (std::int32_t start = 0; start < graph.num_nodes(); ++start) {
    if (!unreached(start)) continue;
    reach(start);
    while (!stack.empty()) {
      const std::int32_t v = stack.back();
      stack.pop_back();
      for (const std::int32_t u : graph.neighbors(v))
        if (unreached(u) && group_of(u) == group_of(v)) reach(u);
    }
    ++num_parts;
  }
  return Partition(std::move(part));
}

bool blocks_connected(const Graph& graph, const Partition& partition) {
  SGOOD_CHECK(graph.num_nodes() == partition.num_nodes(),
              "the partition has {} nodes but the graph has {}", partition.num_nodes(),
              graph.num_nodes());
  return connected_parts(graph, partition.blocks()).num_blocks() == partition.num_blocks();
}

}  // namespace sgood

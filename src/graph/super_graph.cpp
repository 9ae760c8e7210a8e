// SPDX-License-Identifier: MIT
#include "sgood/graph/super_graph.h"

#include <algorithm>

#include "sgood/core/error.h"

namespace sgood {

SuperGraph::SuperGraph(const Graph& graph, const Partition& partition) {
  SGOOD_CHECK(graph.num_nodes() == partition.num_nodes(),
              "the partition has {} nodes but the graph has {}", partition.num_nodes(),
              graph.num_nodes());
  std::vector<std::vector<std::int32_t>> lists(static_cast<std::size_t>(partition.num_blocks()));
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
    for (const std::int32_t u : graph.neighbors(v))
      if (partition.block(u) != partition.block(v))
        lists[static_cast<std::size_t>(partition.block(v))].push_back(partition.block(u));
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    col.insert(col.end(), list.begin(), list.end());
    row_ptr.push_back(static_cast<std::int32_t>(col.size()));
  }
}

}  // namespace sgood

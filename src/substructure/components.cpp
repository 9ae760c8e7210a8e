// SPDX-License-Identifier: MIT
#include "sgood/substructure/components.h"

#include <cstdint>
#include <vector>

namespace sgood {

Partition ComponentsPartitioner::partition(const Graph& graph) const {
  const std::vector<std::int32_t> same(static_cast<std::size_t>(graph.num_nodes()), 0);
  return connected_parts(graph, same);
}

}  // namespace sgood

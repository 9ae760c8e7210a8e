// SPDX-License-Identifier: MIT
#include "sgood/substructure/components.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sgood {

Partition ComponentsPartitioner::partition(const Graph& graph) const {
  std::vector<std::int32_t> block(static_cast<std::size_t>(graph.num_nodes()), -1);
  std::vector<std::int32_t> stack;
  std::int32_t num_blocks = 0;
  for (std::int32_t start = 0; start < graph.num_nodes(); ++start) {
    if (block[static_cast<std::size_t>(start)] >= 0) continue;
    block[static_cast<std::size_t>(start)] = num_blocks;
    stack.push_back(start);
    while (!stack.empty()) {
      const std::int32_t v = stack.back();
      stack.pop_back();
      for (const std::int32_t u : graph.neighbors(v)) {
        if (block[static_cast<std::size_t>(u)] >= 0) continue;
        block[static_cast<std::size_t>(u)] = num_blocks;
        stack.push_back(u);
      }
    }
    ++num_blocks;
  }
  return Partition(std::move(block));
}

}  // namespace sgood

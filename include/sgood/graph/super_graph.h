// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sgood/graph/graph.h"
#include "sgood/graph/partition.h"

namespace sgood {

/// The quotient of a graph by a partition: one super node per block; two different blocks are
/// adjacent when some edge joins them. Paper: Definition 1.
/// The paper's self-loops are not stored: every super node has one, so PackedBatch adds them
/// (`super_self_loops`) and degrees here need no correction.
struct SuperGraph {
  std::vector<std::int32_t> row_ptr = {0};  ///< [num_blocks + 1]
  std::vector<std::int32_t> col;            ///< Neighbouring blocks, ascending; both directions.

  SuperGraph() = default;
  SuperGraph(const Graph& graph, const Partition& partition);

  std::int32_t num_blocks() const { return static_cast<std::int32_t>(row_ptr.size()) - 1; }
  /// Neighbouring blocks, without the block itself.
  std::int32_t degree(std::int32_t block) const {
    return row_ptr[static_cast<std::size_t>(block) + 1] - row_ptr[static_cast<std::size_t>(block)];
  }
  std::span<const std::int32_t> neighbors(std::int32_t block) const {
    return {col.data() + row_ptr[static_cast<std::size_t>(block)],
            static_cast<std::size_t>(degree(block))};
  }
};

}  // namespace sgood

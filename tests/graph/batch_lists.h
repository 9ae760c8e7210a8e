// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sgood/graph/packed_graph.h"

// What the lists of a batch mean, whatever their form.
namespace sgood {

using NeighborTable = std::vector<std::vector<std::int32_t>>;

inline NeighborTable all_neighbors(const PackedBatch& batch) {
  NeighborTable table;
  for (std::int32_t v = 0; v < batch.num_nodes; ++v) table.push_back(batch.neighbors(v));
  return table;
}

inline NeighborTable all_super_neighbors(const PackedBatch& batch) {
  NeighborTable table;
  for (std::int32_t b = 0; b < batch.num_blocks; ++b) table.push_back(batch.super_neighbors(b));
  return table;
}

}  // namespace sgood

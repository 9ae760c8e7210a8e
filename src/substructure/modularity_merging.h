// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sgood/graph/graph.h"
#include "sgood/substructure/modularity.h"

namespace sgood {

/// Most nodes that merge_dense() takes.
inline constexpr std::int32_t kMaxDenseNodes = 64;

// The merges of ModularityPartitioner on a graph with edges, in two ways with equal results. Both
// return the name of every node's block, [num_nodes]: its largest node.

/// With exact gains on a matrix of all pairs, in O(n^3) steps without branches: the quickest on
/// small graphs.
std::vector<std::int32_t> merge_dense(const Graph& graph);

/// With lists of adjacent blocks, for graphs of any size.
std::vector<std::int32_t> merge_sparse(const Graph& graph,
                                       ModularityPartitioner::Arithmetic arithmetic);

}  // namespace sgood

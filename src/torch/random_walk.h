// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sgood/graph/packed_graph.h"

namespace sgood {

/// Probability that a random walk from each node, which moves to any neighbour alike, is back after
/// 1 .. `steps` steps: diagonals of (A D^-1)^k, [num_nodes, steps]. 0 for nodes without neighbours.
/// O(steps n m).
std::vector<float> walk_return_probabilities(const PackedGraph& graph, int steps);

}  // namespace sgood

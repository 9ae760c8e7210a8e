// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sgood/graph/graph.h"

namespace sgood {

/// The nodes in canonical order, [num_nodes]: entry i is the node at canonical position i. However
/// the nodes of a graph are numbered, reading it through this order gives the same adjacency, node
/// labels and node attributes; edge labels are not looked at, and -0 counts as 0.
///
/// Ordered colour refinement from labels, attributes, degrees and membership in the 2-core, in
/// O(m log n). Cells that stay shared are split by individualising a node and refining again:
/// - Nodes with equal neighbourhoods are interchangeable and are split in any order.
/// - Outside the 2-core (trees), once the core is split, cells are orbits: any node will do.
/// - Inside the core every node of the first smallest shared cell is tried, and the one whose
///   refinement has the largest trace (a hash of all splits and neighbour counts) is kept.
///
/// Limits: the last step looks one individualisation ahead and keeps any of several equal traces,
/// so the order may depend on the numbering where nodes that no automorphism exchanges have equal
/// traces and leave cells shared: strongly regular graphs that are not vertex transitive, unions of
/// different ones, CFI graphs. It is skipped where trying a cell would exceed 2^26 neighbour visits
/// a graph (candidates * (n + 2m), on top of those spent before), e.g. a random cubic graph of 6000
/// nodes; there the choice is exact only if the cell is an orbit.
std::vector<std::int32_t> canonical_order(const Graph& graph);

}  // namespace sgood

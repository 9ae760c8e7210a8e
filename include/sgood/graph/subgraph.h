// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sgood/graph/graph.h"

namespace sgood {

/// Nodes of the 2-core, ascending: what is left when nodes with fewer than two neighbours are
/// removed again and again. Rings and what links them; of a molecule about the Murcko scaffold. O(n
/// + m).
std::vector<std::int32_t> two_core(const Graph& graph);

/// The graph on `nodes` (ascending, in [0, num_nodes)) and all edges between them, node i being
/// nodes[i], with all labels, attributes and fragments. Throws InvalidArgument when `nodes` are not
/// such a list. O(n + m log m).
Graph induced_subgraph(const Graph& graph, std::span<const std::int32_t> nodes);

}  // namespace sgood

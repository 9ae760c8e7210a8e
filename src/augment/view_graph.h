// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sgood/core/rng.h"
#include "sgood/graph/batch_writer.h"

// Views that change single nodes and edges: blocks are inherited, and the super graph is derived
// anew from the edges that are left.
namespace sgood {

/// How many of `total` things a view changes: round(ratio * total), but at least 1 and at most
/// `limit` >= 1.
std::int32_t changed_count(double ratio, std::int32_t total, std::int32_t limit);

/// `count` different values of [0, population), ascending; each subset is equally likely.
/// 0 <= count <= population. Takes O(count log count) time, whatever the population.
std::vector<std::int64_t> random_subset(std::int64_t population, std::int64_t count, Rng& rng);

/// The subgraph induced by the nodes with `keep[v]` true, [num_nodes]. Blocks without nodes vanish.
PackedGraph induced_subgraph(const PackedGraph& graph, std::span<const char> keep);

/// The same nodes and blocks with other edges, each given once (either direction) and no
/// self-loops.
PackedGraph with_edges(const PackedGraph& graph, std::vector<DirectedEdge> edges);

}  // namespace sgood

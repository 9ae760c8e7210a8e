// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sgood/graph/graph.h"
#include "sgood/graph/partition.h"

namespace sgood {

/// Edges over pairs of nodes, in [0, 1]; 0 for fewer than two nodes.
double edge_density(const Graph& graph);

/// Triples of nodes that are all adjacent. O(m^1.5 log m).
std::int64_t count_triangles(const Graph& graph);

/// What graph_statistics() measures, in its order. Logarithms are natural; `log1p_x` is log(1 + x).
inline constexpr std::array<std::string_view, 11> kGraphStatistics = {
    "log_nodes",  "log1p_edges",         "mean_degree",         "max_degree",
    "std_degree", "log1p_cycle_rank",    "log1p_triangles",     "density",
    "log_pieces", "log_mean_piece_size", "connected_components"};

/// The shape of `graph` in eleven numbers, of which none depends on node numbering; `pieces` are
/// its substructures. Cycle rank is m - n + components. A graph without nodes has zeros only.
/// Throws InvalidArgument unless the partition covers the graph.
std::array<double, kGraphStatistics.size()> graph_statistics(const Graph& graph,
                                                             const Partition& pieces);

}  // namespace sgood

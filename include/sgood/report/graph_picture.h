// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>

#include "sgood/graph/graph.h"

namespace sgood {

/// Draws `graph` as an SVG through Graphviz, laid out by springs. `shades` [num_nodes] in [-1, 1]
/// colour the nodes: orange for 1, white for 0, blue for -1; edges between different `blocks`
/// [num_nodes] are dashed. A node shows its first label, if it has one. Throws Unavailable without
/// Graphviz and IoError when the file cannot be written.
void write_graph_picture(const std::filesystem::path& path, const Graph& graph,
                         std::span<const double> shades, std::span<const std::int32_t> blocks);

}  // namespace sgood

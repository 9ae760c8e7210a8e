// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "sgood/io/graph_source.h"

namespace sgood {

/// How to read JSON Lines of graphs. A key is looked for in the line's object and in its `graph`.
struct GraphLinesOptions {
  std::string label_key =
      "";                   ///< The class; empty: `y`, `label` or `class`; "none": there is none.
  std::string id_key = "";  ///< The name; empty: `id` or `name`.
  int threads = 1;          ///< Threads that parse lines, >= 1; the result does not depend on it.
};

/// Opens a file with one graph a line (JSON Lines, also .gz; "-" is standard input). Blank lines
/// are no rows. A line is an object in one of two forms:
///
/// compact    {"id": "a", "num_nodes": 3, "edges": [[0, 1], [1, 2]], "node_labels": ["C", "C",
/// "O"],
///             "x": [[0.1, 2], [0.3, 1], [0.2, 5]], "edge_labels": [1, 2], "y": "active"}
///            `edges` may also be `edge_index`, two lists of ends. Node and edge labels are whole
///            numbers or texts, one or a list of them each; `x` holds real numbers. All but `edges`
///            may be missing; `num_nodes` may be, when `node_labels` or `x` tell it.
/// node-link  as networkx.node_link_data() writes it: {"nodes": [{"id": 7, "kind": "C", "charge":
///            0.5}, ...], "links" (or "edges"): [{"source": 7, "target": 9, "bond": 1}, ...],
///            "graph": {"y": 1}}. Of the first graph with nodes, keys with whole numbers or texts
///            are labels, keys with reals (or lists of numbers) attributes; likewise for links,
///            whose reals are not used.
///
/// The first lines decide which columns there are; a later line that lacks one, and any line that
/// can't be read, is a bad row with its reason. A text in the place of a number is known by
/// text_code(). Throws IoError when the file cannot be opened and InvalidArgument unless threads >=
/// 1.
std::unique_ptr<GraphSource> open_graph_lines(const std::filesystem::path& path,
                                              const GraphLinesOptions& options = {});

/// The number by which a text label is known: a hash in [2^30, 2^31), equal in every run. Two of
/// a thousand different texts share one with probability 0.0005.
std::int32_t text_code(std::string_view text);

/// The graph as one compact line, without a line end; read back, it is the same graph. `label` is
/// the name of its class, or empty.
std::string graph_line(const Graph& graph, const std::string& label);

}  // namespace sgood

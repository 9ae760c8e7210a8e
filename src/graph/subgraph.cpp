// SPDX-License-Identifier: MIT
#include "sgood/graph/subgraph.h"

#include <algorithm>
#include <functional>

#include "sgood/core/error.h"
#include "sgood/graph/graph_builder.h"

namespace sgood {

std::vector<std::int32_t> two_core(const Graph& graph) {
  std::vector<std::int32_t> degrees, removed, kept;
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
    degrees.push_back(graph.degree(v));
    if (degrees.back() < 2) removed.push_back(v);
  }
  for (std::size_t next = 0; next < removed.size(); ++next)
    for (const std::int32_t u : graph.neighbors(removed[next]))
      if (degrees[static_cast<std::size_t>(u)]-- == 2) removed.push_back(u);
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
    if (degrees[static_cast<std::size_t>(v)] >= 2) kept.push_back(v);
  return kept;
}

Graph induced_subgraph(const Graph& graph, std::span<const std::int32_t> nodes) {
  SGOOD_CHECK(
      std::adjacent_find(nodes.begin(), nodes.end(), std::greater_equal<>()) == nodes.end() &&
          (nodes.empty() || (nodes.front() >= 0 && nodes.back() < graph.num_nodes())),
      "nodes must ascend and be in [0, {})", graph.num_nodes());
  std::vector<std::int32_t> position(static_cast<std::size_t>(graph.num_nodes()), -1);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    position[static_cast<std::size_t>(nodes[i])] = static_cast<std::int32_t>(i);

  GraphBuilder builder(static_cast<std::int32_t>(nodes.size()));
  std::vector<std::int32_t> labels;
  std::vector<float> attributes;
  std::vector<std::int32_t> fragments;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::int32_t v = nodes[i];
    std::int32_t edge = graph.row_ptr()[static_cast<std::size_t>(v)];
    for (const std::int32_t u : graph.neighbors(v)) {
      const std::int32_t end = position[static_cast<std::size_t>(u)];
      if (u > v && end >= 0)
        builder.add_edge(static_cast<std::int32_t>(i), end, graph.edge_labels(edge));
      ++edge;
    }
    labels.insert(labels.end(), graph.node_labels(v).begin(), graph.node_labels(v).end());
    attributes.insert(attributes.end(), graph.node_attributes(v).begin(),
                      graph.node_attributes(v).end());
    if (!graph.fragments().empty())
      fragments.push_back(graph.fragments()[static_cast<std::size_t>(v)]);
  }
  if (!graph.fragments().empty()) builder.set_fragments(std::move(fragments));
  return builder.set_node_labels(std::move(labels), graph.num_label_columns())
      .set_node_attributes(std::move(attributes), graph.num_attributes())
      .set_id(graph.id())
      .set_row(graph.row())
      .set_label(graph.label())
      .build();
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/graph/wl_colours.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sgood/core/error.h"
#include "sgood/core/hash.h"

namespace sgood {

namespace {

std::vector<std::uint64_t> start_colours(const Graph& graph, const WlLabels& labels) {
  std::vector<std::uint64_t> colours(static_cast<std::size_t>(graph.num_nodes()), 0);
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
    const std::span<const std::int32_t> values = graph.node_labels(v);
    std::uint64_t& colour = colours[static_cast<std::size_t>(v)];
    for (const std::int32_t c : labels.node_columns)
      colour = combine64(colour, static_cast<std::uint64_t>(values[static_cast<std::size_t>(c)]));
  }
  return colours;
}

// A sum of mixed hashes stands for the multiset: it does not depend on the neighbours' order.
std::uint64_t around(const Graph& graph, std::int32_t v, const std::vector<std::uint64_t>& colours,
                     bool edge_labels) {
  std::uint64_t sum = 0;
  std::int32_t edge = graph.row_ptr()[static_cast<std::size_t>(v)];
  for (const std::int32_t u : graph.neighbors(v)) {
    std::uint64_t colour = colours[static_cast<std::size_t>(u)];
    if (edge_labels)
      colour = combine64(colour, static_cast<std::uint64_t>(graph.edge_labels(edge++)[0]));
    sum += mix64(colour);
  }
  return sum;
}

}  // namespace

std::vector<std::vector<std::uint64_t>> wl_colours(const Graph& graph, int rounds,
                                                   std::int32_t label_columns) {
  SGOOD_CHECK(
      label_columns >= 0 && (graph.num_nodes() == 0 || label_columns <= graph.num_label_columns()),
      "label_columns is {} but graph {} has {}", label_columns, graph.id(),
      graph.num_label_columns());
  std::vector<std::int32_t> columns(static_cast<std::size_t>(label_columns));
  std::iota(columns.begin(), columns.end(), 0);
  return wl_colours(graph, rounds, WlLabels{columns});
}

std::vector<std::vector<std::uint64_t>> wl_colours(const Graph& graph, int rounds,
                                                   const WlLabels& labels) {
  SGOOD_CHECK(rounds >= 0, "rounds is {} but must not be negative", rounds);
  for (const std::int32_t c : labels.node_columns)
    SGOOD_CHECK(c >= 0 && (graph.num_nodes() == 0 || c < graph.num_label_columns()),
                "node column {} is needed but graph {} has {}", c, graph.id(),
                graph.num_label_columns());
  SGOOD_CHECK(!labels.edges || graph.num_edges() == 0 || graph.num_edge_columns() > 0,
              "edge labels are needed but graph {} has none", graph.id());
  std::vector<std::vector<std::uint64_t>> colours = {start_colours(graph, labels)};
  for (int round = 0; round < rounds; ++round) {
    const std::vector<std::uint64_t>& before = colours.back();
    std::vector<std::uint64_t> after(before.size());
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
      const auto i = static_cast<std::size_t>(v);
      after[i] = combine64(before[i], around(graph, v, before, labels.edges));
    }
    colours.push_back(std::move(after));
  }
  return colours;
}

std::vector<ColourCount> count_colours(std::vector<std::uint64_t> colours) {
  std::sort(colours.begin(), colours.end());
  std::vector<ColourCount> counts;
  for (const std::uint64_t colour : colours) {
    if (counts.empty() || counts.back().colour != colour) counts.push_back({colour, 0});
    ++counts.back().count;
  }
  return counts;
}

std::vector<ColourCount> count_colours(const std::vector<std::vector<std::uint64_t>>& colours) {
  std::vector<std::uint64_t> all;
  for (const auto& of_round : colours) all.insert(all.end(), of_round.begin(), of_round.end());
  return count_colours(std::move(all));
}

}  // namespace sgood

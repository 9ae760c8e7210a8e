// SPDX-License-Identifier: MIT
#include "sgood/graph/wl_colours.h"

#include <algorithm>

#include "sgood/core/error.h"
#include "sgood/core/hash.h"

namespace sgood {

std::vector<std::vector<std::uint64_t>> wl_colours(const Graph& graph, int rounds,
                                                   std::int32_t label_columns) {
  SGOOD_CHECK(rounds >= 0, "rounds is {} but must not be negative", rounds);
  SGOOD_CHECK(
      label_columns >= 0 && (graph.num_nodes() == 0 || label_columns <= graph.num_label_columns()),
      "label_columns is {} but graph {} has {}", label_columns, graph.id(),
      graph.num_label_columns());
  std::vector<std::vector<std::uint64_t>> colours(1);
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
    std::uint64_t colour = 0;
    for (std::int32_t c = 0; c < label_columns; ++c)
      colour = combine64(colour, static_cast<std::uint64_t>(graph.node_labels(v)[std::size_t(c)]));
    colours[0].push_back(colour);
  }
  for (int round = 0; round < rounds; ++round) {
    const std::vector<std::uint64_t>& before = colours.back();
    std::vector<std::uint64_t> after;
    after.reserve(before.size());
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
      // A sum of mixed hashes stands for the multiset: it does not depend on the neighbours' order.
      std::uint64_t around = 0;
      for (const std::int32_t u : graph.neighbors(v)) around += mix64(before[std::size_t(u)]);
      after.push_back(combine64(before[std::size_t(v)], around));
    }
    colours.push_back(std::move(after));
  }
  return colours;
}

std::vector<ColourCount> count_colours(const std::vector<std::vector<std::uint64_t>>& colours) {
  std::vector<std::uint64_t> all;
  for (const auto& of_round : colours) all.insert(all.end(), of_round.begin(), of_round.end());
  std::sort(all.begin(), all.end());
  std::vector<ColourCount> counts;
  for (const std::uint64_t colour : all) {
    if (counts.empty() || counts.back().colour != colour) counts.push_back({colour, 0});
    ++counts.back().count;
  }
  return counts;
}

}  // namespace sgood

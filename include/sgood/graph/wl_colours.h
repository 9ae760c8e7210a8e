// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "sgood/graph/graph.h"

namespace sgood {

/// Weisfeiler-Lehman colours of the nodes after 0, 1, ..., `rounds` rounds,
/// [rounds + 1][num_nodes]. A node starts with the values of its first `label_columns` categorical
/// columns; a round joins its colour with the multiset of its neighbours' colours. Colours are
/// 64-bit hashes, comparable between any graphs and runs (model files hold them, so they must stay
/// what they are); two neighbourhoods share one by accident with probability 2^-64. O(rounds (n +
/// m)). Throws InvalidArgument unless rounds >= 0 and label_columns is in [0,
/// graph.num_label_columns()].
/// Reference: Shervashidze, Schweitzer, van Leeuwen, Mehlhorn and Borgwardt, 2011.
std::vector<std::vector<std::uint64_t>> wl_colours(const Graph& graph, int rounds,
                                                   std::int32_t label_columns);

/// What a colouring reads besides the edges.
struct WlLabels {
  std::span<const std::int32_t> node_columns;  ///< Start the colours, in this order.
  bool edges = false;  ///< A neighbour's colour counts together with the first label of its edge.
};

/// The same with any choice of categorical columns and with edge labels. Throws InvalidArgument
/// when a graph with nodes lacks one of the columns, or one with edges has no edge labels.
std::vector<std::vector<std::uint64_t>> wl_colours(const Graph& graph, int rounds,
                                                   const WlLabels& labels);

/// How many nodes have a colour.
struct ColourCount {
  std::uint64_t colour = 0;
  std::int32_t count = 0;  ///< At least 1.

  auto operator<=>(const ColourCount&) const = default;
};

/// The multiset of `colours`, ascending by colour.
std::vector<ColourCount> count_colours(std::vector<std::uint64_t> colours);

/// The subtree features of a graph: every colour of every round with its count, ascending by
/// colour. Colours of different rounds are different.
std::vector<ColourCount> count_colours(const std::vector<std::vector<std::uint64_t>>& colours);

}  // namespace sgood

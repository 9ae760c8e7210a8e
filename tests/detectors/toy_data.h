// SPDX-License-Identifier: MIT
#pragma once

#include <numeric>
#include <vector>

#include "sgood/core/rng.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/graph/graph_set.h"

namespace sgood::testing {

/// A chain of `pieces` rings with `ring` nodes each, one node label (0 or 1) per node.
inline Graph ring_chain(int pieces, int ring, std::int32_t label_of_nodes, Rng& rng) {
  const int n = pieces * ring;
  GraphBuilder builder(n);
  for (int p = 0; p < pieces; ++p) {
    for (int i = 0; i < ring; ++i) builder.add_edge(p * ring + i, p * ring + (i + 1) % ring);
    if (p > 0) builder.add_edge((p - 1) * ring + static_cast<int>(rng.below(ring)), p * ring);
  }
  std::vector<std::int32_t> labels;
  for (int v = 0; v < n; ++v)
    labels.push_back(rng.below(10) == 0 ? 1 - label_of_nodes : label_of_nodes);
  builder.set_node_labels(std::move(labels), 1);
  return builder.build();
}

/// Two classes: chains of triangles and chains of squares. Few nodes, so that training is quick.
inline GraphSet toy_set(int count, std::uint64_t seed) {
  Rng rng(seed);
  GraphSet set;
  set.source = "toy data";
  set.class_names = {"triangles", "squares"};
  set.node_label_names = {"kind"};
  for (int i = 0; i < count; ++i) {
    const std::int32_t label = i % 2;
    const int pieces = 2 + static_cast<int>(rng.below(3));
    set.graphs.push_back(ring_chain(pieces, 3 + label, label, rng).with_label(label));
  }
  return set;
}

/// Graphs unlike those of toy_set, and larger: chains of rings with nine nodes.
inline GraphSet toy_ood(int count, std::uint64_t seed) {
  Rng rng(seed);
  GraphSet set;
  set.source = "other toy data";
  set.node_label_names = {"kind"};
  for (int i = 0; i < count; ++i)
    set.graphs.push_back(ring_chain(2, 9, static_cast<std::int32_t>(i % 2), rng));
  return set;
}

/// `set` with the nodes of every graph renumbered at random.
inline GraphSet relabelled(const GraphSet& set, std::uint64_t seed) {
  Rng rng(seed);
  GraphSet result = set;
  for (Graph& graph : result.graphs) {
    std::vector<std::int32_t> permutation(static_cast<std::size_t>(graph.num_nodes()));
    std::iota(permutation.begin(), permutation.end(), 0);
    rng.shuffle(permutation);
    graph = graph.relabelled(permutation);
  }
  return result;
}

}  // namespace sgood::testing

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sgood/core/rng.h"
#include "sgood/graph/graph.h"
#include "sgood/graph/graph_builder.h"

namespace sgood::test {

inline Graph make_graph(std::int32_t n,
                        const std::vector<std::pair<std::int32_t, std::int32_t>>& edges) {
  GraphBuilder builder(n);
  for (const auto& [u, v] : edges) builder.add_edge(u, v);
  return builder.build();
}

inline Graph path(std::int32_t n) {
  GraphBuilder builder(n);
  for (std::int32_t v = 1; v < n; ++v) builder.add_edge(v - 1, v);
  return builder.build();
}

/// Disjoint cycles of the given lengths.
inline Graph cycles(const std::vector<std::int32_t>& lengths) {
  GraphBuilder builder(std::accumulate(lengths.begin(), lengths.end(), 0));
  std::int32_t first = 0;
  for (const std::int32_t n : lengths) {
    for (std::int32_t v = 0; v < n; ++v) builder.add_edge(first + v, first + (v + 1) % n);
    first += n;
  }
  return builder.build();
}

inline Graph complete_bipartite(std::int32_t a, std::int32_t b) {
  GraphBuilder builder(a + b);
  for (std::int32_t u = 0; u < a; ++u)
    for (std::int32_t v = 0; v < b; ++v) builder.add_edge(u, a + v);
  return builder.build();
}

inline Graph star(std::int32_t leaves) { return complete_bipartite(1, leaves); }

inline Graph clique(std::int32_t n) {
  GraphBuilder builder(n);
  for (std::int32_t u = 0; u < n; ++u)
    for (std::int32_t v = 0; v < u; ++v) builder.add_edge(u, v);
  return builder.build();
}

/// Two cliques of `n` nodes and one node joined to one node of each.
inline Graph barbell(std::int32_t n) {
  GraphBuilder builder(2 * n + 1);
  for (std::int32_t u = 0; u < n; ++u)
    for (std::int32_t v = 0; v < u; ++v) builder.add_edge(u, v).add_edge(n + 1 + u, n + 1 + v);
  builder.add_edge(n - 1, n).add_edge(n, n + 1);
  return builder.build();
}

inline Graph grid(std::int32_t rows, std::int32_t cols) {
  GraphBuilder builder(rows * cols);
  for (std::int32_t r = 0; r < rows; ++r)
    for (std::int32_t c = 0; c < cols; ++c) {
      if (r > 0) builder.add_edge(r * cols + c, (r - 1) * cols + c);
      if (c > 0) builder.add_edge(r * cols + c, r * cols + c - 1);
    }
  return builder.build();
}

inline Graph hypercube(std::int32_t dimension) {
  GraphBuilder builder(1 << dimension);
  for (std::int32_t v = 0; v < 1 << dimension; ++v)
    for (std::int32_t d = 0; d < dimension; ++d)
      if ((v >> d & 1) == 0) builder.add_edge(v, v | 1 << d);
  return builder.build();
}

inline Graph petersen() {
  GraphBuilder builder(10);
  for (std::int32_t v = 0; v < 5; ++v)
    builder.add_edge(v, (v + 1) % 5).add_edge(v, v + 5).add_edge(v + 5, (v + 2) % 5 + 5);
  return builder.build();
}

/// Every edge present with probability `p`.
inline Graph random_graph(std::int32_t n, double p, Rng& rng) {
  GraphBuilder builder(n);
  for (std::int32_t u = 0; u < n; ++u)
    for (std::int32_t v = 0; v < u; ++v)
      if (rng.uniform() < p) builder.add_edge(u, v);
  return builder.build();
}

/// Every node hangs on a random earlier one.
inline Graph random_tree(std::int32_t n, Rng& rng) {
  GraphBuilder builder(n);
  for (std::int32_t v = 1; v < n; ++v)
    builder.add_edge(v, static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(v))));
  return builder.build();
}

/// A random simple graph with all degrees equal; n * degree must be even. Stubs are paired at
/// random until no loop and no double edge appears.
inline Graph random_regular(std::int32_t n, std::int32_t degree, Rng& rng) {
  std::vector<std::int32_t> stubs;
  for (std::int32_t v = 0; v < n; ++v)
    stubs.insert(stubs.end(), static_cast<std::size_t>(degree), v);
  while (true) {
    rng.shuffle(stubs);
    GraphBuilder builder(n);
    for (std::size_t i = 0; i < stubs.size(); i += 2) builder.add_edge(stubs[i], stubs[i + 1]);
    Graph graph = builder.build();
    if (builder.dropped_self_loops() == 0 && builder.merged_edges() == 0) return graph;
  }
}

/// `graph` and `other` side by side.
inline Graph disjoint_union(const Graph& graph, const Graph& other) {
  const std::int32_t n = graph.num_nodes();
  GraphBuilder builder(n + other.num_nodes());
  for (std::int32_t u = 0; u < n; ++u)
    for (const std::int32_t v : graph.neighbors(u)) builder.add_edge(u, v);
  for (std::int32_t u = 0; u < other.num_nodes(); ++u)
    for (const std::int32_t v : other.neighbors(u)) builder.add_edge(n + u, n + v);
  return builder.build();
}

/// The graph with random categorical labels in [0, count).
inline Graph with_random_labels(const Graph& graph, std::int32_t count, Rng& rng) {
  GraphBuilder builder(graph.num_nodes());
  std::vector<std::int32_t> labels;
  for (std::int32_t u = 0; u < graph.num_nodes(); ++u) {
    for (const std::int32_t v : graph.neighbors(u)) builder.add_edge(u, v);
    labels.push_back(static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(count))));
  }
  builder.set_node_labels(std::move(labels), 1);
  return builder.build();
}

/// The graph without its features, with random fragments in [0, count).
inline Graph with_random_fragments(const Graph& graph, std::int32_t count, Rng& rng) {
  GraphBuilder builder(graph.num_nodes());
  std::vector<std::int32_t> fragments;
  for (std::int32_t u = 0; u < graph.num_nodes(); ++u) {
    for (const std::int32_t v : graph.neighbors(u)) builder.add_edge(u, v);
    fragments.push_back(static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(count))));
  }
  builder.set_fragments(std::move(fragments));
  return builder.build();
}

inline std::vector<std::int32_t> random_permutation(std::int32_t n, Rng& rng) {
  return rng.sample(n, n);
}

inline std::vector<std::int32_t> inverse(const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    position[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  return position;
}

/// Same adjacency, node labels and node attributes, node by node.
inline bool same_graph(const Graph& a, const Graph& b) {
  if (!std::ranges::equal(a.row_ptr(), b.row_ptr()) || !std::ranges::equal(a.col(), b.col()))
    return false;
  for (std::int32_t v = 0; v < a.num_nodes(); ++v)
    if (!std::ranges::equal(a.node_labels(v), b.node_labels(v)) ||
        !std::ranges::equal(a.node_attributes(v), b.node_attributes(v)))
      return false;
  return true;
}

}  // namespace sgood::test

// SPDX-License-Identifier: MIT
#include "src/augment/view_graph.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sgood/core/error.h"

namespace sgood {
namespace {

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Sets the super graph to the pairs of blocks that an edge joins.
void derive_super_graph(PackedGraph& graph) {
  std::vector<std::int32_t> block_of(idx(graph.num_nodes()));
  for (std::int32_t b = 0; b < graph.num_blocks(); ++b)
    std::fill(block_of.begin() + graph.block_ptr[idx(b)],
              block_of.begin() + graph.block_ptr[idx(b) + 1], b);
  graph.super_row_ptr = {0};
  graph.super_col.clear();
  for (std::int32_t b = 0; b < graph.num_blocks(); ++b) {
    const auto start = static_cast<std::ptrdiff_t>(graph.super_col.size());
    const std::int32_t first = graph.row_ptr[idx(graph.block_ptr[idx(b)])];
    const std::int32_t last = graph.row_ptr[idx(graph.block_ptr[idx(b) + 1])];
    for (std::int32_t e = first; e < last; ++e) {
      const std::int32_t other = block_of[idx(graph.col[idx(e)])];
      if (other != b) graph.super_col.push_back(other);
    }
    const auto begin = graph.super_col.begin() + start;
    std::sort(begin, graph.super_col.end());
    graph.super_col.erase(std::unique(begin, graph.super_col.end()), graph.super_col.end());
    graph.super_row_ptr.push_back(static_cast<std::int32_t>(graph.super_col.size()));
  }
}

/// Appends row `v` of `from`, a matrix [num_nodes, columns], to `to`.
template <typename T>
void append_row(const std::vector<T>& from, std::size_t columns, std::int32_t v,
                std::vector<T>& to) {
  const T* row = from.data() + idx(v) * columns;
  to.insert(to.end(), row, row + columns);
}

}  // namespace

std::int32_t changed_count(double ratio, std::int32_t total, std::int32_t limit) {
  return std::clamp(static_cast<std::int32_t>(std::lround(ratio * total)), 1, limit);
}

std::vector<std::int64_t> random_subset(std::int64_t population, std::int64_t count, Rng& rng) {
  SGOOD_ASSERT(0 <= count && count <= population);
  // Floyd's algorithm: one draw per value, and no list of the population.
  std::set<std::int64_t> chosen;
  for (std::int64_t last = population - count; last < population; ++last) {
    const auto drawn = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(last) + 1));
    if (!chosen.insert(drawn).second) chosen.insert(last);
  }
  return {chosen.begin(), chosen.end()};
}

PackedGraph induced_subgraph(const PackedGraph& graph, std::span<const char> keep) {
  const std::int32_t n = graph.num_nodes();
  SGOOD_ASSERT(keep.size() == idx(n));
  if (n == 0) return graph;
  const std::size_t columns = graph.codes.size() / idx(n);
  const std::size_t reals = graph.dense.size() / idx(n);
  PackedGraph view;
  view.label = graph.label;
  std::vector<std::int32_t> new_index(idx(n), -1);
  for (std::int32_t b = 0; b < graph.num_blocks(); ++b) {
    for (std::int32_t v = graph.block_ptr[idx(b)]; v < graph.block_ptr[idx(b) + 1]; ++v) {
      if (!keep[idx(v)]) continue;
      new_index[idx(v)] = view.num_nodes();
      view.node.push_back(graph.node[idx(v)]);
      append_row(graph.codes, columns, v, view.codes);
      append_row(graph.dense, reals, v, view.dense);
    }
    if (view.num_nodes() > view.block_ptr.back()) view.block_ptr.push_back(view.num_nodes());
  }
  for (std::int32_t v = 0; v < n; ++v) {
    if (!keep[idx(v)]) continue;
    for (std::int32_t e = graph.row_ptr[idx(v)]; e < graph.row_ptr[idx(v) + 1]; ++e) {
      const std::int32_t u = new_index[idx(graph.col[idx(e)])];
      if (u >= 0) view.col.push_back(u);
    }
    view.row_ptr.push_back(static_cast<std::int32_t>(view.col.size()));
  }
  derive_super_graph(view);
  view.prepare_source();
  return view;
}

PackedGraph with_edges(const PackedGraph& graph, std::vector<DirectedEdge> edges) {
  PackedGraph view = graph;
  const std::size_t count = edges.size();
  edges.reserve(2 * count);
  for (std::size_t e = 0; e < count; ++e) edges.push_back({edges[e].to, edges[e].from});
  std::sort(edges.begin(), edges.end());
  view.row_ptr.assign(idx(graph.num_nodes()) + 1, 0);
  view.col.clear();
  for (const DirectedEdge edge : edges) {
    view.col.push_back(edge.to);
    view.row_ptr[idx(edge.from) + 1] = static_cast<std::int32_t>(view.col.size());
  }
  // A node without edges ends where the one before it does.
  for (std::size_t v = 1; v < view.row_ptr.size(); ++v)
    view.row_ptr[v] = std::max(view.row_ptr[v], view.row_ptr[v - 1]);
  derive_super_graph(view);
  view.prepare_source();
  return view;
}

}  // namespace sgood

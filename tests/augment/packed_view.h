// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sgood/augment/augmentation.h"
#include "sgood/graph/graph_builder.h"

// Graphs whose nodes tell where they came from, and views read back from a batch and checked.
namespace sgood {

constexpr std::int32_t kColumns = 2;  // codes of a node: number of its graph, its packed index
constexpr std::int32_t kMaskCode = 1000000;  // no number of a graph

inline std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

inline std::int32_t random_int(Rng& rng, std::int32_t low, std::int32_t high) {
  return low + static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(high - low + 1)));
}

/// A graph whose node codes tell where each node came from.
inline PackedGraph pack(const Graph& graph, const Partition& partition, std::int32_t number) {
  std::vector<std::int32_t> order(idx(graph.num_nodes()));
  std::iota(order.begin(), order.end(), 0);
  NodeInput input;
  input.codes.resize(order.size() * kColumns);
  input.dense.resize(order.size());
  PackedGraph packed = pack_graph(graph, partition, order, input);
  for (std::int32_t v = 0; v < packed.num_nodes(); ++v) {
    packed.codes[idx(kColumns * v)] = number;
    packed.codes[idx(kColumns * v + 1)] = v;
    packed.dense[idx(v)] = static_cast<float>(1000 * number + v);
  }
  return packed;
}

/// A graph of `sizes.size()` blocks; `edges` join nodes, numbered block after block.
inline PackedGraph make(const std::vector<std::int32_t>& sizes,
                        const std::vector<std::pair<std::int32_t, std::int32_t>>& edges,
                        std::int32_t number = 0, std::optional<std::int32_t> label = {}) {
  std::vector<std::int32_t> block;
  for (std::size_t b = 0; b < sizes.size(); ++b)
    block.insert(block.end(), idx(sizes[b]), static_cast<std::int32_t>(b));
  GraphBuilder builder(static_cast<std::int32_t>(block.size()));
  for (const auto& [u, v] : edges) builder.add_edge(u, v);
  builder.set_label(label);
  return pack(builder.build(), Partition(block), number);
}

/// A path of `length` blocks of one node each.
inline PackedGraph path(std::int32_t length, std::int32_t number = 0,
                        std::optional<std::int32_t> label = {}) {
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  for (std::int32_t v = 1; v < length; ++v) edges.emplace_back(v - 1, v);
  return make(std::vector<std::int32_t>(idx(length), 1), edges, number, label);
}

/// A random graph with a random partition into connected blocks.
inline PackedGraph random_graph(Rng& rng, std::int32_t number) {
  const std::int32_t n = random_int(rng, 0, 30);
  GraphBuilder builder(n);
  const std::int32_t edges = n < 2 ? 0 : random_int(rng, 0, 2 * n);
  for (std::int32_t e = 0; e < edges; ++e) {
    // Mostly short edges, so that pieces with one neighbour are common.
    const std::int32_t u = random_int(rng, 0, n - 1);
    builder.add_edge(u, std::min(n - 1, u + random_int(rng, 1, rng.below(8) == 0 ? n : 3)));
  }
  builder.set_label(random_int(rng, 0, 2));
  const Graph graph = builder.build();
  std::vector<std::int32_t> block(idx(n), -1);
  std::int32_t blocks = 0;
  for (std::int32_t v = 0; v < n; ++v) {
    if (block[idx(v)] >= 0) continue;
    std::vector<std::int32_t> members = {v};
    block[idx(v)] = blocks;
    const auto target = static_cast<std::size_t>(random_int(rng, 1, 8));
    for (std::size_t i = 0; i < members.size(); ++i)
      for (const std::int32_t u : graph.neighbors(members[i]))
        if (block[idx(u)] < 0 && members.size() < target) {
          block[idx(u)] = blocks;
          members.push_back(u);
        }
    ++blocks;
  }
  return pack(graph, Partition(block), number);
}

/// One graph read back from a batch, with all indices relative to the graph.
struct View {
  std::vector<std::vector<std::int32_t>> neighbors;
  std::vector<std::int32_t> block;
  std::vector<std::set<std::int32_t>> super;
  std::vector<std::array<std::int32_t, kColumns>> origin;

  std::int32_t num_nodes() const { return static_cast<std::int32_t>(neighbors.size()); }
  std::int32_t num_blocks() const { return static_cast<std::int32_t>(super.size()); }
  /// (graph, packed node) pairs of each block.
  std::vector<std::vector<std::array<std::int32_t, kColumns>>> members() const {
    std::vector<std::vector<std::array<std::int32_t, kColumns>>> result(super.size());
    for (std::int32_t v = 0; v < num_nodes(); ++v)
      result[idx(block[idx(v)])].push_back(origin[idx(v)]);
    return result;
  }
};

/// Reads graph `g` back and checks that it is a valid graph with a matching super graph.
inline View read_back(const PackedBatch& batch, std::int32_t g) {
  View view;
  const std::int32_t first_node = batch.graph_node(g);
  const std::int32_t first_block = batch.graph_ptr[idx(g)];
  const std::int32_t n = batch.graph_node(g + 1) - first_node;
  const std::int32_t k = batch.graph_ptr[idx(g) + 1] - first_block;
  for (std::int32_t b = 0; b < k; ++b) {
    const std::int32_t size =
        batch.block_ptr[idx(first_block + b) + 1] - batch.block_ptr[idx(first_block + b)];
    EXPECT_GE(size, 1);
    view.block.insert(view.block.end(), idx(size), b);
    auto list = batch.super_neighbors(first_block + b);
    for (auto& c : list) c -= first_block;
    view.super.emplace_back(list.begin(), list.end());
    EXPECT_EQ(view.super.back().size(), list.size());
    EXPECT_EQ(view.super.back().count(b), batch.super_self_loops ? 1u : 0u);
    view.super.back().erase(b);
  }
  for (std::int32_t v = 0; v < n; ++v) {
    auto list = batch.neighbors(first_node + v);
    for (auto& u : list) u -= first_node;
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
    EXPECT_EQ(std::adjacent_find(list.begin(), list.end()), list.end());
    view.neighbors.push_back(list);
    const auto* codes = &batch.codes[idx(kColumns * (first_node + v))];
    view.origin.push_back({codes[0], codes[1]});
    EXPECT_EQ(batch.dense[idx(first_node + v)],
              codes[0] == kMaskCode ? 0 : static_cast<float>(1000 * codes[0] + codes[1]));
  }
  std::vector<std::set<std::int32_t>> quotient(view.super.size());
  for (std::int32_t v = 0; v < n; ++v)
    for (const std::int32_t u : view.neighbors[idx(v)]) {
      EXPECT_TRUE(u >= 0 && u < n && u != v) << "edge " << v << " " << u;
      const auto& back = view.neighbors[idx(u)];
      EXPECT_TRUE(std::binary_search(back.begin(), back.end(), v)) << "edge " << v << " " << u;
      if (view.block[idx(u)] != view.block[idx(v)])
        quotient[idx(view.block[idx(v)])].insert(view.block[idx(u)]);
    }
  EXPECT_EQ(view.super, quotient);
  return view;
}

inline PackedBatch write(const Augmentation& augmentation, std::span<const PackedGraph> graphs,
                         Rng& rng, bool super_self_loops = true) {
  PackedBatch batch;
  BatchWriter writer(batch, kColumns, 1, super_self_loops);
  for (const PackedGraph& graph : graphs) augmentation.write_view(graph, rng, writer);
  writer.finish();
  EXPECT_EQ(batch.num_graphs, static_cast<std::int32_t>(graphs.size()));
  for (const PaddedLists* lists : {&batch.lists, &batch.super_lists}) {
    for (const std::int32_t end : lists->row_ptr) EXPECT_EQ(end % 4, 0);
    EXPECT_EQ(lists->col.size(), idx(lists->row_ptr.back()));
  }
  EXPECT_EQ(batch.codes.size(), idx(kColumns * batch.num_nodes));
  return batch;
}

inline View view_of(const Augmentation& augmentation, const PackedGraph& graph, Rng& rng) {
  return read_back(write(augmentation, {&graph, 1}, rng), 0);
}

}  // namespace sgood

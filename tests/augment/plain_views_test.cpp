// SPDX-License-Identifier: MIT
// The paper's views against views made the plain way: the same draws, then a Graph built edge by
// edge and packed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/augment/packed_view.h"
#include "tests/graph/batch_lists.h"

namespace sgood {
namespace {

using Edge = std::pair<std::int32_t, std::int32_t>;

struct Piece {
  const PackedGraph* graph;
  std::int32_t block;

  std::int32_t first() const { return graph->block_ptr[idx(block)]; }
  std::int32_t last() const { return graph->block_ptr[idx(block) + 1]; }
  std::int32_t size() const { return last() - first(); }
};

std::vector<Piece> all_pieces(const PackedGraph& graph) {
  std::vector<Piece> pieces;
  for (std::int32_t b = 0; b < graph.num_blocks(); ++b) pieces.push_back({&graph, b});
  return pieces;
}

std::vector<std::int32_t> super_neighbors(const PackedGraph& graph, std::int32_t b) {
  return {graph.super_col.begin() + graph.super_row_ptr[idx(b)],
          graph.super_col.begin() + graph.super_row_ptr[idx(b) + 1]};
}

bool adjacent(const PackedGraph& graph, std::int32_t u, std::int32_t v) {
  return std::count(graph.col.begin() + graph.row_ptr[idx(u)],
                    graph.col.begin() + graph.row_ptr[idx(u) + 1], v) > 0;
}

/// `pieces` side by side with the edges inside them, those between pieces of `graph`, and `joints`.
PackedGraph assemble(const PackedGraph& graph, const std::vector<Piece>& pieces,
                     const std::set<Edge>& joints = {}) {
  struct Node {
    const PackedGraph* graph;
    std::int32_t node, block;
  };
  std::vector<Node> nodes;
  std::vector<std::int32_t> blocks, order;
  NodeInput input;
  for (std::size_t b = 0; b < pieces.size(); ++b)
    for (std::int32_t v = pieces[b].first(); v < pieces[b].last(); ++v) {
      const PackedGraph& source = *pieces[b].graph;
      order.push_back(static_cast<std::int32_t>(nodes.size()));
      blocks.push_back(static_cast<std::int32_t>(b));
      nodes.push_back({&source, v, blocks.back()});
      for (std::int32_t c = 0; c < kColumns; ++c)
        input.codes.push_back(source.codes[idx(v * kColumns + c)]);
      input.dense.push_back(source.dense[idx(v)]);
    }
  GraphBuilder builder(static_cast<std::int32_t>(nodes.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Node &a = nodes[i], &b = nodes[j];
      const bool kept = a.block == b.block || (a.graph == &graph && b.graph == &graph);
      if (kept && a.graph == b.graph && adjacent(*a.graph, a.node, b.node))
        builder.add_edge(order[i], order[j]);
    }
  for (const auto& [u, v] : joints) builder.add_edge(u, v);
  return pack_graph(builder.build(), Partition(blocks), order, input);
}

PackedGraph plain_drop(const PackedGraph& graph, double ratio, Rng& rng) {
  std::vector<Piece> pieces = all_pieces(graph);
  const std::int32_t count = graph.num_blocks();
  if (count < 2) return graph;
  auto drops = std::clamp(static_cast<std::int32_t>(std::lround(ratio * count)), 1, count - 1);
  for (std::int32_t left = count; drops > 0; --left)
    if (rng.below(idx(left)) < idx(drops)) {
      pieces.erase(pieces.begin() + left - 1);
      --drops;
    }
  return assemble(graph, pieces);
}

PackedGraph plain_sample(const PackedGraph& graph, double ratio, Rng& rng) {
  const std::int32_t count = graph.num_blocks();
  if (count < 2) return graph;
  const std::size_t wanted =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil((1 - ratio) * count - 1e-9)));
  std::set<std::int32_t> visited;
  std::vector<std::int32_t> stack;
  while (visited.size() < wanted) {
    if (stack.empty()) {
      std::vector<std::int32_t> others;
      for (std::int32_t b = 0; b < count; ++b)
        if (!visited.contains(b)) others.push_back(b);
      stack.push_back(others[rng.below(others.size())]);
    }
    const std::int32_t b = stack.back();
    stack.pop_back();
    if (!visited.insert(b).second) continue;
    std::vector<std::int32_t> next;
    for (const std::int32_t c : super_neighbors(graph, b))
      if (!visited.contains(c)) next.push_back(c);
    rng.shuffle(next);
    stack.insert(stack.end(), next.begin(), next.end());
  }
  std::vector<Piece> pieces;
  for (const std::int32_t b : visited) pieces.push_back({&graph, b});
  return assemble(graph, pieces);
}

/// (end, new end) for each of `ends`, as long as there are ends that it does not have.
std::vector<Edge> redirected(std::vector<std::int32_t> ends, std::int32_t size, Rng& rng) {
  std::sort(ends.begin(), ends.end());
  std::vector<std::int32_t> targets(idx(size));
  std::iota(targets.begin(), targets.end(), 0);
  std::map<std::int32_t, std::size_t> used;
  std::vector<Edge> edges;
  for (const std::int32_t end : ends) {
    std::size_t& taken = used[end];
    if (taken == targets.size()) continue;
    std::swap(targets[taken], targets[taken + rng.below(targets.size() - taken)]);
    edges.emplace_back(end, targets[taken++]);
  }
  return edges;
}

PackedGraph plain_substitute(const PackedGraph& graph, std::span<const PackedGraph> training,
                             double ratio, Rng& rng) {
  std::vector<std::int32_t> leaves;
  for (std::int32_t b = 0; b < graph.num_blocks(); ++b)
    if (super_neighbors(graph, b).size() == 1) leaves.push_back(b);
  std::vector<Piece> supply;
  for (const PackedGraph& lender : training)
    if (&lender != &graph && lender.label == graph.label)
      for (const Piece& piece : all_pieces(lender)) supply.push_back(piece);
  if (leaves.empty() || supply.empty()) return graph;

  const auto share = static_cast<std::size_t>(std::lround(ratio * graph.num_blocks()));
  const std::size_t count = std::min(leaves.size(), std::max<std::size_t>(share, 1));
  const std::vector<Piece> old = all_pieces(graph);
  std::vector<Piece> pieces = old;
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(leaves[i], leaves[i + rng.below(leaves.size() - i)]);
    pieces[idx(leaves[i])] = supply[rng.below(supply.size())];
  }
  std::vector<std::int32_t> start = {0};
  for (const Piece& piece : pieces) start.push_back(start.back() + piece.size());

  std::set<Edge> joints;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t leaf = leaves[i], hub = super_neighbors(graph, leaf).front();
    const bool hub_is_new = pieces[idx(hub)].graph != &graph;
    if (hub_is_new && hub < leaf) continue;
    std::vector<std::int32_t> in_hub;
    for (std::int32_t u = old[idx(hub)].first(); u < old[idx(hub)].last(); ++u)
      for (std::int32_t v = old[idx(leaf)].first(); v < old[idx(leaf)].last(); ++v)
        if (adjacent(graph, u, v)) in_hub.push_back(u - old[idx(hub)].first());
    std::vector<Edge> edges = redirected(in_hub, pieces[idx(leaf)].size(), rng);
    if (hub_is_new) {
      std::vector<std::int32_t> in_leaf;
      for (const Edge& edge : edges) in_leaf.push_back(edge.second);
      edges = redirected(in_leaf, pieces[idx(hub)].size(), rng);
      for (Edge& edge : edges) std::swap(edge.first, edge.second);
    }
    for (const auto& [u, v] : edges) joints.emplace(start[idx(hub)] + u, start[idx(leaf)] + v);
  }
  return assemble(graph, pieces, joints);
}

PackedGraph plain_view(std::string_view name, const PackedGraph& graph,
                       std::span<const PackedGraph> training, double ratio, Rng& rng) {
  if (name == "SD") return plain_drop(graph, ratio, rng);
  if (name == "SG") return plain_sample(graph, ratio, rng);
  return name == "SS" ? plain_substitute(graph, training, ratio, rng) : graph;
}

class PaperViews : public ::testing::TestWithParam<const char*> {};

TEST_P(PaperViews, AreThePlainOnes) {
  Rng graphs_rng(21);
  std::vector<PackedGraph> graphs;
  for (std::int32_t i = 0; i < 400; ++i) graphs.push_back(random_graph(graphs_rng, i));
  for (const double ratio : {0.0, 0.3, 0.6, 1.0}) {
    Rng fast_rng(5), plain_rng(5);
    const bool self_loops = ratio < 0.5;
    const auto augmentation = make_augmentation(GetParam(), {graphs, ratio});
    const PackedBatch fast = write(*augmentation, graphs, fast_rng, self_loops);
    std::vector<PackedGraph> views;
    std::vector<std::int32_t> all;
    for (const PackedGraph& graph : graphs) {
      all.push_back(static_cast<std::int32_t>(views.size()));
      views.push_back(plain_view(GetParam(), graph, graphs, ratio, plain_rng));
    }
    const PackedBatch plain = pack_batch(views, all, kColumns, 1, self_loops);
    EXPECT_EQ(fast_rng.state(), plain_rng.state());
    EXPECT_EQ(fast.codes, plain.codes);
    EXPECT_EQ(fast.dense, plain.dense);
    EXPECT_EQ(all_neighbors(fast), all_neighbors(plain));
    EXPECT_EQ(fast.start, plain.start);
    EXPECT_EQ(fast.complete, plain.complete);
    EXPECT_EQ(fast.block_ptr, plain.block_ptr);
    EXPECT_EQ(all_super_neighbors(fast), all_super_neighbors(plain));
    EXPECT_EQ(fast.graph_ptr, plain.graph_ptr);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PaperViews, ::testing::Values("I", "SD", "SG", "SS"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace sgood

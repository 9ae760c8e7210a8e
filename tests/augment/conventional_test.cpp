// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "sgood/augment/augmentation.h"
#include "sgood/core/error.h"
#include "tests/augment/packed_view.h"

// The augmentations that change single nodes and edges. read_back() derives the super graph of
// every view from scratch and compares.
namespace sgood {
namespace {

using Nodes = std::vector<std::int32_t>;
using Edges = std::set<std::pair<std::int32_t, std::int32_t>>;

std::vector<PackedGraph> random_graphs(std::int32_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<PackedGraph> graphs;
  for (std::int32_t i = 0; i < count; ++i) graphs.push_back(random_graph(rng, i));
  return graphs;
}

std::unique_ptr<Augmentation> make_view(std::string_view name, double ratio) {
  return make_augmentation(name, {{}, ratio, kMaskCode});
}

Edges edges_of(const PackedGraph& graph) {
  Edges edges;
  for (std::int32_t u = 0; u < graph.num_nodes(); ++u)
    for (std::int32_t e = graph.row_ptr[idx(u)]; e < graph.row_ptr[idx(u) + 1]; ++e)
      if (u < graph.col[idx(e)]) edges.emplace(u, graph.col[idx(e)]);
  return edges;
}

Edges edges_of(const View& view) {
  Edges edges;
  for (std::int32_t u = 0; u < view.num_nodes(); ++u)
    for (const std::int32_t v : view.neighbors[idx(u)])
      if (u < v) edges.emplace(u, v);
  return edges;
}

std::int32_t block_of(const PackedGraph& graph, std::int32_t v) {
  std::int32_t b = 0;
  while (graph.block_ptr[idx(b) + 1] <= v) ++b;
  return b;
}

std::int32_t rounded(double ratio, std::int32_t total) {
  return std::max(1, static_cast<std::int32_t>(std::floor(ratio * total + 0.5)));
}

/// The nodes of `graph` that are in `view`; checks that the view is the subgraph that they induce,
/// in the old order and with the old blocks.
Nodes induced_nodes(const View& view, const PackedGraph& graph) {
  Nodes nodes;
  for (const auto& origin : view.origin) nodes.push_back(origin[1]);
  EXPECT_TRUE(std::is_sorted(nodes.begin(), nodes.end()));
  EXPECT_EQ(std::adjacent_find(nodes.begin(), nodes.end()), nodes.end());
  const Edges old_edges = edges_of(graph), new_edges = edges_of(view);
  for (std::int32_t i = 0; i < view.num_nodes(); ++i)
    for (std::int32_t j = i + 1; j < view.num_nodes(); ++j) {
      const std::int32_t u = nodes[idx(i)], v = nodes[idx(j)];
      EXPECT_EQ(new_edges.count({i, j}), old_edges.count({u, v}));
      EXPECT_EQ(view.block[idx(i)] == view.block[idx(j)], block_of(graph, u) == block_of(graph, v));
    }
  return nodes;
}

Nodes neighbors_of(const PackedGraph& graph, std::int32_t v) {
  return {graph.col.begin() + graph.row_ptr[idx(v)], graph.col.begin() + graph.row_ptr[idx(v) + 1]};
}

/// The connected components of the subgraph that `nodes` induce.
std::vector<std::set<std::int32_t>> components(const PackedGraph& graph,
                                               std::set<std::int32_t> nodes) {
  std::vector<std::set<std::int32_t>> result;
  while (!nodes.empty()) {
    Nodes stack = {*nodes.begin()};
    nodes.erase(nodes.begin());
    auto& component = result.emplace_back(stack.begin(), stack.end());
    while (!stack.empty()) {
      const std::int32_t v = stack.back();
      stack.pop_back();
      for (const std::int32_t u : neighbors_of(graph, v))
        if (nodes.erase(u) > 0) {
          component.insert(u);
          stack.push_back(u);
        }
    }
  }
  return result;
}

/// Each of the `outcomes` came up equally often in `trials`.
template <typename Outcome>
void expect_uniform(const std::map<Outcome, int>& counts, std::size_t outcomes, int trials) {
  EXPECT_EQ(counts.size(), outcomes);
  const double mean = static_cast<double>(trials) / static_cast<double>(outcomes);
  for (const auto& [outcome, count] : counts) EXPECT_NEAR(count, mean, 5 * std::sqrt(mean));
}

constexpr std::array kRatios = {0.0, 0.1, 0.3, 0.7, 1.0};

TEST(EdgePerturb, DeletesTheRoundedShareAndAddsAsManyAbsentEdges) {
  const auto graphs = random_graphs(600, 11);
  int more_blocks_joined = 0;
  for (const double ratio : kRatios) {
    Rng rng(1);
    const PackedBatch batch = write(*make_view("EP", ratio), graphs, rng);
    for (std::int32_t g = 0; g < batch.num_graphs; ++g) {
      const PackedGraph& graph = graphs[idx(g)];
      const View view = read_back(batch, g);
      ASSERT_EQ(view.num_nodes(), graph.num_nodes());
      ASSERT_EQ(view.num_blocks(), graph.num_blocks());
      for (std::int32_t v = 0; v < view.num_nodes(); ++v) {
        ASSERT_EQ(view.origin[idx(v)], (std::array{g, v}));
        ASSERT_EQ(view.block[idx(v)], block_of(graph, v));
      }
      const Edges before = edges_of(graph), after = edges_of(view);
      std::int32_t kept = 0;
      for (const auto& edge : after) kept += static_cast<std::int32_t>(before.count(edge));
      const auto m = static_cast<std::int32_t>(before.size());
      const std::int32_t n = graph.num_nodes(), absent = n * (n - 1) / 2 - m;
      const std::int32_t deleted = m == 0 || (m == 1 && absent == 0)
                                       ? 0
                                       : std::min(rounded(ratio, m), absent > 0 ? m : m - 1);
      ASSERT_EQ(kept, m - deleted) << "ratio " << ratio << ", graph " << g;
      ASSERT_EQ(static_cast<std::int32_t>(after.size()) - kept, std::min(deleted, absent));
      ASSERT_TRUE(m == 0 || !after.empty());
      for (const auto& [u, v] : after)
        more_blocks_joined += before.count({u, v}) == 0 && block_of(graph, u) != block_of(graph, v);
    }
  }
  EXPECT_GT(more_blocks_joined, 1000);
}

TEST(EdgePerturb, DeletesAndAddsEachSubsetEquallyOften) {
  const auto augmentation = make_view("EP", 0.5);
  const PackedGraph graph = path(5);  // 2 of 4 edges go, 2 of 6 absent ones come
  Rng rng(2);
  std::map<Edges, int> counts;
  const int trials = 45000;
  for (int t = 0; t < trials; ++t) ++counts[edges_of(view_of(*augmentation, graph, rng))];
  expect_uniform(counts, 6 * 15, trials);
}

TEST(EdgePerturb, OfACompleteGraphOnlyDeletesAndLeavesAnEdge) {
  const PackedGraph complete = make({2, 2}, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
  Rng rng(3);
  EXPECT_EQ(edges_of(view_of(*make_view("EP", 0.3), complete, rng)).size(), 4U);
  EXPECT_EQ(edges_of(view_of(*make_view("EP", 1.0), complete, rng)).size(), 1U);
}

TEST(NodeDrop, DropsTheRoundedShareOfTheNodesAndNothingElse) {
  const auto graphs = random_graphs(600, 12);
  int vanished_blocks = 0;
  for (const double ratio : kRatios) {
    Rng rng(1);
    const PackedBatch batch = write(*make_view("ND", ratio), graphs, rng);
    for (std::int32_t g = 0; g < batch.num_graphs; ++g) {
      const std::int32_t n = graphs[idx(g)].num_nodes();
      const View view = read_back(batch, g);
      induced_nodes(view, graphs[idx(g)]);
      ASSERT_FALSE(HasFailure()) << "ratio " << ratio << ", graph " << g;
      ASSERT_EQ(view.num_nodes(), n < 2 ? n : std::max(1, n - rounded(ratio, n)));
      vanished_blocks += graphs[idx(g)].num_blocks() - view.num_blocks();
    }
  }
  EXPECT_GT(vanished_blocks, 1000);
}

TEST(NodeDrop, DropsEachPairOfNodesEquallyOften) {
  const auto augmentation = make_view("ND", 0.4);
  const PackedGraph graph = make({2, 3}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  Rng rng(4);
  std::map<Nodes, int> counts;
  const int trials = 20000;
  for (int t = 0; t < trials; ++t)
    ++counts[induced_nodes(view_of(*augmentation, graph, rng), graph)];
  expect_uniform(counts, 10, trials);
}

TEST(SubgraphSample, KeepsTheShareRoundedUpAndUsesUpOneComponentAfterTheOther) {
  const auto graphs = random_graphs(600, 13);
  for (const std::int32_t percent : {0, 10, 30, 70, 100}) {
    Rng rng(1);
    const PackedBatch batch = write(*make_view("SA", percent / 100.0), graphs, rng);
    for (std::int32_t g = 0; g < batch.num_graphs; ++g) {
      const PackedGraph& graph = graphs[idx(g)];
      const std::int32_t n = graph.num_nodes();
      const View view = read_back(batch, g);
      const Nodes kept = induced_nodes(view, graph);
      ASSERT_FALSE(HasFailure()) << percent << " %, graph " << g;
      ASSERT_EQ(view.num_nodes(), std::max(std::min(n, 1), ((100 - percent) * n + 99) / 100));
      std::set<std::int32_t> all;
      for (std::int32_t v = 0; v < n; ++v) all.insert(v);
      int unfinished = 0;
      for (const auto& component : components(graph, all)) {
        std::set<std::int32_t> inside;
        for (const std::int32_t v : kept)
          if (component.count(v) > 0) inside.insert(v);
        ASSERT_LE(components(graph, inside).size(), 1U);
        unfinished += !inside.empty() && inside != component;
      }
      ASSERT_LE(unfinished, 1);
    }
  }
}

/// Probabilities of the sets of nodes that growth by `steps` nodes from `kept` ends with.
void grow(const PackedGraph& graph, const std::set<std::int32_t>& kept, int steps,
          double probability, std::map<std::set<std::int32_t>, double>& result) {
  if (steps == 0) {
    result[kept] += probability;
    return;
  }
  std::set<std::int32_t> next;
  for (const std::int32_t v : kept)
    for (const std::int32_t u : neighbors_of(graph, v))
      if (kept.count(u) == 0) next.insert(u);
  if (next.empty())  // the start, or a component is used up
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
      if (kept.count(v) == 0) next.insert(v);
  for (const std::int32_t v : next) {
    std::set<std::int32_t> grown = kept;
    grown.insert(v);
    grow(graph, grown, steps - 1, probability / static_cast<double>(next.size()), result);
  }
}

TEST(SubgraphSample, GrowsByEachNodeOfTheFrontierEquallyOften) {
  // A hub with a tail and a triangle, and a pair apart from it.
  const PackedGraph graph =
      make({3, 3, 2}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {3, 5}, {4, 5}, {6, 7}});
  const auto augmentation = make_view("SA", 0.5);
  std::map<std::set<std::int32_t>, double> expected;
  grow(graph, {}, 4, 1.0, expected);
  EXPECT_EQ(expected.size(), 10U);  // four connected sets of four; an edge and the pair, six times
  std::map<std::set<std::int32_t>, int> counts;
  Rng rng(5);
  const int trials = 40000;
  for (int t = 0; t < trials; ++t) {
    const Nodes nodes = induced_nodes(view_of(*augmentation, graph, rng), graph);
    ++counts[{nodes.begin(), nodes.end()}];
  }
  EXPECT_EQ(counts.size(), expected.size());
  for (const auto& [nodes, probability] : expected)
    EXPECT_NEAR(counts[nodes], trials * probability,
                5 * std::sqrt(trials * probability * (1 - probability)));
}

/// The masked nodes of graph `g`; checks that the others show what they showed.
Nodes masked_nodes(const PackedBatch& batch, const PackedBatch& plain, std::int32_t g) {
  Nodes masked;
  for (std::int32_t v = plain.graph_node(g); v < plain.graph_node(g + 1); ++v) {
    const bool is_masked = batch.codes[idx(kColumns * v)] == kMaskCode;
    if (is_masked) masked.push_back(v - plain.graph_node(g));
    for (std::int32_t c = 0; c < kColumns; ++c)
      EXPECT_EQ(batch.codes[idx(kColumns * v + c)],
                is_masked ? kMaskCode + c : plain.codes[idx(kColumns * v + c)]);
    EXPECT_EQ(batch.dense[idx(v)], is_masked ? 0 : plain.dense[idx(v)]);
  }
  return masked;
}

TEST(AttributeMask, HidesTheRoundedShareOfTheNodesAndNothingElse) {
  const auto graphs = random_graphs(600, 14);
  for (const double ratio : kRatios) {
    Rng rng(1);
    const PackedBatch batch = write(*make_view("AM", ratio), graphs, rng);
    const PackedBatch plain = write(*make_view("I", ratio), graphs, rng);
    EXPECT_EQ(batch.lists.col, plain.lists.col);
    EXPECT_EQ(batch.lists.row_ptr, plain.lists.row_ptr);
    EXPECT_EQ(batch.block_ptr, plain.block_ptr);
    EXPECT_EQ(batch.super_lists.col, plain.super_lists.col);
    EXPECT_EQ(batch.super_lists.row_ptr, plain.super_lists.row_ptr);
    for (std::int32_t g = 0; g < batch.num_graphs; ++g) {
      const std::int32_t n = graphs[idx(g)].num_nodes();
      ASSERT_EQ(masked_nodes(batch, plain, g).size(),
                n < 2 ? 0 : idx(std::min(n - 1, rounded(ratio, n))));
    }
  }
}

TEST(AttributeMask, HidesEachPairOfNodesEquallyOften) {
  const auto augmentation = make_view("AM", 0.4);
  const std::vector<PackedGraph> graph = {path(5)};
  Rng rng(6);
  const PackedBatch plain = write(*make_view("I", 0), graph, rng);
  std::map<Nodes, int> counts;
  const int trials = 20000;
  for (int t = 0; t < trials; ++t)
    ++counts[masked_nodes(write(*augmentation, graph, rng), plain, 0)];
  expect_uniform(counts, 10, trials);
}

TEST(AttributeMask, NeedsAMaskCodeForCategoricalColumnsOnly) {
  PackedGraph graph = path(5);
  Rng rng(7);
  EXPECT_THROW(view_of(*make_augmentation("AM", {}), graph, rng), InvalidArgument);
  graph.codes.clear();
  graph.dense.assign(5, 2.0F);
  PackedBatch batch;
  BatchWriter writer(batch, 0, 1, true);
  make_augmentation("AM", {{}, 0.4})->write_view(graph, rng, writer);
  writer.finish();
  EXPECT_EQ(std::count(batch.dense.begin(), batch.dense.end(), 0.0F), 2);
  EXPECT_EQ(std::count(batch.dense.begin(), batch.dense.end(), 2.0F), 3);
}

class Conventional : public ::testing::TestWithParam<const char*> {};

TEST_P(Conventional, TheSameSeedGivesTheSameBitsAndAnotherSeedOthers) {
  const auto graphs = random_graphs(50, 15);
  const auto augmentation = make_view(GetParam(), 0.3);
  Rng a(3), b(3), c(4);
  const PackedBatch first = write(*augmentation, graphs, a),
                    second = write(*augmentation, graphs, b),
                    other = write(*augmentation, graphs, c);
  EXPECT_EQ(a.state(), b.state());
  EXPECT_EQ(first.codes, second.codes);
  EXPECT_EQ(first.dense, second.dense);
  EXPECT_EQ(first.lists.col, second.lists.col);
  EXPECT_EQ(first.super_lists.col, second.super_lists.col);
  EXPECT_TRUE(first.codes != other.codes || first.lists.col != other.lists.col);
}

TEST_P(Conventional, GraphsWithoutAChoiceAreTheirOwnView) {
  const std::vector<PackedGraph> graphs = {make({}, {}), make({1}, {}, 1)};
  for (const double ratio : kRatios) {
    Rng rng(1);
    const PackedBatch batch = write(*make_view(GetParam(), ratio), graphs, rng);
    const PackedBatch plain = write(*make_view("I", ratio), graphs, rng);
    EXPECT_EQ(batch.codes, plain.codes);
    EXPECT_EQ(batch.block_ptr, plain.block_ptr);
    EXPECT_EQ(batch.graph_ptr, plain.graph_ptr);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, Conventional, ::testing::Values("EP", "AM", "ND", "SA"),
                         [](const auto& test) { return std::string(test.param); });

TEST(EdgePerturb, AGraphWithoutEdgesOrWithItsOnlyPossibleOneIsItsOwnView) {
  const std::vector<PackedGraph> graphs = {make({1, 2, 1}, {}), make({2}, {{0, 1}}, 1)};
  Rng rng(1);
  const PackedBatch batch = write(*make_view("EP", 1.0), graphs, rng);
  EXPECT_EQ(edges_of(read_back(batch, 0)), Edges{});
  EXPECT_EQ(edges_of(read_back(batch, 1)), (Edges{{0, 1}}));
}

}  // namespace
}  // namespace sgood

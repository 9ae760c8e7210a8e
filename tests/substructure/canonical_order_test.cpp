// SPDX-License-Identifier: MIT
#include "sgood/substructure/canonical_order.h"

#include <gtest/gtest.h>

#include <ctime>
#include <vector>

#include "tests/substructure/graphs.h"

namespace sgood {
namespace {

using namespace test;

Graph read_through(const Graph& graph, const std::vector<std::int32_t>& order) {
  return graph.relabelled(inverse(order));
}

void expect_canonical(const Graph& graph, int trials, Rng& rng) {
  const Graph reference = read_through(graph, canonical_order(graph));
  for (int t = 0; t < trials; ++t) {
    const Graph other = graph.relabelled(random_permutation(graph.num_nodes(), rng));
    ASSERT_TRUE(same_graph(reference, read_through(other, canonical_order(other))))
        << graph.num_nodes() << " nodes, " << graph.num_edges() << " edges, trial " << t;
  }
}

TEST(CanonicalOrder, IsAPermutationAlsoWithoutNodesOrEdges) {
  EXPECT_TRUE(canonical_order(Graph()).empty());
  EXPECT_EQ(canonical_order(make_graph(1, {})), std::vector<std::int32_t>{0});
  Rng rng(1);
  for (const Graph& graph : {make_graph(5, {}), path(9), random_graph(40, 0.1, rng)}) {
    std::vector<std::int32_t> order = canonical_order(graph);
    std::sort(order.begin(), order.end());
    std::vector<std::int32_t> all(order.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(order, all);
  }
}

TEST(CanonicalOrder, DoesNotDependOnNumberingForRandomGraphs) {
  Rng rng(2);
  for (int i = 0; i < 150; ++i) {
    const auto n = static_cast<std::int32_t>(2 + rng.below(40));
    expect_canonical(random_graph(n, rng.uniform(0.02, 0.5), rng), 3, rng);
    expect_canonical(with_random_labels(random_graph(n, 2.0 / n, rng), 3, rng), 3, rng);
  }
}

TEST(CanonicalOrder, DoesNotDependOnNumberingForTreesAndForests) {
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    const auto n = static_cast<std::int32_t>(2 + rng.below(60));
    const Graph tree = random_tree(n, rng);
    expect_canonical(tree, 3, rng);
    expect_canonical(disjoint_union(tree, tree), 3, rng);
  }
  expect_canonical(disjoint_union(star(300), star(300)), 3, rng);
}

TEST(CanonicalOrder, DoesNotDependOnNumberingForRegularGraphs) {
  Rng rng(4);
  for (int i = 0; i < 40; ++i) {
    const auto n = static_cast<std::int32_t>(6 + 2 * rng.below(15));
    const Graph cubic = random_regular(n, 3, rng);
    expect_canonical(cubic, 3, rng);
    expect_canonical(disjoint_union(cubic, random_regular(n, 3, rng)), 3, rng);
    expect_canonical(random_regular(n, 4, rng), 3, rng);
  }
}

TEST(CanonicalOrder, DoesNotDependOnNumberingForTwoRegularUnions) {
  Rng rng(5);
  for (const auto& lengths : std::vector<std::vector<std::int32_t>>{
           {3, 4}, {6, 6}, {3, 3, 6}, {4, 4, 4, 12}, {3, 4, 5, 6, 7}, {10, 10}, {3, 3, 3, 3, 3, 5}})
    expect_canonical(cycles(lengths), 20, rng);
}

TEST(CanonicalOrder, DoesNotDependOnNumberingForSymmetricGraphs) {
  Rng rng(6);
  for (const Graph& graph :
       {grid(5, 5), grid(4, 9), hypercube(5), hypercube(8), petersen(), complete_bipartite(4, 4),
        complete_bipartite(7, 3), complete_bipartite(60, 60), clique(40), barbell(6), cycles({50}),
        disjoint_union(petersen(), petersen()), disjoint_union(clique(4), hypercube(3)),
        disjoint_union(complete_bipartite(3, 3), random_regular(6, 3, rng))})
    expect_canonical(graph, 10, rng);
}

TEST(CanonicalOrder, DoesNotDependOnNumberingWhereTreesHangOnSymmetricCores) {
  Rng rng(7);
  for (const std::int32_t ring : {3, 6, 8}) {
    GraphBuilder builder(4 * ring);  // each ring node carries a path of two and a leaf
    for (std::int32_t v = 0; v < ring; ++v)
      builder.add_edge(v, (v + 1) % ring)
          .add_edge(v, ring + v)
          .add_edge(ring + v, 2 * ring + v)
          .add_edge(v, 3 * ring + v);
    expect_canonical(builder.build(), 10, rng);
  }
}

TEST(CanonicalOrder, SeparatesNodesByLabelsAndAttributes) {
  const auto two_nodes = [](std::int32_t a, std::int32_t b, float x, float y) {
    GraphBuilder builder(2);
    builder.add_edge(0, 1).set_node_labels({a, b}, 1).set_node_attributes({x, y}, 1);
    return builder.build();
  };
  EXPECT_EQ(canonical_order(two_nodes(1, 2, 0, 0)), (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(canonical_order(two_nodes(2, 1, 0, 0)), (std::vector<std::int32_t>{1, 0}));
  const Graph a = two_nodes(1, 1, 0.5F, -3);
  const Graph b = two_nodes(1, 1, -3, 0.5F);
  EXPECT_TRUE(same_graph(read_through(a, canonical_order(a)), read_through(b, canonical_order(b))));
}

TEST(CanonicalOrder, TakesNegativeZeroForZero) {
  const auto with_attributes = [](std::vector<float> values) {
    GraphBuilder other(3);
    other.add_edge(0, 1).add_edge(1, 2);
    other.set_node_attributes(std::move(values), 2);
    return other.build();
  };
  EXPECT_EQ(canonical_order(with_attributes({0.0F, 1, 5, 5, -0.0F, 2})),
            canonical_order(with_attributes({-0.0F, 1, 5, 5, 0.0F, 2})));
}

TEST(CanonicalOrder, TellsGraphsApartThatColourRefinementCannot) {
  const Graph one = cycles({6});
  const Graph two = cycles({3, 3});
  EXPECT_FALSE(
      same_graph(read_through(one, canonical_order(one)), read_through(two, canonical_order(two))));
}

TEST(CanonicalOrder, StaysFastOnLargeSymmetricGraphs) {
  const std::clock_t start = std::clock();
  GraphBuilder torus(100 * 100);
  for (std::int32_t r = 0; r < 100; ++r)
    for (std::int32_t c = 0; c < 100; ++c)
      torus.add_edge(100 * r + c, 100 * ((r + 1) % 100) + c)
          .add_edge(100 * r + c, 100 * r + (c + 1) % 100);
  for (const Graph& graph :
       {torus.build(), star(20000), complete_bipartite(500, 500), clique(400), hypercube(9),
        cycles(std::vector<std::int32_t>(300, 6)), make_graph(100000, {})})
    EXPECT_EQ(canonical_order(graph).size(), static_cast<std::size_t>(graph.num_nodes()));
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 10.0);
}

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/graph/graph_statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sgood/core/error.h"
#include "tests/graph/random_graph.h"

namespace sgood {
namespace {

/// A triangle with a tail of two nodes, and a node of its own.
Graph triangle_with_tail() {
  GraphBuilder builder(6);
  builder.add_edge(0, 1).add_edge(1, 2).add_edge(2, 0).add_edge(2, 3).add_edge(3, 4);
  return builder.build();
}

TEST(GraphStatistics, OfATriangleWithATailAndASingleNode) {
  const auto s = graph_statistics(triangle_with_tail(), Partition({0, 0, 0, 1, 1, 2}));
  const std::vector<double> expected = {std::log(6),
                                        std::log(6),  // five edges and one
                                        10.0 / 6,    3,           std::sqrt(22.0 / 6 - 100.0 / 36),
                                        std::log(2), std::log(2), 1.0 / 3,
                                        std::log(3), std::log(2), 2};
  for (std::size_t i = 0; i < s.size(); ++i)
    EXPECT_NEAR(s[i], expected[i], 1e-14) << kGraphStatistics[i];
}

TEST(GraphStatistics, OfNoNodeAndOfOneNode) {
  for (const double x : graph_statistics(Graph(), Partition())) EXPECT_EQ(x, 0);
  const auto s = graph_statistics(GraphBuilder(1).build(), Partition({0}));
  for (std::size_t i = 0; i + 1 < s.size(); ++i) EXPECT_EQ(s[i], 0) << kGraphStatistics[i];
  EXPECT_EQ(s.back(), 1);
}

TEST(GraphStatistics, RefusesAPartitionOfAnotherGraph) {
  EXPECT_THROW(graph_statistics(triangle_with_tail(), Partition({0, 0})), InvalidArgument);
}

TEST(GraphStatistics, AreTheSameToTheLastBitHoweverTheNodesAreNumbered) {
  Rng rng(1);
  for (int i = 0; i < 50; ++i) {
    const Graph graph = random_graph(23, 0.2, rng);
    const Partition pieces = random_partition(23, 5, rng);
    const std::vector<std::int32_t> order = random_order(23, rng);
    std::vector<std::int32_t> block(23);
    for (std::int32_t v = 0; v < 23; ++v)
      block[static_cast<std::size_t>(order[static_cast<std::size_t>(v)])] = pieces.block(v);
    EXPECT_EQ(graph_statistics(graph, pieces),
              graph_statistics(graph.relabelled(order), Partition(block)));
  }
}

TEST(CountTriangles, AgreesWithTryingAllTriples) {
  Rng rng(2);
  for (const double density : {0.0, 0.1, 0.4, 1.0}) {
    const Graph graph = random_graph(18, density, rng);
    std::int64_t expected = 0;
    for (std::int32_t a = 0; a < 18; ++a)
      for (std::int32_t b = 0; b < a; ++b)
        for (std::int32_t c = 0; c < b; ++c)
          expected += graph.has_edge(a, b) && graph.has_edge(b, c) && graph.has_edge(a, c);
    EXPECT_EQ(count_triangles(graph), expected);
  }
}

TEST(EdgeDensity, IsZeroWithoutPairsAndOneForAClique) {
  EXPECT_EQ(edge_density(Graph()), 0);
  EXPECT_EQ(edge_density(GraphBuilder(1).build()), 0);
  EXPECT_EQ(edge_density(GraphBuilder(2).add_edge(0, 1).build()), 1);
  EXPECT_EQ(edge_density(triangle_with_tail()), 1.0 / 3);
}

}  // namespace
}  // namespace sgood

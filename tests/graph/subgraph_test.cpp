// SPDX-License-Identifier: MIT
#include "sgood/graph/subgraph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "sgood/core/error.h"
#include "tests/graph/random_graph.h"

namespace sgood {
namespace {

using ::testing::ElementsAre;

/// A triangle 0 1 2, a tail 2 3 4, and a square 5 6 7 8 that the bridge 4 5 joins; 9 hangs on 6.
Graph two_rings_and_a_tail() {
  GraphBuilder builder(10);
  constexpr std::array<std::array<std::int32_t, 2>, 11> kEdges = {
      {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 5}, {6, 9}}};
  for (const auto& [u, v] : kEdges) builder.add_edge(u, v, std::array{u * 10 + v});
  std::vector<std::int32_t> labels;
  std::vector<float> attributes;
  for (std::int32_t v = 0; v < 10; ++v) {
    labels.insert(labels.end(), {v, -v});
    attributes.push_back(static_cast<float>(v) / 2);
  }
  return builder.set_node_labels(labels, 2)
      .set_node_attributes(attributes, 1)
      .set_id("rings")
      .set_row(3)
      .set_label(1)
      .build();
}

TEST(TwoCore, KeepsRingsAndWhatLinksThem) {
  EXPECT_THAT(two_core(two_rings_and_a_tail()), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
}

TEST(TwoCore, OfATreeIsEmpty) {
  GraphBuilder builder(6);
  for (std::int32_t v = 1; v < 6; ++v) builder.add_edge((v - 1) / 2, v);
  EXPECT_TRUE(two_core(builder.build()).empty());
  EXPECT_TRUE(two_core(Graph()).empty());
  EXPECT_TRUE(two_core(GraphBuilder(3).build()).empty());
}

TEST(TwoCore, IsTheLargestPartWhoseNodesAllHaveTwoNeighboursInIt) {
  Rng rng(4);
  for (int i = 0; i < 50; ++i) {
    const Graph graph = random_graph(25, 0.07, rng);
    const std::vector<std::int32_t> core = two_core(graph);
    std::vector<bool> inside(25, true);
    for (int round = 0; round < 25; ++round)
      for (std::int32_t v = 0; v < 25; ++v) {
        int degree = 0;
        for (const std::int32_t u : graph.neighbors(v)) degree += inside[std::size_t(u)] ? 1 : 0;
        if (degree < 2) inside[std::size_t(v)] = false;
      }
    std::vector<std::int32_t> expected;
    for (std::int32_t v = 0; v < 25; ++v)
      if (inside[std::size_t(v)]) expected.push_back(v);
    EXPECT_EQ(core, expected);
  }
}

TEST(InducedSubgraph, KeepsEdgesBetweenItsNodesAndAllThatIsKnownOfThem) {
  const Graph graph = two_rings_and_a_tail();
  const Graph part = induced_subgraph(graph, std::array{2, 3, 5, 6, 9});
  ASSERT_EQ(part.num_nodes(), 5);
  EXPECT_THAT(part.row_ptr(), ElementsAre(0, 1, 2, 3, 5, 6));
  EXPECT_THAT(part.col(), ElementsAre(1, 0, 3, 2, 4, 3));
  EXPECT_EQ(part.edge_labels(0)[0], 23);
  EXPECT_EQ(part.edge_labels(4)[0], 69);
  EXPECT_THAT(part.node_labels(2), ElementsAre(5, -5));
  EXPECT_THAT(part.node_attributes(4), ElementsAre(4.5F));
  EXPECT_EQ(part.id(), "rings");
  EXPECT_EQ(part.row(), 3);
  EXPECT_EQ(part.label(), 1);
}

TEST(InducedSubgraph, OnAllNodesIsTheGraphAndOnNoneIsEmpty) {
  const Graph graph = two_rings_and_a_tail();
  const Graph all = induced_subgraph(graph, std::array{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_THAT(all.col(), ::testing::ElementsAreArray(graph.col()));
  EXPECT_EQ(induced_subgraph(graph, {}).num_nodes(), 0);
}

TEST(InducedSubgraph, RefusesNodesThatDoNotAscendOrDoNotExist) {
  const Graph graph = two_rings_and_a_tail();
  EXPECT_THROW(induced_subgraph(graph, std::array{1, 1}), InvalidArgument);
  EXPECT_THROW(induced_subgraph(graph, std::array{2, 1}), InvalidArgument);
  EXPECT_THROW(induced_subgraph(graph, std::array{-1, 1}), InvalidArgument);
  EXPECT_THROW(induced_subgraph(graph, std::array{1, 10}), InvalidArgument);
}

}  // namespace
}  // namespace sgood

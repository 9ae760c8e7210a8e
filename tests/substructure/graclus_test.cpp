// SPDX-License-Identifier: MIT
#include "sgood/substructure/graclus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sgood/core/error.h"
#include "tests/substructure/golden_partitions.h"
#include "tests/substructure/graphs.h"

namespace sgood {
namespace {

using namespace test;
using ::testing::ElementsAre;

std::vector<std::int32_t> blocks_of(const Graph& graph, int levels) {
  const Partition found = GraclusPartitioner(levels).partition(graph);
  return {found.blocks().begin(), found.blocks().end()};
}

/// Nodes of all blocks.
std::vector<std::size_t> sizes_of(const Partition& partition) {
  std::vector<std::size_t> sizes;
  for (const auto& nodes : partition.members()) sizes.push_back(nodes.size());
  return sizes;
}

TEST(Graclus, KnownAnswersOfOneLevel) {
  EXPECT_THAT(blocks_of(path(5), 1), ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(blocks_of(star(3), 1), ElementsAre(0, 0, 1, 2));
  EXPECT_THAT(blocks_of(clique(4), 1), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(blocks_of(cycles({4}), 1), ElementsAre(0, 0, 1, 1));
}

TEST(Graclus, KnownAnswersOfMoreLevels) {
  EXPECT_THAT(blocks_of(path(8), 2), ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(blocks_of(path(8), 3), ElementsAre(0, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(blocks_of(clique(4), 30), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(blocks_of(make_graph(4, {{0, 3}}), 30), ElementsAre(0, 1, 2, 0));
}

TEST(Graclus, PrefersTheNeighbourOfSmallDegreeAndOfManyEdges) {
  // Node 0 is joined to 1, of degree 3, and to 2, of degree 2.
  EXPECT_THAT(blocks_of(make_graph(6, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}}), 1),
              ElementsAre(0, 1, 0, 1, 2, 3));
  // {0, 1} is joined by one edge to {2, 3}, of degree sum 3, and by two to {4, 5}, of degree sum 4.
  EXPECT_THAT(blocks_of(make_graph(6, {{0, 1}, {2, 3}, {4, 5}, {0, 2}, {0, 4}, {1, 5}}), 2),
              ElementsAre(0, 0, 1, 1, 0, 0));
}

TEST(Graclus, BlocksAreConnectedAndDoubleAtMostWithEveryLevel) {
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    const auto n = static_cast<std::int32_t>(1 + rng.below(60));
    const Graph graph = random_graph(n, rng.uniform(0, 0.2), rng);
    for (const int levels : {1, 2, 3, 5}) {
      const Partition found = GraclusPartitioner(levels).partition(graph);
      EXPECT_TRUE(blocks_connected(graph, found));
      EXPECT_LE(std::ranges::max(sizes_of(found)), std::size_t{1} << levels);
    }
  }
}

TEST(Graclus, OneLevelIsAMaximalMatching) {
  Rng rng(4);
  for (int i = 0; i < 100; ++i) {
    const Graph graph = random_graph(40, rng.uniform(0, 0.2), rng);
    const Partition found = GraclusPartitioner(1).partition(graph);
    const std::vector<std::size_t> sizes = sizes_of(found);
    const auto alone = [&](std::int32_t v) {
      return sizes[static_cast<std::size_t>(found.block(v))] == 1;
    };
    for (std::int32_t u = 0; u < graph.num_nodes(); ++u)
      for (const std::int32_t v : graph.neighbors(u)) EXPECT_FALSE(alone(u) && alone(v));
  }
}

TEST(Graclus, EqualsThePlainRuleOnTwoHundredGraphs) {
  ASSERT_EQ(golden_partitions()["graphs"].size(), 200U);
  for (const auto& expected : golden_partitions()["graphs"])
    for (const int level : {1, 2, 3})
      EXPECT_EQ(
          blocks_of(golden_graph(expected), level),
          expected["graclus"][static_cast<std::size_t>(level - 1)].get<std::vector<std::int32_t>>())
          << expected["set"] << " " << expected["row"] << ", level " << level;
}

TEST(Graclus, RefusesLevelsOutOfRange) {
  EXPECT_THROW(GraclusPartitioner(0), InvalidArgument);
  EXPECT_THROW(GraclusPartitioner(31), InvalidArgument);
}

}  // namespace
}  // namespace sgood

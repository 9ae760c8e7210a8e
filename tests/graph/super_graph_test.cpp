// SPDX-License-Identifier: MIT
#include "sgood/graph/super_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sgood/core/error.h"
#include "tests/graph/random_graph.h"

namespace sgood {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SuperGraph, TwoTrianglesJoinedByTwoEdgesBecomeOneSuperEdge) {
  GraphBuilder builder(6);
  builder.add_edge(0, 1).add_edge(1, 2).add_edge(0, 2);
  builder.add_edge(3, 4).add_edge(4, 5).add_edge(3, 5);
  builder.add_edge(2, 3).add_edge(1, 4);
  const SuperGraph super(builder.build(), Partition({0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(super.num_blocks(), 2);
  EXPECT_THAT(super.neighbors(0), ElementsAre(1));
  EXPECT_THAT(super.neighbors(1), ElementsAre(0));
}

TEST(SuperGraph, SingletonsGiveTheGraphAndOneBlockGivesNoEdges) {
  Rng rng(3);
  const Graph graph = random_graph(10, 0.3, rng);
  const SuperGraph same(graph, Partition::singletons(10));
  EXPECT_TRUE(std::ranges::equal(same.col, graph.col()));
  const SuperGraph one(graph, Partition(std::vector<std::int32_t>(10, 0)));
  EXPECT_EQ(one.num_blocks(), 1);
  EXPECT_THAT(one.col, IsEmpty());
}

TEST(SuperGraph, BlocksAreAdjacentExactlyWhenAnEdgeJoinsThem) {
  Rng rng(4);
  for (int round = 0; round < 50; ++round) {
    const Graph graph = random_graph(15, 0.1, rng);
    const Partition partition = random_partition(15, 6, rng);
    const SuperGraph super(graph, partition);
    for (std::int32_t a = 0; a < super.num_blocks(); ++a)
      for (std::int32_t b = 0; b < super.num_blocks(); ++b) {
        bool joined = false;
        for (std::int32_t u = 0; u < 15; ++u)
          for (std::int32_t v = 0; v < 15; ++v)
            joined |= a != b && partition.block(u) == a && partition.block(v) == b &&
                      graph.has_edge(u, v);
        EXPECT_EQ(std::ranges::count(super.neighbors(a), b), joined ? 1 : 0);
      }
  }
}

TEST(SuperGraph, RefusesAPartitionOfAnotherSize) {
  EXPECT_THROW(SuperGraph(Graph(), Partition({0})), InvalidArgument);
}

}  // namespace
}  // namespace sgood

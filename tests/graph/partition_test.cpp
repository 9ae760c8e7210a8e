// SPDX-License-Identifier: MIT
#include "sgood/graph/partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sgood/core/error.h"
#include "sgood/graph/graph_builder.h"

namespace sgood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Partition, MembersListEveryNodeOnce) {
  const Partition partition({1, 0, 1, 2});
  EXPECT_EQ(partition.num_blocks(), 3);
  EXPECT_THAT(partition.members(), ElementsAre(ElementsAre(1), ElementsAre(0, 2), ElementsAre(3)));
  EXPECT_EQ(partition, Partition({1, 0, 1, 2}));
  EXPECT_NE(partition, Partition({0, 1, 0, 2}));
}

TEST(Partition, RefusesGapsAndNumbersOutOfRange) {
  EXPECT_THAT(
      [] {
        Partition({0, 2, 2});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("block 1 is empty")));
  EXPECT_THAT(
      [] {
        Partition({0, 3, 1});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("block 3 is not in [0, 3)")));
  EXPECT_THROW(Partition({-1}), InvalidArgument);
}

TEST(Partition, SingletonsAndTheEmptyPartition) {
  EXPECT_EQ(Partition::singletons(3).num_blocks(), 3);
  EXPECT_EQ(Partition::singletons(0), Partition());
  EXPECT_EQ(Partition().num_blocks(), 0);
}

TEST(Partition, ConnectednessLooksAtEdgesInsideBlocksOnly) {
  const Graph path = GraphBuilder(4).add_edge(0, 1).add_edge(1, 2).add_edge(2, 3).build();
  EXPECT_TRUE(blocks_connected(path, Partition({0, 0, 1, 1})));
  EXPECT_TRUE(blocks_connected(path, Partition({0, 0, 0, 0})));
  EXPECT_FALSE(blocks_connected(path, Partition({0, 1, 0, 1})));
  EXPECT_FALSE(blocks_connected(path, Partition({0, 1, 1, 0})));
  EXPECT_TRUE(blocks_connected(Graph(), Partition()));
  EXPECT_THROW(blocks_connected(path, Partition({0, 0})), InvalidArgument);
}

TEST(Partition, ConnectedPartsAreNumberedByTheirFirstNodes) {
  const Graph path = GraphBuilder(5).add_edge(0, 1).add_edge(1, 2).add_edge(2, 3).build();
  EXPECT_THAT(connected_parts(path, std::vector{4, 4, 9, 4, 4}).blocks(),
              ElementsAre(0, 0, 1, 2, 3));
  EXPECT_THAT(connected_parts(path, std::vector{0, 0, 0, 0, 0}).blocks(),
              ElementsAre(0, 0, 0, 0, 1));
  EXPECT_EQ(connected_parts(Graph(), {}), Partition());
  EXPECT_THROW(connected_parts(path, std::vector{1}), InvalidArgument);
}

}  // namespace
}  // namespace sgood

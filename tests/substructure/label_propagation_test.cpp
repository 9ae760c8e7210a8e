// SPDX-License-Identifier: MIT
#include "sgood/substructure/label_propagation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/substructure/golden_partitions.h"
#include "tests/substructure/graphs.h"

namespace sgood {
namespace {

using namespace test;
using ::testing::ElementsAre;

std::vector<std::int32_t> blocks_of(const Graph& graph) {
  const Partition found = LabelPropagationPartitioner().partition(graph);
  return {found.blocks().begin(), found.blocks().end()};
}

TEST(LabelPropagation, KnownAnswers) {
  EXPECT_THAT(blocks_of(star(3)), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(blocks_of(clique(4)), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(blocks_of(make_graph(3, {{0, 2}})), ElementsAre(0, 1, 0));
  EXPECT_THAT(blocks_of(disjoint_union(clique(3), clique(4))), ElementsAre(0, 0, 0, 1, 1, 1, 1));
}

TEST(LabelPropagation, DividesTheKarateClubInto15And16AndThree) {
  std::map<std::int32_t, int> sizes;
  const std::vector<std::int32_t> blocks = blocks_of(golden_graph(golden_partitions()["zachary"]));
  for (const std::int32_t b : blocks) ++sizes[b];
  EXPECT_THAT(sizes, ElementsAre(std::pair(0, 15), std::pair(1, 16), std::pair(2, 3)));
  EXPECT_THAT((std::vector{blocks[5], blocks[6], blocks[16]}), ElementsAre(2, 2, 2));
}

TEST(LabelPropagation, EqualsNetworkxOnTwoHundredGraphs) {
  ASSERT_EQ(golden_partitions()["graphs"].size(), 200U);
  for (const auto& expected : golden_partitions()["graphs"])
    EXPECT_EQ(blocks_of(golden_graph(expected)),
              expected["label_propagation"].get<std::vector<std::int32_t>>())
        << expected["set"] << " " << expected["row"];
}

}  // namespace
}  // namespace sgood

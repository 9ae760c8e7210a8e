// SPDX-License-Identifier: MIT
#include "sgood/substructure/brics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sgood/core/error.h"
#include "tests/substructure/graphs.h"

namespace sgood {
namespace {

using namespace test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(BricsPartitioner, GivesTheFragmentsOfTheReaderNumberedByFirstNode) {
  GraphBuilder builder(4);
  builder.add_edge(0, 1).add_edge(1, 2).add_edge(2, 3).set_fragments({7, 7, 3, 3});
  EXPECT_THAT(BricsPartitioner().partition(builder.build()).blocks(), ElementsAre(0, 0, 1, 1));
}

TEST(BricsPartitioner, SplitsFragmentsThatDoNotHangTogether) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1).set_fragments({1, 1, 1});
  EXPECT_THAT(BricsPartitioner().partition(builder.build()).blocks(), ElementsAre(0, 0, 1));
}

TEST(BricsPartitioner, TellsTheCureForAGraphWithoutFragments) {
  const Graph graph = GraphBuilder(2).set_id("m17").build();
  EXPECT_THAT([&] { BricsPartitioner().partition(graph); },
              ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("m17"), HasSubstr(".smi"),
                                                   HasSubstr("fragmentation"),
                                                   HasSubstr("another partitioner"))));
}

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/graph/graph_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sgood/core/error.h"
#include "sgood/graph/graph_set.h"
#include "tests/graph/random_graph.h"

namespace sgood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

TEST(GraphBuilder, MergesRepeatedEdgesAndDropsSelfLoops) {
  GraphBuilder builder(4);
  builder.add_edge(2, 1).add_edge(1, 2).add_edge(1, 2).add_edge(3, 3).add_edge(0, 2);
  const Graph graph = builder.build();
  EXPECT_EQ(graph.num_nodes(), 4);
  EXPECT_EQ(graph.num_edges(), 2);
  EXPECT_EQ(builder.merged_edges(), 2);
  EXPECT_EQ(builder.dropped_self_loops(), 1);
  EXPECT_THAT(graph.neighbors(2), ElementsAre(0, 1));
  EXPECT_THAT(graph.neighbors(3), IsEmpty());
  EXPECT_TRUE(graph.has_edge(1, 2));
  EXPECT_TRUE(graph.has_edge(2, 1));
  EXPECT_FALSE(graph.has_edge(0, 1));
}

TEST(GraphBuilder, KeepsTheFirstLabelOfARepeatedEdgeInBothDirections) {
  GraphBuilder builder(3);
  const std::int32_t labels[] = {7, 8, 9};
  builder.add_edge(1, 0, std::span(labels, 1));
  builder.add_edge(0, 1, std::span(labels + 1, 1));
  builder.add_edge(1, 2, std::span(labels + 2, 1));
  const Graph graph = builder.build();
  for (std::int32_t v = 0; v < 3; ++v)
    for (std::int32_t e = graph.row_ptr()[static_cast<std::size_t>(v)];
         e < graph.row_ptr()[static_cast<std::size_t>(v) + 1]; ++e) {
      const bool touches_two = v == 2 || graph.col()[static_cast<std::size_t>(e)] == 2;
      EXPECT_THAT(graph.edge_labels(e), ElementsAre(touches_two ? 9 : 7));
    }
}

TEST(GraphBuilder, IsEmptyAfterBuild) {
  GraphBuilder builder(2);
  builder.add_edge(0, 1).set_id("a").set_label(3);
  builder.build();
  const Graph second = builder.build();
  EXPECT_EQ(second.num_nodes(), 0);
  EXPECT_EQ(second.id(), "");
  EXPECT_EQ(second.label(), std::nullopt);
}

TEST(GraphBuilder, ARandomGraphIsSymmetricWithAscendingLists) {
  Rng rng(1);
  const Graph graph = random_graph(30, 0.2, rng);
  std::int32_t ends = 0;
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
    const auto list = graph.neighbors(v);
    ends += graph.degree(v);
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
    for (const std::int32_t u : list) EXPECT_TRUE(graph.has_edge(u, v));
  }
  EXPECT_GT(graph.num_edges(), 0);
  EXPECT_EQ(ends, 2 * graph.num_edges());
}

TEST(GraphBuilder, ErrorsNameTheValueAndWhatIsLegal) {
  EXPECT_THAT([] { GraphBuilder(-1); }, ThrowsMessage<InvalidArgument>(HasSubstr("-1")));
  EXPECT_THAT([] { GraphBuilder(3).add_edge(0, 3); },
              ThrowsMessage<InvalidArgument>(HasSubstr("node 3 is not in [0, 3)")));
  EXPECT_THAT([] { GraphBuilder(3).add_edge(-1, 2); },
              ThrowsMessage<InvalidArgument>(HasSubstr("node -1")));
  EXPECT_THAT(
      [] {
        GraphBuilder(2).set_node_labels({1, 2, 3}, 2);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("2 nodes x 2 columns")));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(
      [&] {
        GraphBuilder(2).set_node_attributes({1, 2, 3, nan}, 2);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("attribute 1 of node 1 is nan")));
  const std::int32_t label = 1;
  EXPECT_THAT([&] { GraphBuilder(3).add_edge(0, 1).add_edge(1, 2, std::span(&label, 1)); },
              ThrowsMessage<InvalidArgument>(HasSubstr("has 1 labels but the first edge has 0")));
}

TEST(GraphBuilder, KeepsOneFragmentPerNodeThroughCopiesAndRelabelling) {
  const Graph graph = GraphBuilder(3).add_edge(0, 1).set_fragments({5, 5, 2}).build();
  EXPECT_THAT(graph.with_label(1).fragments(), ElementsAre(5, 5, 2));
  EXPECT_THAT(graph.relabelled(std::vector{1, 2, 0}).fragments(), ElementsAre(2, 5, 5));
  EXPECT_TRUE(GraphBuilder(3).build().fragments().empty());
  EXPECT_THAT(
      [] {
        GraphBuilder(3).set_fragments({1, 2});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("fragments has 2 values")));
}

TEST(Graph, RelabellingMovesEverythingAndTheInverseUndoesIt) {
  Rng rng(2);
  const Graph graph = random_graph(12, 0.3, rng);
  const auto to = random_order(12, rng);
  std::vector<std::int32_t> back(12);
  for (std::int32_t v = 0; v < 12; ++v)
    back[static_cast<std::size_t>(to[static_cast<std::size_t>(v)])] = v;
  const Graph moved = graph.relabelled(to);
  const Graph again = moved.relabelled(back);
  for (std::int32_t v = 0; v < 12; ++v) {
    const std::int32_t w = to[static_cast<std::size_t>(v)];
    EXPECT_TRUE(std::ranges::equal(graph.node_labels(v), moved.node_labels(w)));
    EXPECT_TRUE(std::ranges::equal(graph.node_attributes(v), moved.node_attributes(w)));
    EXPECT_EQ(graph.degree(v), moved.degree(w));
    for (const std::int32_t u : graph.neighbors(v))
      EXPECT_TRUE(moved.has_edge(w, to[static_cast<std::size_t>(u)]));
  }
  EXPECT_TRUE(std::ranges::equal(graph.col(), again.col()));
  for (std::int32_t e = 0; e < 2 * graph.num_edges(); ++e)
    EXPECT_TRUE(std::ranges::equal(graph.edge_labels(e), again.edge_labels(e)));
  EXPECT_THROW(graph.relabelled(std::vector<std::int32_t>(12, 0)), InvalidArgument);
}

TEST(Graph, ExchangesItsLabelOrItsNodeLabelsAlone) {
  Rng rng(12);
  const Graph graph = random_graph(5, 0.5, rng);
  const Graph other = graph.with_node_labels({1, 2, 3, 4, 5}, 1).with_label(7);
  EXPECT_THAT(other.node_labels(4), ElementsAre(5));
  EXPECT_EQ(other.label(), 7);
  EXPECT_TRUE(std::ranges::equal(other.col(), graph.col()));
  EXPECT_TRUE(std::ranges::equal(other.node_attributes(3), graph.node_attributes(3)));
  EXPECT_EQ(graph.num_label_columns(), 2);
  EXPECT_THROW(graph.with_node_labels({1, 2}, 1), InvalidArgument);
}

TEST(GraphSet, SubsetKeepsColumnsAndRefusesPositionsOutside) {
  GraphSet set;
  for (std::int32_t i = 0; i < 3; ++i)
    set.graphs.push_back(GraphBuilder(i).set_id(std::to_string(i)).set_label(0).build());
  set.class_names = {"a"};
  set.bad_rows.push_back({3, "3", "broken"});
  const GraphSet part = set.subset({2, 0});
  EXPECT_EQ(set.num_rows(), 4);
  EXPECT_EQ(part.num_rows(), 2);
  EXPECT_EQ(part.graphs[0].id(), "2");
  EXPECT_THAT(part.class_names, ElementsAre("a"));
  EXPECT_TRUE(part.labelled());
  EXPECT_FALSE(GraphSet().labelled());
  EXPECT_THROW(set.subset({3}), InvalidArgument);
}

}  // namespace
}  // namespace sgood

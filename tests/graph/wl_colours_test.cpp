// SPDX-License-Identifier: MIT
#include "sgood/graph/wl_colours.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sgood/core/error.h"
#include "tests/graph/random_graph.h"

namespace sgood {
namespace {

Graph ring(std::int32_t nodes, std::int32_t rings = 1) {
  GraphBuilder builder(nodes * rings);
  for (std::int32_t r = 0; r < rings; ++r)
    for (std::int32_t v = 0; v < nodes; ++v)
      builder.add_edge(r * nodes + v, r * nodes + (v + 1) % nodes);
  return builder.build();
}

std::vector<std::int32_t> numbers_of_nodes(const Graph& graph, int rounds, std::int32_t columns) {
  std::vector<std::int32_t> numbers;
  for (const ColourCount& c : count_colours(wl_colours(graph, rounds, columns)))
    numbers.push_back(c.count);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

TEST(WlColours, OfAPathOfFiveTellEndsThenTheirNeighboursThenTheMiddle) {
  GraphBuilder builder(5);
  for (int v = 0; v < 4; ++v) builder.add_edge(v, v + 1);
  const Graph path = builder.build();
  using ::testing::ElementsAre;
  EXPECT_THAT(numbers_of_nodes(path, 0, 0), ElementsAre(5));
  EXPECT_THAT(numbers_of_nodes(path, 1, 0), ElementsAre(2, 3, 5));
  EXPECT_THAT(numbers_of_nodes(path, 2, 0), ElementsAre(1, 2, 2, 2, 3, 5));
}

TEST(WlColours, StartWithTheFirstColumnsOfTheLabels) {
  const Graph graph = GraphBuilder(4).set_node_labels({7, 1, 7, 2, 7, 2, 3, 1}, 2).build();
  using ::testing::ElementsAre;
  EXPECT_THAT(numbers_of_nodes(graph, 0, 0), ElementsAre(4));
  EXPECT_THAT(numbers_of_nodes(graph, 0, 1), ElementsAre(1, 3));
  EXPECT_THAT(numbers_of_nodes(graph, 0, 2), ElementsAre(1, 1, 2));
  EXPECT_THROW(wl_colours(graph, 0, 3), InvalidArgument);
  EXPECT_THROW(wl_colours(graph, -1, 0), InvalidArgument);
}

TEST(WlColours, DoNotDependOnNodeNumbering) {
  Rng rng(3);
  for (int i = 0; i < 30; ++i) {
    const Graph graph = random_graph(20, 0.15, rng);
    EXPECT_EQ(count_colours(wl_colours(graph, 3, 2)),
              count_colours(wl_colours(graph.relabelled(random_order(20, rng)), 3, 2)));
  }
}

TEST(WlColours, CannotTellOneRingOfSixFromTwoOfThreeButARingOfFive) {
  EXPECT_EQ(count_colours(wl_colours(ring(6), 5, 0)), count_colours(wl_colours(ring(3, 2), 5, 0)));
  EXPECT_NE(count_colours(wl_colours(ring(6), 1, 0)), count_colours(wl_colours(ring(5), 1, 0)));
}

TEST(WlColours, OfDifferentRoundsDiffer) {
  EXPECT_EQ(count_colours(wl_colours(ring(4), 10, 0)).size(), 11u);
  EXPECT_EQ(count_colours(wl_colours(GraphBuilder(1).build(), 10, 0)).size(), 11u);
  EXPECT_TRUE(count_colours(wl_colours(Graph(), 3, 0)).empty());
}

TEST(WlColours, StartWithAnyChoiceOfColumns) {
  const Graph graph = GraphBuilder(4).set_node_labels({7, 1, 7, 2, 7, 2, 3, 1}, 2).build();
  const std::vector<std::int32_t> second = {1}, both = {0, 1}, third = {2};
  EXPECT_EQ(count_colours(wl_colours(graph, 0, WlLabels{second})[0]).size(), 2u);
  EXPECT_EQ(wl_colours(graph, 3, WlLabels{both}), wl_colours(graph, 3, 2));
  EXPECT_THROW(wl_colours(graph, 0, WlLabels{third}), InvalidArgument);
}

TEST(WlColours, WithEdgeLabelsTellNeighbourhoodsApartByTheFirstOne) {
  const auto path = [](std::int32_t first, std::int32_t second, std::int32_t other) {
    const std::vector<std::int32_t> a = {first, other}, b = {second, other};
    return GraphBuilder(3).add_edge(0, 1, a).add_edge(1, 2, b).build();
  };
  const auto colours = [](const Graph& graph, bool edges) {
    return count_colours(wl_colours(graph, 2, WlLabels{{}, edges}));
  };
  EXPECT_EQ(colours(path(1, 2, 0), true), colours(path(2, 1, 5), true));
  EXPECT_NE(colours(path(1, 2, 0), true), colours(path(1, 1, 0), true));
  EXPECT_EQ(colours(path(1, 2, 0), false), colours(path(1, 1, 0), false));
  EXPECT_THROW(colours(ring(3), true), InvalidArgument);
  EXPECT_EQ(colours(GraphBuilder(2).build(), true), colours(GraphBuilder(2).build(), false));
}

TEST(WlColours, StayWhatModelFilesHold) {
  const Graph graph = GraphBuilder(2).add_edge(0, 1).set_node_labels({5, -3}, 1).build();
  const auto colours = wl_colours(graph, 1, 1);
  EXPECT_EQ(colours[0], (std::vector<std::uint64_t>{1952936728445087881u, 8458937671082192852u}));
  EXPECT_EQ(colours[1], (std::vector<std::uint64_t>{12459569577283172958u, 7013104519579624109u}));
  const std::vector<std::int32_t> bond = {4}, first = {0};
  const Graph bonded = GraphBuilder(2).add_edge(0, 1, bond).set_node_labels({5, -3}, 1).build();
  EXPECT_EQ(wl_colours(bonded, 1, WlLabels{first, true})[1],
            (std::vector<std::uint64_t>{14720372549395459751u, 4610297007233350352u}));
}

}  // namespace
}  // namespace sgood

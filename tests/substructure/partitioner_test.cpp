// SPDX-License-Identifier: MIT
#include "sgood/substructure/partitioner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "sgood/core/error.h"
#include "sgood/substructure/canonical_order.h"
#include "tests/substructure/graphs.h"

namespace sgood {
namespace {

using namespace test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Graph> corner_cases() {
  return {Graph(), make_graph(1, {}),       make_graph(6, {}),
          path(2), make_graph(5, {{1, 3}}), disjoint_union(clique(4), path(3))};
}

TEST(Partitioners, HaveNamesThatFindThem) {
  for (const PartitionerInfo& row : partitioners()) {
    EXPECT_EQ(row.make()->name(), row.name);
    EXPECT_EQ(make_partitioner(row.name)->name(), row.name);
    EXPECT_FALSE(row.summary.empty());
  }
}

TEST(Partitioners, ListTheKnownNamesForAnUnknownOne) {
  try {
    make_partitioner("metis");
    FAIL() << "no error";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("metis"), HasSubstr("modularity"), HasSubstr("none")));
  }
}

TEST(Partitioners, CoverEveryGraphWithConnectedBlocksNumberedByFirstNode) {
  Rng rng(11);
  std::vector<Graph> graphs = corner_cases();
  for (int i = 0; i < 200; ++i) {
    const auto n = static_cast<std::int32_t>(1 + rng.below(60));
    graphs.push_back(random_graph(n, rng.uniform(0, 0.3), rng));
  }
  for (const PartitionerInfo& row : partitioners())
    for (const Graph& graph : graphs)
      for (const NodeOrder order : {NodeOrder::kInput, NodeOrder::kCanonical}) {
        const Substructures found = find_substructures(graph, *row.make(), order);
        ASSERT_EQ(found.partition.num_nodes(), graph.num_nodes());
        ASSERT_TRUE(blocks_connected(graph, found.partition)) << row.name;
        std::int32_t seen = 0;
        for (const std::int32_t v : found.order) {
          ASSERT_LE(found.partition.block(v), seen);
          if (found.partition.block(v) == seen) ++seen;
        }
        ASSERT_EQ(seen, found.partition.num_blocks());
      }
}

TEST(Partitioners, GiveAFunctionOfTheGraphInCanonicalOrder) {
  Rng rng(12);
  std::vector<Graph> graphs = {grid(5, 6),           hypercube(4),   petersen(),
                               cycles({10, 10}),     cycles({3, 4}), complete_bipartite(5, 5),
                               random_tree(50, rng), barbell(5),     random_regular(20, 3, rng)};
  for (int i = 0; i < 60; ++i)
    graphs.push_back(random_graph(static_cast<std::int32_t>(2 + rng.below(40)), 0.1, rng));
  for (const PartitionerInfo& row : partitioners())
    for (const Graph& graph : graphs) {
      const Substructures a = find_substructures(graph, *row.make(), NodeOrder::kCanonical);
      const std::vector<std::int32_t> to = random_permutation(graph.num_nodes(), rng);
      const Graph other = graph.relabelled(to);
      const Substructures b = find_substructures(other, *row.make(), NodeOrder::kCanonical);
      ASSERT_TRUE(
          same_graph(graph.relabelled(inverse(a.order)), other.relabelled(inverse(b.order))));
      for (std::size_t i = 0; i < a.order.size(); ++i)
        ASSERT_EQ(a.partition.block(a.order[i]), b.partition.block(b.order[i])) << row.name;
    }
}

TEST(Substructures, KeepTheInputOrderWhenAsked) {
  const Substructures found =
      find_substructures(star(3), *make_partitioner("none"), NodeOrder::kInput);
  EXPECT_THAT(found.order, ElementsAre(0, 1, 2, 3));
}

TEST(ComponentsPartitioner, MakesEveryComponentOneBlock) {
  const Graph graph = make_graph(6, {{0, 3}, {3, 5}, {1, 4}});
  EXPECT_THAT(make_partitioner("none")->partition(graph).blocks(), ElementsAre(0, 1, 2, 0, 1, 0));
}

}  // namespace
}  // namespace sgood

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
  return {Graph(),
          make_graph(1, {}),
          make_graph(6, {}),
          path(2),
          path(9),
          star(6),
          clique(5),
          make_graph(5, {{1, 3}}),
          disjoint_union(clique(4), path(3))};
}

/// The graphs as `partitioner` needs them: with fragments if it asks for some.
std::vector<Graph> readable_by(const Partitioner& partitioner, std::vector<Graph> graphs,
                               Rng& rng) {
  if (partitioner.fragmentation() != Fragmentation::kNone)
    for (Graph& graph : graphs) graph = with_random_fragments(graph, 3, rng);
  return graphs;
}

TEST(Partitioners, HaveNamesThatFindThem) {
  for (const PartitionerInfo& row : partitioners()) {
    EXPECT_EQ(row.make({})->name(), row.name);
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
  for (const PartitionerInfo& row : partitioners()) {
    const auto partitioner = row.make({});
    for (const Graph& graph : readable_by(*partitioner, graphs, rng))
      for (const NodeOrder order : {NodeOrder::kInput, NodeOrder::kCanonical}) {
        const Substructures found = find_substructures(graph, *partitioner, order);
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
}

TEST(Partitioners, GiveAFunctionOfTheGraphInCanonicalOrder) {
  Rng rng(12);
  std::vector<Graph> graphs = {grid(5, 6),           hypercube(4),   petersen(),
                               cycles({10, 10}),     cycles({3, 4}), complete_bipartite(5, 5),
                               random_tree(50, rng), barbell(5),     random_regular(20, 3, rng)};
  for (int i = 0; i < 60; ++i)
    graphs.push_back(random_graph(static_cast<std::int32_t>(2 + rng.below(40)), 0.1, rng));
  for (const PartitionerInfo& row : partitioners()) {
    const auto partitioner = row.make({});
    if (partitioner->fragmentation() != Fragmentation::kNone) continue;  // see the next test
    for (const Graph& graph : graphs) {
      const Substructures a = find_substructures(graph, *partitioner, NodeOrder::kCanonical);
      const std::vector<std::int32_t> to = random_permutation(graph.num_nodes(), rng);
      const Graph other = graph.relabelled(to);
      const Substructures b = find_substructures(other, *partitioner, NodeOrder::kCanonical);
      ASSERT_TRUE(
          same_graph(graph.relabelled(inverse(a.order)), other.relabelled(inverse(b.order))));
      for (std::size_t i = 0; i < a.order.size(); ++i)
        ASSERT_EQ(a.partition.block(a.order[i]), b.partition.block(b.order[i])) << row.name;
    }
  }
}

TEST(Partitioners, FindTheFragmentsOfTheReaderHoweverTheNodesAreNumbered) {
  Rng rng(13);
  for (int i = 0; i < 60; ++i) {
    const Graph graph = with_random_fragments(
        random_graph(static_cast<std::int32_t>(1 + rng.below(40)), 0.1, rng), 3, rng);
    const std::vector<std::int32_t> to = random_permutation(graph.num_nodes(), rng);
    const auto brics = make_partitioner("brics");
    const Partition a = find_substructures(graph, *brics, NodeOrder::kCanonical).partition;
    const Partition b =
        find_substructures(graph.relabelled(to), *brics, NodeOrder::kCanonical).partition;
    ASSERT_EQ(a.num_blocks(), b.num_blocks());
    std::vector<std::int32_t> image(static_cast<std::size_t>(a.num_blocks()), -1);
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
      std::int32_t& block = image[static_cast<std::size_t>(a.block(v))];
      const std::int32_t other = b.block(to[static_cast<std::size_t>(v)]);
      if (block < 0) block = other;
      ASSERT_EQ(block, other);
    }
  }
}

TEST(Partitioners, TakeTheirOptions) {
  EXPECT_EQ(make_partitioner("graclus", {.graclus_levels = 1})->partition(path(4)).num_blocks(), 2);
  EXPECT_EQ(make_partitioner("graclus", {.graclus_levels = 2})->partition(path(4)).num_blocks(), 1);
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

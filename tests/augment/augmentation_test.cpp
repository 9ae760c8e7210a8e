// SPDX-License-Identifier: MIT
#include "sgood/augment/augmentation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "sgood/core/error.h"
#include "tests/augment/packed_view.h"

namespace sgood {
namespace {

using ::testing::HasSubstr;

std::vector<PackedGraph> random_graphs(std::int32_t count, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<PackedGraph> graphs;
  for (std::int32_t i = 0; i < count; ++i) graphs.push_back(random_graph(rng, i));
  return graphs;
}

bool adjacent(const PackedGraph& graph, std::int32_t u, std::int32_t v) {
  const auto first = graph.col.begin() + graph.row_ptr[idx(u)];
  return std::binary_search(first, graph.col.begin() + graph.row_ptr[idx(u) + 1], v);
}

/// Nodes of the view that come from graph `number` form the subgraph that they induce there.
void expect_induced(const View& view, const PackedGraph& graph, std::int32_t number) {
  for (std::int32_t v = 0; v < view.num_nodes(); ++v)
    for (std::int32_t u = 0; u < view.num_nodes(); ++u) {
      if (view.origin[idx(v)][0] != number || view.origin[idx(u)][0] != number) continue;
      const auto& list = view.neighbors[idx(v)];
      EXPECT_EQ(std::binary_search(list.begin(), list.end(), u),
                adjacent(graph, view.origin[idx(v)][1], view.origin[idx(u)][1]));
    }
}

/// Every block of the view is a whole block of its graph, the kept ones in their old order.
void expect_whole_blocks(const View& view, std::span<const PackedGraph> graphs) {
  for (const auto& members : view.members()) {
    const PackedGraph& graph = graphs[idx(members.front()[0])];
    const auto& ptr = graph.block_ptr;
    const auto at = std::find(ptr.begin(), ptr.end(), members.front()[1]);
    ASSERT_NE(at, ptr.end());
    ASSERT_EQ(*(at + 1) - *at, static_cast<std::int32_t>(members.size()));
    for (std::size_t i = 0; i < members.size(); ++i) {
      EXPECT_EQ(members[i][0], members.front()[0]);
      EXPECT_EQ(members[i][1], *at + static_cast<std::int32_t>(i));
    }
  }
}

TEST(Augmentations, AreFoundByEitherNameAndUnknownNamesListTheKnownOnes) {
  EXPECT_THAT(augmentation_names(),
              testing::ElementsAre("identity", "substructure-drop", "supergraph-sample",
                                   "substructure-substitute", "edge-perturb", "attribute-mask",
                                   "node-drop", "subgraph-sample"));
  for (const AugmentationInfo& info : augmentations()) {
    EXPECT_NE(make_augmentation(info.name, {}), nullptr);
    EXPECT_NE(make_augmentation(info.short_name, {}), nullptr);
    EXPECT_FALSE(info.summary.empty());
    EXPECT_FALSE(info.reference.empty());
  }
  try {
    make_augmentation("SX", {});
    FAIL();
  } catch (const InvalidArgument& error) {
    for (const AugmentationInfo& info : augmentations())
      EXPECT_THAT(error.what(), HasSubstr(std::string(info.name)));
    EXPECT_THAT(error.what(), HasSubstr("'SX'"));
  }
  EXPECT_THROW(make_augmentation("SD", {{}, 1.5}), InvalidArgument);
  EXPECT_THROW(make_augmentation("SD", {{}, std::nan("")}), InvalidArgument);
}

TEST(Augmentations, OfThePaperKeepSubstructuresWhole) {
  const auto graphs = random_graphs(2000, 1);
  for (const double ratio : {0.0, 0.3, 0.7, 1.0})
    for (const std::string name : {"I", "SD", "SG", "SS"}) {
      const auto augmentation = make_augmentation(name, {graphs, ratio});
      Rng rng(5);
      const PackedBatch batch = write(*augmentation, graphs, rng, ratio < 0.5);
      for (std::int32_t g = 0; g < batch.num_graphs; ++g) {
        const View view = read_back(batch, g);
        expect_whole_blocks(view, graphs);
        expect_induced(view, graphs[idx(g)], g);
        if (HasFailure()) FAIL() << name << " at ratio " << ratio << ", graph " << g;
      }
    }
}

TEST(Augmentations, TheSameSeedGivesTheSameBitsAndAnotherSeedOthers) {
  const auto graphs = random_graphs(50, 2);
  for (const auto& name : {"SD", "SG", "SS"}) {
    const auto augmentation = make_augmentation(name, {graphs});
    Rng a(3), b(3), c(4);
    const PackedBatch first = write(*augmentation, graphs, a);
    const PackedBatch second = write(*augmentation, graphs, b);
    EXPECT_EQ(first.codes, second.codes);
    EXPECT_EQ(first.lists.col, second.lists.col);
    EXPECT_EQ(first.super_lists.col, second.super_lists.col);
    EXPECT_NE(first.codes, write(*augmentation, graphs, c).codes);
  }
}

TEST(Augmentations, OfThePaperLeaveGraphsWithoutAChoiceAsTheyAre) {
  const std::vector<PackedGraph> graphs = {make({}, {}, 0), make({1}, {}, 1),
                                           make({3}, {{0, 1}, {1, 2}}, 2)};
  for (const std::string name : {"I", "SD", "SG", "SS"}) {
    const auto augmentation = make_augmentation(name, {graphs});
    Rng rng(1);
    const PackedBatch batch = write(*augmentation, graphs, rng);
    for (std::int32_t g = 0; g < batch.num_graphs; ++g) {
      const View view = read_back(batch, g);
      EXPECT_EQ(view.num_nodes(), graphs[idx(g)].num_nodes());
      EXPECT_EQ(view.num_blocks(), graphs[idx(g)].num_blocks());
      expect_induced(view, graphs[idx(g)], g);
    }
  }
}

TEST(Augmentations, AllOrderedPairsGiveTwoValidViewsOfTheSameGraphs) {
  const auto graphs = random_graphs(100, 16);
  for (const auto& name0 : augmentation_names())
    for (const auto& name1 : augmentation_names()) {
      const AugmentationContext context{graphs, 0.3, kMaskCode};
      Rng rng(1);
      const PackedBatch view0 = write(*make_augmentation(name0, context), graphs, rng);
      const PackedBatch view1 = write(*make_augmentation(name1, context), graphs, rng);
      for (std::int32_t g = 0; g < view0.num_graphs; ++g) {
        const std::int32_t least = std::min(1, graphs[idx(g)].num_nodes());
        EXPECT_GE(read_back(view0, g).num_nodes(), least);
        EXPECT_GE(read_back(view1, g).num_nodes(), least);
        ASSERT_FALSE(HasFailure()) << name0 << ", " << name1 << ", graph " << g;
      }
    }
}

TEST(Identity, CopiesEveryGraph) {
  const auto graphs = random_graphs(200, 3);
  Rng rng(1);
  const PackedBatch batch = write(*make_augmentation("I", {graphs}), graphs, rng);
  std::vector<std::int32_t> all(graphs.size());
  std::iota(all.begin(), all.end(), 0);
  const PackedBatch plain = pack_batch(graphs, all, kColumns, 1, true);
  EXPECT_EQ(batch.codes, plain.codes);
  EXPECT_EQ(batch.lists.col, plain.lists.col);
  EXPECT_EQ(batch.block_ptr, plain.block_ptr);
  EXPECT_EQ(batch.super_lists.col, plain.super_lists.col);
  EXPECT_EQ(batch.graph_ptr, plain.graph_ptr);
}

TEST(SubstructureDrop, DropsTheRoundedShareButNeverNoneOrAll) {
  for (std::int32_t k = 2; k <= 20; ++k)
    for (const double ratio : {0.0, 0.1, 0.3, 0.5, 0.9, 1.0}) {
      Rng rng(static_cast<std::uint64_t>(k));
      const View view = view_of(*make_augmentation("SD", {{}, ratio}), path(k), rng);
      const auto dropped = std::clamp(static_cast<std::int32_t>(std::lround(ratio * k)), 1, k - 1);
      EXPECT_EQ(view.num_blocks(), k - dropped) << "K = " << k << ", ratio " << ratio;
    }
}

TEST(SubstructureDrop, DropsEachPairOfBlocksEquallyOften) {
  const auto augmentation = make_augmentation("SD", {{}, 0.4});
  const PackedGraph graph = path(5);
  Rng rng(7);
  std::map<std::vector<std::int32_t>, int> kept;
  const int trials = 20000;
  for (int t = 0; t < trials; ++t) {
    PackedBatch batch;
    BatchWriter writer(batch, kColumns, 1, true);
    augmentation->write_view(graph, rng, writer);
    writer.finish();
    ++kept[batch.codes];
  }
  EXPECT_EQ(kept.size(), 10u);  // 5 choose 2
  for (const auto& [codes, count] : kept) EXPECT_NEAR(count, trials / 10, 5 * std::sqrt(1800.0));
}

TEST(SupergraphSample, KeepsTheShareRoundedUp) {
  for (std::int32_t k = 2; k <= 20; ++k)
    for (const int percent : {0, 10, 30, 70, 90, 100}) {
      Rng rng(static_cast<std::uint64_t>(k));
      const View view = view_of(*make_augmentation("SG", {{}, percent / 100.0}), path(k), rng);
      const std::int32_t kept = std::max(1, ((100 - percent) * k + 99) / 100);
      EXPECT_EQ(view.num_blocks(), kept) << "K = " << k << ", ratio " << percent << " %";
    }
}

TEST(SupergraphSample, KeepsAConnectedPartOfAConnectedGraph) {
  const auto augmentation = make_augmentation("SG", {{}, 0.5});
  Rng rng(2);
  for (int t = 0; t < 500; ++t) {
    const PackedGraph graph =
        make({1, 1, 1, 1, 1, 1, 1}, {{0, 1}, {1, 2}, {0, 3}, {3, 4}, {0, 5}, {5, 6}});
    const View view = view_of(*augmentation, graph, rng);
    ASSERT_EQ(view.num_blocks(), 4);
    std::int32_t edges = 0;
    for (const auto& list : view.neighbors) edges += static_cast<std::int32_t>(list.size());
    ASSERT_EQ(edges, 6);  // four nodes of a tree are connected exactly if three edges join them
  }
}

TEST(SupergraphSample, GoesDepthFirst) {
  // Three arms of two blocks around block 0; three blocks are kept. Depth first they are 0 and the
  // inner ends of two arms only when the walk starts at an inner end and goes to 0 next: 3/7 * 1/2.
  // Breadth first they would be so whenever it starts at 0: 1/7.
  const auto augmentation = make_augmentation("SG", {{}, 0.6});
  const PackedGraph graph =
      make({1, 1, 1, 1, 1, 1, 1}, {{0, 1}, {1, 2}, {0, 3}, {3, 4}, {0, 5}, {5, 6}});
  Rng rng(3);
  int inner = 0;
  const int trials = 7000;
  for (int t = 0; t < trials; ++t) {
    std::int32_t inner_ends = 0;
    for (const auto& [number, v] : view_of(*augmentation, graph, rng).origin)
      inner_ends += v % 2;  // block order is 0 1 2 3 4 5 6: inner ends are the odd ones
    inner += inner_ends == 2;
  }
  EXPECT_NEAR(inner, trials * 3 / 14, 5 * std::sqrt(trials * 3 / 14.0 * 11 / 14));
}

TEST(SupergraphSample, KeepsEachBlockOfACycleEquallyOften) {
  const auto augmentation = make_augmentation("SG", {{}, 0.25});
  const PackedGraph cycle = make({1, 1, 1, 1}, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  Rng rng(3);
  std::vector<int> kept(4, 0);
  for (int t = 0; t < 8000; ++t)
    for (const auto& [number, v] : view_of(*augmentation, cycle, rng).origin) ++kept[idx(v)];
  for (const int count : kept) EXPECT_NEAR(count, 6000, 5 * std::sqrt(1500.0));
}

TEST(SupergraphSample, StartsAgainInAnotherComponent) {
  const PackedGraph graph = make({2, 2, 2, 2}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  const auto augmentation = make_augmentation("SG", {{}, 0.3});
  Rng rng(1);
  std::vector<int> kept(4, 0);
  for (int t = 0; t < 4000; ++t) {
    const View view = view_of(*augmentation, graph, rng);
    ASSERT_EQ(view.num_blocks(), 3);
    for (const auto& members : view.members()) ++kept[idx(members.front()[1] / 2)];
  }
  for (const int count : kept) EXPECT_NEAR(count, 3000, 5 * std::sqrt(750.0));
}

/// Blocks of `view` that come from other graphs than `number`.
std::int32_t foreign_blocks(const View& view, std::int32_t number) {
  const auto members = view.members();
  return static_cast<std::int32_t>(std::count_if(
      members.begin(), members.end(), [&](const auto& m) { return m.front()[0] != number; }));
}

TEST(SubstructureSubstitute, ReplacesTheRoundedShareOfPiecesWithOneNeighbour) {
  auto graphs = random_graphs(1000, 4);
  for (const double ratio : {0.0, 0.3, 1.0}) {
    const auto augmentation = make_augmentation("SS", {graphs, ratio});
    Rng rng(6);
    const PackedBatch batch = write(*augmentation, graphs, rng);
    for (std::int32_t g = 0; g < batch.num_graphs; ++g) {
      const PackedGraph& graph = graphs[idx(g)];
      const View view = read_back(batch, g);
      ASSERT_EQ(view.num_blocks(), graph.num_blocks());
      std::int32_t leaves = 0;
      for (std::int32_t b = 0; b < graph.num_blocks(); ++b) {
        const auto first = graph.super_col.begin() + graph.super_row_ptr[idx(b)];
        const auto last = graph.super_col.begin() + graph.super_row_ptr[idx(b) + 1];
        leaves += last - first == 1;
        EXPECT_EQ(view.super[idx(b)], std::set<std::int32_t>(first, last));
        EXPECT_TRUE(last - first == 1 || view.members()[idx(b)].front()[0] == g);
      }
      const auto share = static_cast<std::int32_t>(std::lround(ratio * graph.num_blocks()));
      EXPECT_EQ(foreign_blocks(view, g), std::min(leaves, std::max(1, share)));
      for (const auto& origin : view.origin) EXPECT_EQ(graphs[idx(origin[0])].label, graph.label);
    }
  }
}

TEST(SubstructureSubstitute, OutsideNodesKeepTheirNumberOfEdgesWhileThereIsRoom) {
  // Node 0 holds the leaf by three edges, node 1 by one; all other pieces are large enough or not.
  const std::vector<std::pair<std::int32_t, std::int32_t>> edges = {
      {0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 4}, {2, 3}, {3, 4}, {5, 0}, {6, 1}, {5, 6}};
  const PackedGraph graph = make({2, 3, 2}, edges, 0);
  for (const std::int32_t size : {1, 2, 3, 7}) {
    std::vector<PackedGraph> training = {graph, make({size}, {}, 1)};
    training[1].row_ptr.assign(idx(size) + 1, 0);
    const auto augmentation = make_augmentation("SS", {training, 1.0});
    Rng rng(4);
    for (int t = 0; t < 50; ++t) {
      const View view = view_of(*augmentation, training[0], rng);
      ASSERT_EQ(foreign_blocks(view, 0), 2);
      EXPECT_EQ(view.neighbors[0].size(), idx(1 + std::min(3, size) + 1));
      EXPECT_EQ(view.neighbors[1].size(), 1u + 1u + 1u);
    }
  }
}

TEST(SubstructureSubstitute, JoinsToRandomNodesOfTheNewPiece) {
  const std::vector<PackedGraph> training = {path(3, 0), make({4}, {{0, 1}, {1, 2}, {2, 3}}, 1)};
  const auto augmentation = make_augmentation("SS", {training, 0.3});
  Rng rng(5);
  std::map<std::pair<std::int32_t, std::int32_t>, int>
      joints;  // which end, which node of the piece
  const int trials = 8000;
  for (int t = 0; t < trials; ++t) {
    const View view = view_of(*augmentation, training[0], rng);
    ASSERT_EQ(foreign_blocks(view, 0), 1);
    const std::int32_t replaced = view.origin[0][0] == 1 ? 0 : 2;
    const auto middle = static_cast<std::size_t>(
        std::find(view.origin.begin(), view.origin.end(), std::array{0, 1}) - view.origin.begin());
    for (const std::int32_t u : view.neighbors[middle])
      if (view.origin[idx(u)][0] == 1) ++joints[{replaced, view.origin[idx(u)][1]}];
  }
  EXPECT_EQ(joints.size(), 8u);
  for (const auto& [key, count] : joints) EXPECT_NEAR(count, trials / 8, 5 * std::sqrt(875.0));
}

TEST(SubstructureSubstitute, ReplacesBothBlocksOfAPairAndJoinsThemAnew) {
  const PackedGraph graph = make({2, 2}, {{0, 1}, {2, 3}, {0, 2}, {0, 3}, {1, 2}}, 0);
  std::vector<PackedGraph> training = {graph, make({3}, {{0, 1}, {1, 2}}, 1), make({1}, {}, 2)};
  const auto augmentation = make_augmentation("SS", {training, 1.0});
  Rng rng(8);
  std::set<std::int32_t> sizes;
  for (int t = 0; t < 500; ++t) {
    const View view = view_of(*augmentation, training[0], rng);
    ASSERT_EQ(foreign_blocks(view, 0), 2);
    std::int32_t joints = 0;
    for (std::int32_t v = 0; v < view.num_nodes(); ++v)
      for (const std::int32_t u : view.neighbors[idx(v)])
        joints += view.block[idx(u)] != view.block[idx(v)];
    sizes.insert(view.num_nodes());
    EXPECT_GE(joints / 2, 1);
    EXPECT_LE(joints / 2, 3);
    EXPECT_TRUE(view.num_nodes() != 6 || joints / 2 == 3);
    EXPECT_TRUE(view.num_nodes() != 2 || joints / 2 == 1);
  }
  EXPECT_EQ(sizes, (std::set<std::int32_t>{2, 4, 6}));
}

TEST(SubstructureSubstitute, BorrowsFromTheSameClassOnlyAndKeepsThePieceWhenThereIsNone) {
  std::vector<PackedGraph> training = {path(3, 0, 0), path(4, 1, 1), path(5, 2, 1), path(6, 3),
                                       path(2, 4)};
  const auto augmentation = make_augmentation("SS", {training});
  Rng rng(9);
  const std::vector<std::set<std::int32_t>> lenders = {{0}, {2}, {1}, {4}, {3}};
  for (int t = 0; t < 100; ++t)
    for (std::int32_t g = 0; g < 5; ++g) {
      const View view = view_of(*augmentation, training[idx(g)], rng);
      for (const auto& origin : view.origin)
        EXPECT_TRUE(origin[0] == g || lenders[idx(g)].count(origin[0]) == 1);
      EXPECT_EQ(foreign_blocks(view, g) > 0, g != 0);
    }
  // A graph of a class without training graphs stays; one from elsewhere may borrow from all.
  EXPECT_EQ(foreign_blocks(view_of(*augmentation, path(3, 7, 9), rng), 7), 0);
  EXPECT_EQ(foreign_blocks(view_of(*augmentation, path(3, 7, 0), rng), 7), 1);
}

TEST(SubstructureSubstitute, DrawsEachOtherPieceOfTheClassEquallyOften) {
  const std::vector<PackedGraph> training = {path(3, 0), path(3, 1), path(3, 2)};
  const auto augmentation = make_augmentation("SS", {training, 0.3});
  Rng rng(10);
  std::map<std::array<std::int32_t, kColumns>, int> drawn;
  const int trials = 12000;
  for (int t = 0; t < trials; ++t)
    for (const auto& origin : view_of(*augmentation, training[1], rng).origin)
      if (origin[0] != 1) ++drawn[origin];
  EXPECT_EQ(drawn.size(), 6u);
  for (const auto& [origin, count] : drawn) EXPECT_NEAR(count, trials / 6, 5 * std::sqrt(1667.0));
}

}  // namespace
}  // namespace sgood

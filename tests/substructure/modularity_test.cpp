// SPDX-License-Identifier: MIT
#include "sgood/substructure/modularity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sgood/core/error.h"
#include "tests/substructure/graphs.h"

namespace sgood {
namespace {

using namespace test;
using ::testing::ElementsAre;
using Arithmetic = ModularityPartitioner::Arithmetic;

const Arithmetic kBoth[] = {Arithmetic::kExact, Arithmetic::kDouble};

/// Block sizes, largest first.
std::vector<std::int32_t> sizes(const Graph& graph, Arithmetic arithmetic) {
  std::vector<std::int32_t> result;
  for (const auto& block : ModularityPartitioner(arithmetic).partition(graph).members())
    result.push_back(static_cast<std::int32_t>(block.size()));
  std::sort(result.rbegin(), result.rend());
  return result;
}

Graph zachary(const nlohmann::json& golden) { return make_graph(34, golden["zachary"]["edges"]); }

nlohmann::json read_golden() {
  return nlohmann::json::parse(
      std::ifstream(SGOOD_TEST_FOLDER "/golden/substructure_modularity.json"));
}

/// The method word for word, in O(n^3): a full matrix of edge counts, exact gains.
Partition plain_greedy(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.num_nodes());
  const std::int64_t two_m = 2 * graph.num_edges();
  std::vector<std::vector<std::int64_t>> edges(n, std::vector<std::int64_t>(n));
  std::vector<std::int64_t> degree(n);
  std::vector<std::size_t> name(n);
  for (std::size_t v = 0; v < n; ++v) {
    name[v] = v;
    degree[v] = graph.degree(static_cast<std::int32_t>(v));
    for (const std::int32_t u : graph.neighbors(static_cast<std::int32_t>(v)))
      edges[v][static_cast<std::size_t>(u)] = 1;
  }
  while (true) {
    std::int64_t best = -1;
    std::size_t u = 0, v = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j)
        if (edges[i][j] > 0 && two_m * edges[i][j] - degree[i] * degree[j] > best) {
          best = two_m * edges[i][j] - degree[i] * degree[j];
          u = i;
          v = j;
        }
    if (best < 0) break;
    for (std::size_t k = 0; k < n; ++k) {
      edges[v][k] += std::exchange(edges[u][k], 0);
      edges[k][v] += std::exchange(edges[k][u], 0);
      if (name[k] == u) name[k] = v;
    }
    edges[v][v] = 0;
    degree[v] += degree[u];
  }
  std::vector<std::int32_t> block(n), number(n, -1);
  std::int32_t count = 0;
  for (std::size_t k = 0; k < n; ++k) {
    if (number[name[k]] < 0) number[name[k]] = count++;
    block[k] = number[name[k]];
  }
  return Partition(block);
}

TEST(Cnm, SplitsPathsIntoEvenPieces) {
  for (const Arithmetic arithmetic : kBoth) {
    EXPECT_THAT(sizes(path(2), arithmetic), ElementsAre(2));
    EXPECT_THAT(sizes(path(3), arithmetic), ElementsAre(3));
    EXPECT_THAT(sizes(path(5), arithmetic), ElementsAre(3, 2));
    EXPECT_THAT(sizes(path(8), arithmetic), ElementsAre(4, 4));
    EXPECT_THAT(sizes(path(12), arithmetic), ElementsAre(4, 4, 4));
  }
}

TEST(Cnm, KeepsStarsAndCliquesWhole) {
  for (const Arithmetic arithmetic : kBoth)
    for (std::int32_t k = 1; k <= 20; ++k) {
      EXPECT_THAT(sizes(star(k), arithmetic), ElementsAre(k + 1));
      EXPECT_THAT(sizes(clique(k + 1), arithmetic), ElementsAre(k + 1));
    }
}

TEST(Cnm, SplitsCyclesFromFiveNodesOn) {
  for (const Arithmetic arithmetic : kBoth) {
    EXPECT_THAT(sizes(cycles({3}), arithmetic), ElementsAre(3));
    EXPECT_THAT(sizes(cycles({5}), arithmetic), ElementsAre(3, 2));
    EXPECT_THAT(sizes(cycles({6}), arithmetic), ElementsAre(2, 2, 2));
    EXPECT_THAT(sizes(cycles({8}), arithmetic), ElementsAre(4, 4));
    EXPECT_THAT(sizes(cycles({10}), arithmetic), ElementsAre(4, 4, 2));
    EXPECT_THAT(sizes(cycles({12}), arithmetic), ElementsAre(4, 4, 4));
    EXPECT_THAT(sizes(cycles({10, 10}), arithmetic), ElementsAre(6, 6, 4, 4));
  }
}

TEST(Cnm, CutsABarbellAtItsBridge) {
  for (const Arithmetic arithmetic : kBoth)
    EXPECT_THAT(sizes(barbell(5), arithmetic), ElementsAre(6, 5));
}

TEST(Cnm, DividesZacharysClubLikeNetworkx) {
  const nlohmann::json golden = read_golden();
  const Graph club = zachary(golden);
  EXPECT_THAT(sizes(club, Arithmetic::kDouble), ElementsAre(17, 9, 8));
  const Partition partition = ModularityPartitioner(Arithmetic::kDouble).partition(club);
  std::string text;
  for (const std::int32_t b : partition.blocks()) text += static_cast<char>('0' + b);
  EXPECT_EQ(text, golden["zachary"]["partition"]);
  EXPECT_NEAR(modularity(club, partition), golden["zachary"]["igraph"].get<double>(), 1e-13);
}

TEST(Cnm, LeavesNodesWithoutEdgesAlone) {
  for (const Arithmetic arithmetic : kBoth) {
    const ModularityPartitioner cnm(arithmetic);
    EXPECT_EQ(cnm.partition(Graph()).num_blocks(), 0);
    EXPECT_EQ(cnm.partition(make_graph(4, {})), Partition::singletons(4));
    EXPECT_THAT(cnm.partition(make_graph(4, {{1, 3}})).blocks(), ElementsAre(0, 1, 2, 1));
  }
}

TEST(Cnm, MergesAtGainZero) {
  // The last of three merges gains 2m * 2 - 4 * 4 = 0.
  for (const Arithmetic arithmetic : kBoth)
    EXPECT_THAT(sizes(cycles({4}), arithmetic), ElementsAre(4));
}

TEST(Cnm, NeverJoinsComponents) {
  for (const Arithmetic arithmetic : kBoth)
    for (const Graph& graph :
         {disjoint_union(path(2), path(2)), cycles({3, 3, 3}), disjoint_union(clique(5), star(9))})
      EXPECT_TRUE(blocks_connected(graph, ModularityPartitioner(arithmetic).partition(graph)));
}

TEST(Cnm, EqualsThePlainMethodOnRandomGraphs) {
  Rng rng(21);
  for (int i = 0; i < 400; ++i) {
    const auto n = static_cast<std::int32_t>(2 + rng.below(70));
    const Graph graph =
        i % 4 == 0 ? random_tree(n, rng) : random_graph(n, rng.uniform(0, 0.5), rng);
    ASSERT_EQ(ModularityPartitioner().partition(graph), plain_greedy(graph)) << "graph " << i;
  }
  const Graph hub = disjoint_union(star(150), grid(10, 10));
  EXPECT_EQ(ModularityPartitioner().partition(hub), plain_greedy(hub));
}

TEST(Cnm, HasNoAdjacentPairLeftWithAGain) {
  Rng rng(22);
  for (int i = 0; i < 100; ++i) {
    const Graph graph = random_graph(30, rng.uniform(0.05, 0.4), rng);
    for (const Arithmetic arithmetic : kBoth) {
      const Partition found = ModularityPartitioner(arithmetic).partition(graph);
      const double before = modularity(graph, found);
      for (std::int32_t a = 0; a < found.num_blocks(); ++a)
        for (std::int32_t b = 0; b < a; ++b) {
          std::vector<std::int32_t> joined(found.blocks().begin(), found.blocks().end());
          for (std::int32_t& k : joined) k = k == a ? b : k > a ? k - 1 : k;
          ASSERT_LT(modularity(graph, Partition(joined)), before + 1e-12);
        }
    }
  }
}

TEST(Cnm, GivesAboutTheSameModularityInBothArithmetics) {
  Rng rng(23);
  double exact = 0;
  double rounded = 0;
  for (int i = 0; i < 200; ++i) {
    const Graph graph = random_graph(40, 0.08, rng);
    exact += modularity(graph, ModularityPartitioner(Arithmetic::kExact).partition(graph)) / 200;
    rounded += modularity(graph, ModularityPartitioner(Arithmetic::kDouble).partition(graph)) / 200;
  }
  EXPECT_NEAR(exact, rounded, 0.01);
}

TEST(Modularity, HasItsTextbookValues) {
  EXPECT_DOUBLE_EQ(modularity(path(2), Partition({0, 0})), 0.0);
  EXPECT_DOUBLE_EQ(modularity(path(2), Partition({0, 1})), -0.5);
  EXPECT_DOUBLE_EQ(modularity(disjoint_union(clique(3), clique(3)), Partition({0, 0, 0, 1, 1, 1})),
                   0.5);
  EXPECT_DOUBLE_EQ(modularity(path(4), Partition({0, 0, 1, 1})), 2.0 / 3 - 0.5);
}

TEST(Modularity, IsZeroWithoutEdgesAndRefusesForeignPartitions) {
  EXPECT_EQ(modularity(Graph(), Partition()), 0.0);
  EXPECT_EQ(modularity(make_graph(3, {}), Partition::singletons(3)), 0.0);
  EXPECT_THROW(modularity(path(3), Partition::singletons(2)), InvalidArgument);
}

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "src/substructure/modularity_merging.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "sgood/io/tu_reader.h"
#include "tests/substructure/graphs.h"

namespace sgood {
namespace {

using namespace test;

std::vector<std::int32_t> sparse(const Graph& graph) {
  return merge_sparse(graph, ModularityPartitioner::Arithmetic::kExact);
}

TEST(DenseMerging, EqualsTheSparseOneOnRandomGraphs) {
  Rng rng(41);
  for (int i = 0; i < 4000; ++i) {
    const auto n = static_cast<std::int32_t>(2 + rng.below(kMaxDenseNodes - 1));
    const Graph graph = i % 4 == 0 ? random_tree(n, rng) : random_graph(n, rng.uniform(), rng);
    if (graph.num_edges() == 0) continue;
    ASSERT_EQ(merge_dense(graph), sparse(graph)) << "graph " << i;
  }
}

TEST(DenseMerging, EqualsTheSparseOneWhereManyNodesHaveNoEdge) {
  Rng rng(42);
  for (int i = 0; i < 500; ++i) {
    const Graph graph = random_graph(kMaxDenseNodes, rng.uniform(0.001, 0.03), rng);
    if (graph.num_edges() == 0) continue;
    ASSERT_EQ(merge_dense(graph), sparse(graph)) << "graph " << i;
  }
}

TEST(DenseMerging, EqualsTheSparseOneWhereTiesAbound) {
  for (const Graph& graph :
       {path(64), star(63), cycles({64}), cycles({3, 4, 5, 6, 7, 8, 9, 10, 12}), grid(8, 8),
        grid(2, 32), hypercube(6), petersen(), barbell(31), complete_bipartite(32, 32),
        disjoint_union(clique(32), clique(32)), disjoint_union(star(20), grid(5, 8))})
    EXPECT_EQ(merge_dense(graph), sparse(graph));
}

TEST(DenseMerging, HoldsTheLargestGains) {
  // Two cliques end with the gain -m^2; of 14 nodes each, it is the first beyond 16 bits.
  for (std::int32_t n = 2; n <= kMaxDenseNodes / 2; ++n) {
    std::vector<std::int32_t> expected(static_cast<std::size_t>(n), n - 1);
    expected.resize(2 * expected.size(), 2 * n - 1);
    EXPECT_EQ(merge_dense(disjoint_union(clique(n), clique(n))), expected);
  }
  Rng rng(43);
  for (int i = 0; i < 300; ++i) {
    const Graph graph = random_graph(40, rng.uniform(0.2, 0.27), rng);  // 156 to 210 edges
    ASSERT_EQ(merge_dense(graph), sparse(graph)) << graph.num_edges() << " edges";
  }
}

TEST(DenseMergingData, EqualsTheSparseOneOnEverySmallGraph) {
  const char* const data = std::getenv("SGOOD_DATA");
  if (data == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
  Rng rng(44);
  for (const char* const set : {"ENZYMES", "IMDB-MULTI", "IMDB-BINARY", "NCI1", "PROTEINS"}) {
    int compared = 0;
    for (const Graph& graph : read_tu(std::filesystem::path(data) / set).graphs) {
      if (graph.num_nodes() > kMaxDenseNodes || graph.num_edges() == 0) continue;
      const Graph other = graph.relabelled(random_permutation(graph.num_nodes(), rng));
      ASSERT_EQ(merge_dense(graph), sparse(graph)) << set << " " << graph.id();
      ASSERT_EQ(merge_dense(other), sparse(other)) << set << " " << graph.id();
      ++compared;
    }
    EXPECT_GT(compared, 500) << set;
  }
}

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "sgood/io/tu_reader.h"
#include "sgood/substructure/partitioner.h"
#include "tests/substructure/graphs.h"

namespace sgood {
namespace {

using namespace test;

class PartitionersData : public ::testing::TestWithParam<std::string> {};

TEST_P(PartitionersData, FindTheSameHoweverTheNodesAreNumbered) {
  const char* root = std::getenv("SGOOD_DATA");
  if (root == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
  const GraphSet set = read_tu(std::filesystem::path(root) / GetParam());
  Rng rng(5);
  constexpr std::size_t kGraphs = 150;
  for (std::size_t k = 0; k < kGraphs; ++k) {
    const Graph& graph = set.graphs[k * set.graphs.size() / kGraphs];
    const Graph other = graph.relabelled(random_permutation(graph.num_nodes(), rng));
    for (const PartitionerInfo& row : partitioners()) {
      const auto partitioner = row.make({});
      if (partitioner->fragmentation() != Fragmentation::kNone) continue;
      const Substructures a = find_substructures(graph, *partitioner, NodeOrder::kCanonical);
      const Substructures b = find_substructures(other, *partitioner, NodeOrder::kCanonical);
      ASSERT_TRUE(blocks_connected(graph, a.partition));
      ASSERT_TRUE(
          same_graph(graph.relabelled(inverse(a.order)), other.relabelled(inverse(b.order))));
      for (std::size_t i = 0; i < a.order.size(); ++i)
        ASSERT_EQ(a.partition.block(a.order[i]), b.partition.block(b.order[i]))
            << row.name << ", graph " << graph.id();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, PartitionersData,
                         ::testing::Values("ENZYMES", "IMDB-BINARY", "NCI1"), [](const auto& set) {
                           std::string name = set.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace sgood

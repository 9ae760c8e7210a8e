// SPDX-License-Identifier: MIT
#include "sgood/experiments/unseen_substructures.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "sgood/chem/molecule.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/substructure/modularity.h"
#include "sgood/suites/suite.h"

namespace sgood {
namespace {

/// Puts the whole graph into one block, so that a fingerprint is one of the graph.
class WholeGraph : public Partitioner {
 public:
  std::string name() const override { return "whole"; }
  Partition partition(const Graph& graph) const override {
    return Partition(std::vector<std::int32_t>(static_cast<std::size_t>(graph.num_nodes()), 0));
  }
};

/// The cycle through all nodes, one node per label.
Graph cycle(const std::vector<std::int32_t>& labels) {
  const auto n = static_cast<std::int32_t>(labels.size());
  GraphBuilder builder(n);
  for (std::int32_t v = 0; v < n; ++v) builder.add_edge(v, (v + 1) % n);
  return builder.set_node_labels(labels, 1).build();
}

Graph path(std::int32_t n) {
  GraphBuilder builder(n);
  for (std::int32_t v = 1; v < n; ++v) builder.add_edge(v - 1, v);
  return builder.build();
}

GraphSet set_of(std::vector<Graph> graphs) {
  GraphSet set;
  set.graphs = std::move(graphs);
  return set;
}

bool alike(const Graph& a, const Graph& b) {
  return substructures_of(a, WholeGraph(), NodeOrder::kInput) ==
         substructures_of(b, WholeGraph(), NodeOrder::kInput);
}

TEST(UnseenSubstructures, FingerprintsDependOnLabelsSizeAndShapeButNotOnNumbering) {
  const Graph graph = cycle({5, 5, 5, 7, 5, 6});
  EXPECT_TRUE(alike(graph, graph.relabelled(std::vector<std::int32_t>{3, 1, 4, 0, 5, 2})));
  EXPECT_FALSE(alike(graph, cycle({5, 5, 5, 7, 5, 7})));
  EXPECT_FALSE(alike(graph, cycle({5, 5, 7, 5, 5, 6})));
  EXPECT_FALSE(alike(cycle({5, 5, 5, 5, 5, 5}), cycle({5, 5, 5, 5, 5})));
  EXPECT_FALSE(alike(path(6), path(7)));
}

TEST(UnseenSubstructures, ABlockIsLookedAtWithoutItsSurroundings) {
  // A path of five falls into three and two; the piece of three is a path of three on its own.
  const ModularityPartitioner modularity;
  const SubstructureSet five = substructures_of(path(5), modularity, NodeOrder::kInput);
  EXPECT_EQ(five.size(), 2u);
  for (const std::int32_t n : {2, 3})
    for (const std::uint64_t h : substructures_of(path(n), modularity, NodeOrder::kInput))
      EXPECT_TRUE(five.contains(h)) << n;
}

TEST(UnseenSubstructures, AGraphCountsOnceHoweverManyPiecesAreNew) {
  const ModularityPartitioner modularity;
  const GraphSet known = set_of({path(5)});
  const GraphSet tested = set_of({path(2), path(3), path(8), path(12), path(5)});
  const UnseenCount count = count_unseen(known, tested, modularity, NodeOrder::kInput);
  EXPECT_EQ(count.graphs, 5);
  EXPECT_EQ(count.with_unseen, 2);  // twice four, and thrice four
  EXPECT_DOUBLE_EQ(count.percent(), 40);
  EXPECT_DOUBLE_EQ(UnseenCount().percent(), 0);
}

struct PaperRow {
  const char* suite;
  std::int64_t with_unseen, graphs;
};

TEST(UnseenSubstructuresData, SharesAreThePapersTable1) {
  const char* root = std::getenv("SGOOD_DATA");
  if (root == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
  if (!molecules_available()) GTEST_SKIP() << "needs RDKit";
  // The paper prints 50.0 % for bace; the others agree with its table.
  const std::vector<PaperRow> expected = {{"enzymes", 265, 450},
                                          {"imdb-m", 70, 500},
                                          {"imdb-b", 85, 1000},
                                          {"bace", 70, 152},
                                          {"bbbp", 91, 204}};
  ExperimentContext context;
  context.data_root = root;
  context.jobs = 2;
  const nlohmann::ordered_json rows = run_unseen_substructures(context);
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(rows[i]["suite"], expected[i].suite);
    EXPECT_EQ(rows[i]["OOD with unseen"], expected[i].with_unseen) << expected[i].suite;
    EXPECT_EQ(rows[i]["OOD graphs"], expected[i].graphs) << expected[i].suite;
  }
  std::printf("%s", markdown_table(rows).c_str());
}

}  // namespace
}  // namespace sgood

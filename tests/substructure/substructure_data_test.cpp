// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "sgood/io/tu_reader.h"
#include "sgood/substructure/canonical_order.h"
#include "sgood/substructure/modularity.h"
#include "tests/substructure/graphs.h"

namespace sgood {
namespace {

using namespace test;
using Arithmetic = ModularityPartitioner::Arithmetic;

#define SGOOD_NEEDS_DATA() \
  if (std::getenv("SGOOD_DATA") == nullptr) GTEST_SKIP() << "needs SGOOD_DATA"

GraphSet read_set(const std::string& name) {
  return read_tu(std::filesystem::path(std::getenv("SGOOD_DATA")) / name);
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string as_text(const Partition& partition) {
  static const std::string letters =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string text;
  for (const std::int32_t b : partition.blocks()) text += letters.at(static_cast<std::size_t>(b));
  return text;
}

/// Relabels `count` graphs of the set and compares order and partition.
void expect_functions_of_the_graph(const GraphSet& set, std::size_t count) {
  Rng rng(31);
  const std::size_t step = std::max<std::size_t>(1, set.graphs.size() / count);
  for (std::size_t i = 0; i < set.graphs.size(); i += step) {
    const Graph& graph = set.graphs[i];
    const Graph other = graph.relabelled(random_permutation(graph.num_nodes(), rng));
    const ModularityPartitioner cnm;
    const Substructures a = find_substructures(graph, cnm, NodeOrder::kCanonical);
    const Substructures b = find_substructures(other, cnm, NodeOrder::kCanonical);
    ASSERT_TRUE(same_graph(graph.relabelled(inverse(a.order)), other.relabelled(inverse(b.order))))
        << "graph " << graph.id();
    for (std::size_t k = 0; k < a.order.size(); ++k)
      ASSERT_EQ(a.partition.block(a.order[k]), b.partition.block(b.order[k]));
  }
}

/// The same structure without labels and attributes, where symmetries are most frequent.
GraphSet without_features(GraphSet set) {
  for (Graph& graph : set.graphs) {
    GraphBuilder builder(graph.num_nodes());
    for (std::int32_t u = 0; u < graph.num_nodes(); ++u)
      for (const std::int32_t v : graph.neighbors(u)) builder.add_edge(u, v);
    builder.set_id(graph.id());
    graph = builder.build();
  }
  return set;
}

TEST(CnmData, EqualsNetworkxOnTwoHundredGraphs) {
  SGOOD_NEEDS_DATA();
  const auto golden = nlohmann::json::parse(
      std::ifstream(SGOOD_TEST_FOLDER "/golden/substructure_modularity.json"));
  std::map<std::string, GraphSet> sets;
  ASSERT_EQ(golden["graphs"].size(), 200U);
  for (const auto& expected : golden["graphs"]) {
    const std::string name = expected["set"];
    if (!sets.contains(name)) sets[name] = read_set(name);
    const Graph& graph = sets[name].graphs.at(expected["row"].get<std::size_t>());
    const Partition found = ModularityPartitioner(Arithmetic::kDouble).partition(graph);
    EXPECT_EQ(as_text(found), expected["partition"]) << name << " " << expected["row"];
    EXPECT_NEAR(modularity(graph, found), expected["networkx"].get<double>(), 1e-13);
    EXPECT_NEAR(modularity(graph, found), expected["igraph"].get<double>(), 1e-13);
  }
}

TEST(SubstructuresData, AreFunctionsOfTheGraphOnEnzymes) {
  SGOOD_NEEDS_DATA();
  expect_functions_of_the_graph(read_set("ENZYMES"), 300);
  expect_functions_of_the_graph(without_features(read_set("ENZYMES")), 600);
}

TEST(SubstructuresData, AreFunctionsOfTheGraphOnImdb) {
  SGOOD_NEEDS_DATA();
  expect_functions_of_the_graph(read_set("IMDB-MULTI"), 500);
  expect_functions_of_the_graph(read_set("IMDB-BINARY"), 500);
}

TEST(SubstructuresData, AreFunctionsOfTheGraphOnMolecules) {
  SGOOD_NEEDS_DATA();
  expect_functions_of_the_graph(read_set("NCI1"), 500);
  expect_functions_of_the_graph(without_features(read_set("NCI1")), 1000);
}

TEST(SubstructuresData, AreFunctionsOfTheGraphOnReddit) {
  SGOOD_NEEDS_DATA();
  expect_functions_of_the_graph(read_set("REDDIT-BINARY"), 250);
}

TEST(SubstructuresData, TakeUnderTwentySecondsForAllOfReddit) {
  SGOOD_NEEDS_DATA();
  const GraphSet set = read_set("REDDIT-BINARY");
  ASSERT_EQ(set.graphs.size(), 2000U);
  const ModularityPartitioner cnm;
  const double start = cpu_seconds();
  std::int64_t blocks = 0;
  for (const Graph& graph : set.graphs)
    blocks += find_substructures(graph, cnm, NodeOrder::kCanonical).partition.num_blocks();
  const double seconds = cpu_seconds() - start;
  RecordProperty("seconds", std::to_string(seconds));
  EXPECT_GT(blocks, 2000);
  EXPECT_LT(seconds, 20.0);
}

}  // namespace
}  // namespace sgood

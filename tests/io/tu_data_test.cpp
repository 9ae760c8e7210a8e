// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "sgood/io/tu_reader.h"

namespace sgood {
namespace {

using Json = nlohmann::ordered_json;

Json counts(const std::map<std::int32_t, std::int64_t>& values) {
  Json json;
  for (const auto& [value, count] : values) json[std::to_string(value)] = count;
  return json;
}

/// The facts of tests/golden/io_tu.py, from what the reader gives; attribute sums apart.
Json facts_of(const GraphSet& set) {
  std::int64_t nodes = 0, edges = 0, isolated = 0, squares = 0, row_nodes = 0, row_edges = 0;
  std::int64_t label_degrees = 0;
  std::vector<std::int64_t> class_counts(set.class_names.size());
  std::map<std::int32_t, std::int64_t> node_labels, edge_labels;
  for (const Graph& graph : set.graphs) {
    nodes += graph.num_nodes();
    edges += graph.num_edges();
    row_nodes += (graph.row() + 1) * graph.num_nodes();
    row_edges += (graph.row() + 1) * graph.num_edges();
    ++class_counts.at(static_cast<std::size_t>(graph.label().value()));
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
      const std::int64_t degree = graph.degree(v);
      isolated += degree == 0;
      squares += degree * degree;
      for (const std::int32_t label : graph.node_labels(v)) {
        ++node_labels[label];
        label_degrees += label * degree;
      }
      for (std::int32_t e = graph.row_ptr()[static_cast<std::size_t>(v)];
           e < graph.row_ptr()[static_cast<std::size_t>(v) + 1]; ++e)
        if (v < graph.col()[static_cast<std::size_t>(e)])
          for (const std::int32_t label : graph.edge_labels(e)) ++edge_labels[label];
    }
  }
  Json classes;
  for (std::size_t c = 0; c < class_counts.size(); ++c)
    classes[set.class_names[c]] = class_counts[c];
  Json facts = {{"graphs", set.graphs.size()},
                {"nodes", nodes},
                {"edges", edges},
                {"isolated", isolated},
                {"degree_squares", squares},
                {"row_nodes", row_nodes},
                {"row_edges", row_edges},
                {"classes", classes}};
  if (!node_labels.empty()) {
    facts["node_labels"] = counts(node_labels);
    facts["label_degrees"] = label_degrees;
  }
  if (!edge_labels.empty()) facts["edge_labels"] = counts(edge_labels);
  return facts;
}

std::vector<double> attribute_sums(const GraphSet& set) {
  std::vector<double> sums;
  for (const Graph& graph : set.graphs)
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
      const auto row = graph.node_attributes(v);
      sums.resize(row.size());
      for (std::size_t c = 0; c < row.size(); ++c) sums[c] += static_cast<double>(row[c]);
    }
  return sums;
}

class TuReaderData : public testing::TestWithParam<const char*> {};

TEST_P(TuReaderData, AgreesWithAnIndependentReader) {
  const char* data = std::getenv("SGOOD_DATA");
  if (!data) GTEST_SKIP() << "needs SGOOD_DATA";
  const GraphSet set = read_tu(std::filesystem::path(data) / GetParam());
  Json golden = Json::parse(std::ifstream(SGOOD_TEST_FOLDER "/golden/io_tu.json")).at(GetParam());
  const auto expected_sums = golden.value("attribute_sums", std::vector<double>());
  golden.erase("attribute_sums");
  EXPECT_EQ(facts_of(set).dump(1), golden.dump(1));
  const auto sums = attribute_sums(set);
  ASSERT_EQ(sums.size(), expected_sums.size());
  for (std::size_t c = 0; c < sums.size(); ++c)
    EXPECT_NEAR(sums[c], expected_sums[c], 1e-6 * std::abs(expected_sums[c]) + 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Sets, TuReaderData,
                         testing::Values("ENZYMES", "PROTEINS", "IMDB-BINARY", "IMDB-MULTI",
                                         "MUTAG", "NCI1", "DD", "REDDIT-BINARY"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::erase(name, '-');
                           return name;
                         });

struct Published {
  const char* name;
  std::size_t graphs, classes;
  double nodes, edges;
  std::int64_t isolated;
  std::size_t notes;
};

TEST(TuStatisticsData, ReproducesThePublishedStatistics) {
  const char* data = std::getenv("SGOOD_DATA");
  if (!data) GTEST_SKIP() << "needs SGOOD_DATA";
  // IMDB lists each directed edge twice, which is worth a note.
  const Published table[] = {{"ENZYMES", 600, 6, 32.63, 62.14, 106, 0},
                             {"PROTEINS", 1113, 2, 39.06, 72.82, 5, 0},
                             {"IMDB-BINARY", 1000, 2, 19.77, 96.53, 0, 1},
                             {"IMDB-MULTI", 1500, 3, 13.00, 65.94, 0, 1},
                             {"MUTAG", 188, 2, 17.93, 19.79, 0, 0},
                             {"NCI1", 4110, 2, 29.87, 32.30, 428, 0},
                             {"DD", 1178, 2, 284.32, 715.66, 0, 0},
                             {"REDDIT-BINARY", 2000, 2, 429.63, 497.75, 21, 0}};
  for (const Published& row : table) {
    SCOPED_TRACE(row.name);
    const GraphSet set = read_tu(std::filesystem::path(data) / row.name);
    const Json facts = facts_of(set);
    EXPECT_EQ(set.graphs.size(), row.graphs);
    EXPECT_EQ(set.class_names.size(), row.classes);
    EXPECT_EQ(facts.at("isolated"), row.isolated);
    EXPECT_EQ(set.notes.size(), row.notes);
    const auto graphs = static_cast<double>(row.graphs);
    // The table is rounded to two digits.
    EXPECT_NEAR(facts.at("nodes").get<double>() / graphs, row.nodes, 0.00501);
    EXPECT_NEAR(facts.at("edges").get<double>() / graphs, row.edges, 0.00501);
  }
}

}  // namespace
}  // namespace sgood

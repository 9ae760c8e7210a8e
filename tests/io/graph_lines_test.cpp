// SPDX-License-Identifier: MIT
#include "sgood/io/graph_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sgood/core/error.h"
#include "sgood/graph/graph_builder.h"
#include "tests/io/temporary_folder.h"

namespace sgood {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

GraphSet read(const std::filesystem::path& path, const GraphLinesOptions& options = {}) {
  return read_all(*open_graph_lines(path, options));
}

GraphSet read_text(std::string_view text, const GraphLinesOptions& options = {}) {
  const TemporaryFolder folder;
  return read(folder.write("g.jsonl", text), options);
}

/// The reason why the only line of `text` is a bad row.
std::string reason(const std::string& line) {
  const GraphSet set = read_text(line + "\n");
  EXPECT_THAT(set.bad_rows, SizeIs(1)) << line;
  return set.bad_rows.empty() ? "" : set.bad_rows[0].reason;
}

TEST(GraphLines, ReadsTheCompactForm) {
  const GraphSet set = read_text(
      R"({"id": "a", "num_nodes": 3, "edges": [[0, 1], [1, 2]], "node_labels": ["C", "C", "O"], )"
      R"("x": [[0.5, 2], [1, 1], [0, 5]], "edge_labels": [1, 2], "y": "active"})"
      "\n\n"
      R"({"edge_index": [[0], [1]], "node_labels": ["O", "N"], "x": [[1, 1], [2, 2]], )"
      R"("edge_labels": [7], "y": 0})");
  ASSERT_THAT(set.graphs, SizeIs(2));
  const Graph& a = set.graphs[0];
  EXPECT_EQ(a.id(), "a");
  EXPECT_EQ(a.num_nodes(), 3);
  EXPECT_TRUE(a.has_edge(1, 2) && a.has_edge(0, 1) && !a.has_edge(0, 2));
  EXPECT_EQ(a.node_labels(0)[0], text_code("C"));
  EXPECT_EQ(a.node_labels(2)[0], set.graphs[1].node_labels(0)[0]) << "the same text everywhere";
  EXPECT_THAT(a.node_attributes(0), ElementsAre(0.5F, 2.0F));
  EXPECT_THAT(a.edge_labels(0), ElementsAre(1));
  EXPECT_THAT(set.class_names, ElementsAre("0", "active"));
  EXPECT_EQ(a.label(), 1);
  EXPECT_EQ(set.graphs[1].id(), "1") << "the row, blank lines not counted";
  EXPECT_EQ(set.graphs[1].edge_labels(0)[0], 7);
  EXPECT_THAT(set.notes, Contains("node labels: node_label"));
}

TEST(GraphLines, ReadsWhatNetworkXWrites) {
  const GraphSet set = read(std::filesystem::path(SGOOD_TEST_FOLDER) / "golden/io_graphs.jsonl");
  ASSERT_THAT(set.graphs, SizeIs(2));
  const Graph& karate = set.graphs[0];
  EXPECT_EQ(karate.id(), "karate");
  EXPECT_EQ(karate.num_nodes(), 34);
  EXPECT_EQ(karate.num_edges(), 78);
  EXPECT_EQ(karate.degree(33), 17);
  EXPECT_THAT(set.node_label_names, ElementsAre("club"));
  EXPECT_EQ(karate.node_labels(0)[0], text_code("Mr. Hi"));
  EXPECT_EQ(karate.node_attributes(33)[0], 16.75F);
  EXPECT_EQ(set.graphs[1].node_labels(0)[0], karate.node_labels(33)[0]) << "Officer";
  EXPECT_TRUE(set.graphs[1].has_edge(0, 1) && set.graphs[1].has_edge(1, 2));
  EXPECT_THAT(set.class_names, ElementsAre("club", "path"));
}

TEST(GraphLines, WrittenGraphsReadBackAsTheyWere) {
  GraphBuilder builder(4);
  const std::vector<std::int32_t> first = {1, 2}, second = {3, 4};
  builder.add_edge(0, 3, first).add_edge(2, 1, second).set_id("odd \"name\"\n");
  builder.set_node_labels({1, -5, 2, 0, 3, 9, 4, 4}, 2);
  builder.set_node_attributes({0.1F, 1e-30F, -3, 12345.678F}, 1);
  const Graph graph = builder.build();
  const GraphSet set = read_text(graph_line(graph, "7") + "\n");
  ASSERT_THAT(set.graphs, SizeIs(1));
  EXPECT_EQ(graph_line(set.graphs[0], "7"), graph_line(graph, "7"));
  EXPECT_EQ(set.graphs[0].id(), graph.id());
  EXPECT_THAT(set.graphs[0].node_attributes(3), ElementsAre(12345.678F));
  EXPECT_THAT(set.graphs[0].node_labels(0), ElementsAre(1, -5));
}

TEST(GraphLines, KeysCanBeChosen) {
  const std::string line =
      R"({"num_nodes": 1, "edges": [], "key": "k", "graph": {"toxic": true}, "y": 3})";
  const GraphSet set = read_text(line, {.label_key = "toxic", .id_key = "key"});
  EXPECT_EQ(set.graphs[0].id(), "k");
  EXPECT_THAT(set.class_names, ElementsAre("true"));
  EXPECT_FALSE(read_text(line, {.label_key = "none"}).labelled());
}

TEST(GraphLines, ABadLineIsARowWithFileLineValueAndWhatIsLegal) {
  EXPECT_THAT(reason("{\"edges\": "), AllOf(HasSubstr("g.jsonl:1: "), HasSubstr("not JSON")));
  EXPECT_THAT(reason("[1, 2]"), HasSubstr("array"));
  EXPECT_THAT(reason("{}"), HasSubstr("num_nodes is missing"));
  EXPECT_THAT(reason(R"({"num_nodes": 3})"), HasSubstr("neither edges nor edge_index"));
  EXPECT_THAT(reason(R"({"num_nodes": -3, "edges": []})"), HasSubstr("num_nodes is -3"));
  EXPECT_THAT(reason(R"({"num_nodes": 99999999999, "edges": []})"),
              HasSubstr("num_nodes is 99999"));
  EXPECT_THAT(reason(R"({"num_nodes": 2, "edges": [[0, 2]]})"),
              HasSubstr("is 2 but must be a node"));
  EXPECT_THAT(reason(R"({"num_nodes": 2, "edges": [[0, 18446744073709551615]]})"),
              HasSubstr("must be a node"));
  EXPECT_THAT(reason(R"({"num_nodes": 2, "edges": [[0]]})"), HasSubstr("two nodes"));
  EXPECT_THAT(reason(R"({"num_nodes": 2, "edges": 5})"), HasSubstr("must be a list"));
  EXPECT_THAT(reason(R"({"num_nodes": 1, "edges": [], "node_labels": [[1.5]]})"),
              HasSubstr("whole number or a text"));
  EXPECT_THAT(reason(R"({"num_nodes": 1, "edges": [], "x": [[1e999]]})"), HasSubstr("not JSON"));
  EXPECT_THAT(reason(R"({"num_nodes": 1, "edges": [], "x": [[1e300]]})"), HasSubstr("finite"));
  EXPECT_THAT(reason(R"({"num_nodes": 2, "edges": [], "x": [[1]]})"), HasSubstr("must have 2"));
  EXPECT_THAT(reason(R"({"nodes": [{"id": 1}, {"id": 1}], "links": []})"), HasSubstr("two nodes"));
  EXPECT_THAT(reason(R"({"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]})"),
              HasSubstr("target is 2"));
  EXPECT_THAT(reason(R"({"nodes": [{"id": 1}]})"), HasSubstr("neither links nor edges"));
  EXPECT_THAT(reason(R"({"nodes": [3], "links": []})"), HasSubstr("object"));
  EXPECT_THAT(reason(R"({"num_nodes": 1, "edges": [], "y": {"a": 1}})"), HasSubstr("the class"));
}

TEST(GraphLines, LaterLinesMustHaveTheColumnsOfTheFirst) {
  const GraphSet set = read_text(R"({"num_nodes": 1, "edges": [], "node_labels": [4]})"
                                 "\n"
                                 R"({"num_nodes": 1, "edges": []})"
                                 "\n"
                                 R"({"num_nodes": 1, "edges": [], "node_labels": [[4, 5]]})"
                                 "\n"
                                 R"({"num_nodes": 0, "edges": []})"
                                 "\n");
  EXPECT_THAT(set.graphs, SizeIs(2));
  ASSERT_THAT(set.bad_rows, SizeIs(2));
  EXPECT_THAT(set.bad_rows[0].reason, HasSubstr("g.jsonl:2: node_labels is missing"));
  EXPECT_THAT(set.bad_rows[1].reason, HasSubstr("has 2 values"));
}

TEST(GraphLines, TheResultDoesNotDependOnThreadsOrOnTheSizeOfTheChunks) {
  std::string text;
  for (int i = 0; i < 200; ++i)
    text += i % 7 == 0 ? "{broken\n"
                       : fmt::format(R"({{"num_nodes": {}, "edges": [[0, 1]], "y": {}}})"
                                     "\n",
                                     2 + i % 5, i % 3);
  const TemporaryFolder folder;
  const auto path = folder.write_gz("g.jsonl.gz", text);
  const GraphSet whole = read(path, {.threads = 3});
  EXPECT_EQ(whole.num_rows(), 200);
  const auto source = open_graph_lines(path);
  std::vector<GraphRow> rows;
  for (std::vector<GraphRow> chunk; !(chunk = source->next(7)).empty();) {
    EXPECT_LE(chunk.size(), 7u);
    std::move(chunk.begin(), chunk.end(), std::back_inserter(rows));
  }
  const GraphSet parts = gather(source->header(), std::move(rows));
  ASSERT_EQ(parts.graphs.size(), whole.graphs.size());
  for (std::size_t g = 0; g < parts.graphs.size(); ++g) {
    EXPECT_EQ(parts.graphs[g].row(), whole.graphs[g].row());
    EXPECT_EQ(graph_line(parts.graphs[g], ""), graph_line(whole.graphs[g], ""));
  }
  EXPECT_EQ(parts.bad_rows.size(), whole.bad_rows.size());
}

TEST(GraphLines, AMissingFileIsAnError) { EXPECT_THROW(open_graph_lines("none.jsonl"), IoError); }

}  // namespace
}  // namespace sgood

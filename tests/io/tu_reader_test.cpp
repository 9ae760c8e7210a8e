// SPDX-License-Identifier: MIT
#include "sgood/io/tu_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "sgood/core/error.h"
#include "tests/io/temporary_folder.h"

namespace sgood {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A set of a triangle and a path of three nodes; a test changes what it is about. A file with the
/// text kAbsent is not written.
struct Example {
  static constexpr const char* kAbsent = "absent";
  std::map<std::string, std::string> files = {
      {"A", "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n4, 5\n5, 4\n5, 6\n6, 5\n"},
      {"graph_indicator", "1\n1\n1\n2\n2\n2\n"},
      {"graph_labels", "1\n-1\n"},
      {"node_labels", "7\n8\n9\n7\n7\n8\n"},
      {"node_attributes", "0.5, 1\n1.5, 2\n2.5, 3\n3.5, 4\n4.5, 5\n5.5, 6\n"},
      {"edge_labels", "0\n0\n1\n1\n2\n2\n3\n3\n4\n4\n"},
  };

  Example& set(const std::string& part, const std::string& text) {
    files[part] = text;
    return *this;
  }
  GraphSet read(const TuOptions& options = {}) const {
    const TemporaryFolder folder;
    for (const auto& [part, text] : files)
      if (text != kAbsent) folder.write("DS_" + part + ".txt", text);
    return read_tu(folder.path(), options);
  }
  std::string parse_error() const {
    return error_of<ParseError>([&] { read(); });
  }
};

void expect_same_graphs(const GraphSet& a, const GraphSet& b) {
  ASSERT_EQ(a.graphs.size(), b.graphs.size());
  EXPECT_EQ(a.class_names, b.class_names);
  for (std::size_t i = 0; i < a.graphs.size(); ++i) {
    const Graph &x = a.graphs[i], &y = b.graphs[i];
    EXPECT_EQ(x.label(), y.label());
    EXPECT_EQ(x.num_edge_columns(), y.num_edge_columns());
    EXPECT_TRUE(std::ranges::equal(x.row_ptr(), y.row_ptr()));
    EXPECT_TRUE(std::ranges::equal(x.col(), y.col()));
    for (std::int32_t v = 0; v < x.num_nodes(); ++v) {
      EXPECT_TRUE(std::ranges::equal(x.node_labels(v), y.node_labels(v)));
      EXPECT_TRUE(std::ranges::equal(x.node_attributes(v), y.node_attributes(v)));
    }
    for (std::int32_t e = 0; e < 2 * x.num_edges(); ++e)
      EXPECT_TRUE(std::ranges::equal(x.edge_labels(e), y.edge_labels(e)));
  }
}

TEST(TuReader, ReadsAllColumns) {
  const GraphSet set = Example().read();
  ASSERT_EQ(set.graphs.size(), 2u);
  EXPECT_THAT(set.notes, IsEmpty());
  EXPECT_THAT(set.bad_rows, IsEmpty());
  EXPECT_THAT(set.class_names, ElementsAre("-1", "1"));
  EXPECT_THAT(set.node_label_names, ElementsAre("node_label"));
  EXPECT_THAT(set.edge_label_names, ElementsAre("edge_label"));
  const Graph& path = set.graphs[1];
  EXPECT_EQ(set.graphs[0].num_edges(), 3);
  EXPECT_EQ(set.graphs[0].label(), 1);
  EXPECT_EQ(path.label(), 0);
  EXPECT_EQ(path.row(), 1);
  EXPECT_EQ(path.id(), "2");
  EXPECT_EQ(path.num_edges(), 2);
  EXPECT_THAT(path.neighbors(1), ElementsAre(0, 2));
  EXPECT_THAT(path.node_labels(2), ElementsAre(8));
  EXPECT_THAT(path.node_attributes(2), ElementsAre(5.5f, 6.0f));
  EXPECT_THAT(path.edge_labels(path.row_ptr()[2]), ElementsAre(4));
}

TEST(TuReader, OptionalFilesMayBeMissing) {
  Example example;
  for (const char* part : {"graph_labels", "node_labels", "node_attributes", "edge_labels"})
    example.set(part, Example::kAbsent);
  const GraphSet set = example.read();
  EXPECT_FALSE(set.labelled());
  EXPECT_THAT(set.class_names, IsEmpty());
  EXPECT_EQ(set.graphs[0].num_label_columns(), 0);
  EXPECT_EQ(set.graphs[0].num_attributes(), 0);
  EXPECT_EQ(set.graphs[0].num_edge_columns(), 0);
  EXPECT_EQ(Example().read({.node_attributes = false}).graphs[0].num_attributes(), 0);
}

TEST(TuReader, TheLayoutOfTheTextDoesNotMatter) {
  const GraphSet plain = Example().read();
  Example untidy;
  for (auto& [part, text] : untidy.files) {
    std::string changed;
    for (const char c : text)
      changed += c == '\n' ? " \t\r\n" : c == ',' ? " , " : std::string(1, c);
    text = "\xEF\xBB\xBF" + changed + "\r\n\n  \n";
  }
  expect_same_graphs(untidy.read(), plain);
  Example no_last_line_end;
  for (auto& [part, text] : no_last_line_end.files) text.pop_back();
  expect_same_graphs(no_last_line_end.read(), plain);
}

TEST(TuReader, RepeatedAndOneDirectionalEdgesGiveTheSameGraphsAndANote) {
  Example plain, twice, once;
  for (Example* e : {&plain, &twice, &once}) e->set("edge_labels", Example::kAbsent);
  twice.set("A", twice.files["A"] + twice.files["A"]);
  once.set("A", "2, 1\n2, 3\n1, 3\n5, 4\n5, 6\n");
  expect_same_graphs(twice.read(), plain.read());
  expect_same_graphs(once.read(), plain.read());
  EXPECT_THAT(twice.read().notes,
              ElementsAre(AllOf(HasSubstr("lists 20 edges"), HasSubstr("5 different"))));
  EXPECT_THAT(once.read().notes, ElementsAre(HasSubstr("lists 5 edges")));
}

TEST(TuReader, SelfLoopsAreDroppedAndCounted) {
  Example example;
  example.set("A", "1, 1\n" + example.files["A"] + "6, 6\n");
  example.set("edge_labels", "9\n" + example.files["edge_labels"] + "9\n");
  expect_same_graphs(example.read(), Example().read());
  EXPECT_THAT(example.read().notes, ElementsAre(HasSubstr("2 self-loops were dropped")));
}

TEST(TuReader, TheFirstOfTwoEdgeLabelsWins) {
  Example example;
  example.set("edge_labels", "5\n0\n1\n1\n2\n2\n3\n3\n4\n4\n");
  const Graph graph = example.read().graphs[0];
  EXPECT_THAT(graph.edge_labels(graph.row_ptr()[0]), ElementsAre(5));
  EXPECT_THAT(graph.edge_labels(graph.row_ptr()[1]), ElementsAre(5));
}

TEST(TuReader, SeveralLabelColumnsAreKeptForNodesAndEdgesButNotForGraphs) {
  Example example;
  example.set("node_labels", "7,1\n8,2\n9,3\n7,4\n7,5\n8,6\n");
  example.set("edge_labels", "0,1\n0,1\n1,1\n1,1\n2,1\n2,1\n3,1\n3,1\n4,1\n4,1\n");
  example.set("graph_labels", "2, 0.5\n10, 0.25\n");
  const GraphSet set = example.read();
  EXPECT_THAT(set.node_label_names, ElementsAre("node_label_1", "node_label_2"));
  EXPECT_THAT(set.edge_label_names, ElementsAre("edge_label_1", "edge_label_2"));
  EXPECT_THAT(set.graphs[1].node_labels(0), ElementsAre(7, 4));
  EXPECT_THAT(set.class_names, ElementsAre("2", "10"));
  EXPECT_THAT(set.notes, ElementsAre(HasSubstr("only the first column")));
}

TEST(TuReader, NodesOfAGraphNeedNotStandTogether) {
  Example example;
  // Node k of the plain set is now node order[k].
  example.set("graph_indicator", "2\n1\n2\n1\n1\n2\n");
  example.set("A", "2, 4\n4, 2\n4, 5\n5, 4\n2, 5\n5, 2\n1, 3\n3, 1\n3, 6\n6, 3\n");
  example.set("node_labels", "7\n7\n7\n8\n9\n8\n");
  example.set("node_attributes", "3.5, 4\n0.5, 1\n4.5, 5\n1.5, 2\n2.5, 3\n5.5, 6\n");
  expect_same_graphs(example.read(), Example().read());
}

TEST(TuReader, AGapInTheIdsIsAGraphWithoutNodesIfTheLabelsSaySo) {
  Example example;
  example.set("graph_indicator", "2\n2\n2\n4\n4\n4\n").set("graph_labels", "0\n1\n0\n1\n0\n");
  const GraphSet set = example.read();
  ASSERT_EQ(set.graphs.size(), 5u);
  EXPECT_EQ(set.graphs[0].num_nodes(), 0);
  EXPECT_EQ(set.graphs[1].num_nodes(), 3);
  EXPECT_EQ(set.graphs[4].num_nodes(), 0);
  EXPECT_EQ(set.graphs[3].label(), 1);
  EXPECT_THAT(set.notes, ElementsAre(HasSubstr("3 graphs have no nodes, the first is graph 1")));
  EXPECT_THAT(Example(example).set("graph_labels", "0\n1\n").parse_error(),
              HasSubstr("has 2 lines but the graph indicator names graph 4"));
  EXPECT_THAT(Example(example).set("graph_labels", Example::kAbsent).parse_error(),
              HasSubstr("graph 1 has no nodes"));
  EXPECT_THAT(Example(example)
                  .set("graph_labels", Example::kAbsent)
                  .set("graph_indicator", "1\n1\n1\n2147483647\n2\n2\n")
                  .parse_error(),
              HasSubstr("names graph 2147483647 but has only 6 nodes"));
}

TEST(TuReader, ErrorsInEdgesNameFileAndLine) {
  const auto error = [](const std::string& edges) {
    return Example().set("A", edges).parse_error();
  };
  EXPECT_THAT(error("1, 2\n3, 4\n"), HasSubstr("DS_A.txt:2: the edge joins node 3 of graph 1 and "
                                               "node 4 of graph 2"));
  EXPECT_THAT(error("1, 7\n"), HasSubstr("DS_A.txt:1: node 7 is not in [1, 6]"));
  EXPECT_THAT(error("0, 1\n"), HasSubstr("node 0"));
  EXPECT_THAT(error("1\n"), HasSubstr("DS_A.txt:1: a line must hold two node ids"));
  EXPECT_THAT(error("1, 2\n1, 2, 3\n"), HasSubstr("DS_A.txt:2: the line has 3 values"));
  EXPECT_THAT(error("1, x\n"), HasSubstr("DS_A.txt:1: value 2 is 'x'"));
  EXPECT_THAT(error("1, 2\n\n2, 1\n"), HasSubstr("DS_A.txt:2: the line is blank"));
}

TEST(TuReader, ErrorsInTheOtherFilesNameFileAndLine) {
  const auto error = [](const std::string& part, const std::string& text) {
    return Example().set(part, text).parse_error();
  };
  EXPECT_THAT(error("graph_indicator", "1\n1\n1\n0\n"), HasSubstr("indicator.txt:4: graph id 0"));
  EXPECT_THAT(error("graph_indicator", "1, 1\n"), HasSubstr("must hold one graph id"));
  EXPECT_THAT(error("graph_indicator", ""), HasSubstr("holds no graph ids"));
  EXPECT_THAT(error("graph_labels", "1\n"), HasSubstr("has 1 lines"));
  EXPECT_THAT(error("graph_labels", "1\nnan\n"),
              HasSubstr("graph_labels.txt:2: graph label 'nan'"));
  EXPECT_THAT(error("graph_labels", "1\nfoo\n"), HasSubstr("graph_labels.txt:2"));
  EXPECT_THAT(error("node_labels", "1\n2\n"), HasSubstr("has 2 lines but there are 6 nodes"));
  EXPECT_THAT(error("node_labels", "1\n2\n3.5\n"),
              HasSubstr("node_labels.txt:3: value 1 is '3.5'"));
  EXPECT_THAT(error("node_attributes", "1, 2\n1, nan\n"),
              HasSubstr("node_attributes.txt:2: value 2 is 'nan' but must be a finite number"));
  EXPECT_THAT(error("node_attributes", "1, 2\n1, 2, 3\n"),
              HasSubstr("node_attributes.txt:2: the line has 3 values but the first line has 2"));
  EXPECT_THAT(error("node_attributes", "1\n2\n3\n4\n5\n6\n7\n"), HasSubstr("has 7 lines"));
  EXPECT_THAT(error("edge_labels", "1\n"), HasSubstr("fewer lines than"));
  EXPECT_THAT(error("edge_labels", Example().files["edge_labels"] + "1\n"),
              HasSubstr("more lines than"));
}

TEST(TuReader, MissingFilesAreNamed) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of<IoError>([&] { read_tu(folder / "none"); }), HasSubstr("none"));
  EXPECT_THAT(error_of<IoError>([&] { read_tu(folder.path()); }), HasSubstr("holds no DS_A.txt"));
  folder.write("X_A.txt", "1, 2\n");
  EXPECT_THAT(error_of<IoError>([&] { read_tu(folder.path()); }),
              HasSubstr("X_graph_indicator.txt: there is no such file"));
  folder.write("Y_A.txt", "1, 2\n");
  EXPECT_THAT(error_of<IoError>([&] { read_tu(folder.path()); }), HasSubstr("X, Y"));
}

TEST(TuReader, GzipFilesAndFilesThatAreNotUsed) {
  const TemporaryFolder folder;
  for (const auto& [part, text] : Example().files) folder.write_gz("DS_" + part + ".txt.gz", text);
  expect_same_graphs(read_tu(folder.path()), Example().read());
  folder.write("DS_graph_attributes.txt", "1\n2\n");
  EXPECT_THAT(read_tu(folder.path()).notes, ElementsAre(HasSubstr("DS_graph_attributes.txt")));
}

TEST(TuReader, AnEmptyEdgeListGivesIsolatedNodes) {
  const GraphSet set = Example().set("A", "").set("edge_labels", "").read();
  EXPECT_EQ(set.graphs[0].num_nodes(), 3);
  EXPECT_EQ(set.graphs[0].num_edges(), 0);
}

}  // namespace
}  // namespace sgood

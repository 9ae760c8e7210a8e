// SPDX-License-Identifier: MIT
#include "sgood/suites/data_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "sgood/chem/molecule.h"
#include "sgood/core/error.h"
#include "tests/io/temporary_folder.h"

namespace sgood {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

/// A TU folder with an edge and a path of three, each a class of its own.
std::filesystem::path write_tu(const TemporaryFolder& folder) {
  std::filesystem::create_directory(folder / "DS");
  folder.write("DS/DS_A.txt", "1, 2\n2, 1\n3, 4\n4, 3\n4, 5\n5, 4\n");
  folder.write("DS/DS_graph_indicator.txt", "1\n1\n2\n2\n2\n");
  folder.write("DS/DS_graph_labels.txt", "0\n1\n");
  return folder / "DS";
}

TEST(ReadGraphs, AFolderIsReadAsTuTextFiles) {
  const TemporaryFolder folder;
  const GraphSet graphs = read_graphs(write_tu(folder), {});
  ASSERT_EQ(graphs.graphs.size(), 2u);
  EXPECT_EQ(graphs.graphs[0].num_nodes(), 2);
  EXPECT_EQ(graphs.graphs[1].num_edges(), 2);
}

TEST(ReadGraphs, AZippedFolderIsReadLikeTheFolder) {
  const TemporaryFolder folder;
  const GraphSet plain = read_graphs(write_tu(folder), {});
  const GraphSet zipped = read_graphs(std::string(SGOOD_TEST_FOLDER) + "/golden/io_graphs.zip", {});
  ASSERT_EQ(zipped.graphs.size(), plain.graphs.size());
  EXPECT_THAT(zipped.source, HasSubstr("io_graphs.zip"));
  for (std::size_t g = 0; g < plain.graphs.size(); ++g) {
    EXPECT_EQ(zipped.graphs[g].num_edges(), plain.graphs[g].num_edges());
    EXPECT_EQ(zipped.graphs[g].label(), plain.graphs[g].label());
  }
}

TEST(ReadGraphs, ADamagedArchiveIsAnErrorThatNamesIt) {
  const TemporaryFolder folder;
  const std::string whole = read_bytes(std::string(SGOOD_TEST_FOLDER) + "/golden/io_graphs.zip");
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, whole.size() / 4}) {
    const auto path = folder.write("cut.zip", whole.substr(0, size));
    EXPECT_THAT([&] { read_graphs(path, {}); }, ThrowsMessage<Error>(HasSubstr("cut.zip")));
  }
}

TEST(ReadGraphs, JsonLinesAreReadByTheirEnding) {
  const GraphSet graphs =
      read_graphs(std::string(SGOOD_TEST_FOLDER) + "/golden/io_graphs.jsonl", {});
  EXPECT_EQ(graphs.graphs.size(), 2u);
}

TEST(ReadGraphs, AFolderIsReadWithoutClassesWhenNoneAreWanted) {
  const TemporaryFolder folder;
  const std::string path = write_tu(folder);
  EXPECT_TRUE(read_graphs(path, {}).labelled());
  ReadOptions options;
  options.label_column = "none";
  const GraphSet unlabelled = read_graphs(path, options);
  EXPECT_FALSE(unlabelled.labelled());
  EXPECT_TRUE(unlabelled.class_names.empty());
}

TEST(ReadGraphs, AFolderThatHoldsNoTuFilesIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_graphs(folder.path(), {}), Error);
}

TEST(ReadGraphs, AnUnknownKindOfFileIsToldWhatIsRead) {
  const TemporaryFolder folder;
  for (const char* name : {"graphs.docx", "graphs", "graphs.gz", "graphs.smiles", "csv"}) {
    const std::string path = folder.write(name, "CCO\n");
    EXPECT_THAT([&] { read_graphs(path, {}); },
                ThrowsMessage<InvalidArgument>(AllOf(
                    HasSubstr(path), HasSubstr("DS_A.txt"),
                    HasSubstr(".csv, .tsv, .smi or .sdf, or graphs as .jsonl (each also .gz)"))))
        << name;
  }
}

TEST(ReadGraphs, AFileThatIsNotThereIsAnIoError) {
  const TemporaryFolder folder;
  EXPECT_THAT([&] { read_graphs(folder / "none.csv", {}); },
              ThrowsMessage<IoError>(HasSubstr("none.csv")));
}

class ReadMolecules : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!molecules_available()) GTEST_SKIP() << "needs RDKit";
  }
  TemporaryFolder folder_;
};

TEST_F(ReadMolecules, EveryEndingGivesTheSameMolecules) {
  const std::vector<std::filesystem::path> files = {
      folder_.write("a.csv", "smiles,id\nCCO,x\nc1ccccc1,y\n"),
      folder_.write_gz("b.csv.gz", "smiles,id\nCCO,x\nc1ccccc1,y\n"),
      folder_.write("c.tsv", "smiles\tid\nCCO\tx\nc1ccccc1\ty\n"),
      folder_.write("d.smi", "CCO x\nc1ccccc1 y\n"),
      folder_.write_gz("e.smi.gz", "CCO x\nc1ccccc1 y\n")};
  for (const auto& file : files) {
    const GraphSet graphs = read_graphs(file, {});
    ASSERT_EQ(graphs.graphs.size(), 2u) << file;
    EXPECT_EQ(graphs.graphs[0].num_nodes(), 3) << file;
    EXPECT_EQ(graphs.graphs[1].num_edges(), 6) << file;
    EXPECT_EQ(graphs.graphs[1].id(), "y") << file;
  }
}

TEST_F(ReadMolecules, ColumnsAreTakenAsTold) {
  const auto file = folder_.write("a.csv", "name,first,second,kind\nx,CCO,CC,3\ny,CCN,CCC,5\n");
  ReadOptions options;
  options.smiles_column = "second";
  options.label_column = "3";
  options.id_column = "name";
  options.threads = 2;
  const GraphSet graphs = read_graphs(file, options);
  ASSERT_EQ(graphs.graphs.size(), 2u);
  EXPECT_EQ(graphs.graphs[0].num_nodes(), 2);
  EXPECT_EQ(graphs.graphs[1].id(), "y");
  EXPECT_THAT(graphs.class_names, ElementsAre("3", "5"));
  options.label_column = "none";
  EXPECT_FALSE(read_graphs(file, options).labelled());
}

TEST_F(ReadMolecules, FragmentsAreFoundWhenAsked) {
  const auto file = folder_.write("a.smi", "CCOC\n");
  EXPECT_TRUE(read_graphs(file, {}).graphs.at(0).fragments().empty());
  ReadOptions options;
  options.fragmentation = Fragmentation::kBrics;
  EXPECT_THAT(read_graphs(file, options).graphs.at(0).fragments(), ElementsAre(0, 0, 1, 1));
}

TEST_F(ReadMolecules, BadRowsStandBesideTheGoodOnes) {
  const auto file = folder_.write("a.smi", "CCO\nC(C\nCCN\n");
  const GraphSet graphs = read_graphs(file, {});
  EXPECT_EQ(graphs.num_rows(), 3);
  ASSERT_EQ(graphs.graphs.size(), 2u);
  EXPECT_EQ(graphs.graphs[1].row(), 2);
  ASSERT_EQ(graphs.bad_rows.size(), 1u);
  EXPECT_EQ(graphs.bad_rows[0].row, 1);
  EXPECT_THAT(graphs.bad_rows[0].reason, AllOf(HasSubstr("a.smi:2"), HasSubstr("C(C")));
}

GraphSet with_bad_rows(int count) {
  GraphSet graphs;
  graphs.source = "a.csv";
  graphs.graphs.resize(3);
  for (int i = 0; i < count; ++i)
    graphs.bad_rows.push_back({i, std::to_string(i), fmt::format("reason {};", i)});
  return graphs;
}

TEST(RequireReadable, NothingHappensWhenAllRowsAreGood) {
  EXPECT_NO_THROW(require_readable(with_bad_rows(0)));
}

TEST(RequireReadable, TellsTheCountTheFirstFiveReasonsAndTheWayOut) {
  EXPECT_THAT(
      [] { require_readable(with_bad_rows(7)); },
      ThrowsMessage<InvalidArgument>(
          AllOf(HasSubstr("7 of 10 rows of a.csv"), HasSubstr("reason 0;"), HasSubstr("reason 4;"),
                Not(HasSubstr("reason 5;")), HasSubstr("..."), HasSubstr("--on-error skip"))));
  EXPECT_THAT([] { require_readable(with_bad_rows(5)); },
              ThrowsMessage<InvalidArgument>(AllOf(HasSubstr("reason 4;"), Not(HasSubstr("...")))));
}

}  // namespace
}  // namespace sgood

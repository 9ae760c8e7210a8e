// SPDX-License-Identifier: MIT
#include "sgood/chem/molecule_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sgood/core/error.h"

namespace sgood {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;
using testing::ThrowsMessage;

/// A folder of the running test's own, removed at its end.
class MoleculeReader : public testing::Test {
 protected:
  MoleculeReader()
      : folder_(std::filesystem::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder_);
  }
  ~MoleculeReader() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  std::filesystem::path folder_;
};

std::vector<std::string> ids(const GraphSet& set) {
  std::vector<std::string> result;
  for (const Graph& graph : set.graphs) result.push_back(graph.id());
  return result;
}

std::vector<std::int32_t> sizes(const GraphSet& set) {
  std::vector<std::int32_t> result;
  for (const Graph& graph : set.graphs) result.push_back(graph.num_nodes());
  return result;
}

/// Class names per graph, "-" for none.
std::vector<std::string> classes(const GraphSet& set) {
  std::vector<std::string> result;
  for (const Graph& graph : set.graphs)
    result.push_back(graph.label() ? set.class_names.at(*graph.label()) : "-");
  return result;
}

TEST_F(MoleculeReader, CsvWithUsualNamesNeedsNoOptions) {
  const GraphSet set = read_molecules(file("a.csv",
                                           "mol_id,activity,smiles,class\r\n"
                                           "x,5.1,CCO,10\r\n"
                                           "\"y, the 2nd\",6.2,c1ccccc1,9\r\n"
                                           "\r\n"
                                           "z,7.3,C,9\r\n"
                                           "w,7.3,[Na+].[Cl-],10\r\n"));
  EXPECT_THAT(ids(set), ElementsAre("x", "y, the 2nd", "z", "w"));
  EXPECT_THAT(sizes(set), ElementsAre(3, 6, 1, 2));
  EXPECT_THAT(set.class_names, ElementsAre("9", "10"));
  EXPECT_THAT(classes(set), ElementsAre("10", "9", "9", "10"));
  EXPECT_THAT(set.node_label_names, SizeIs(9));
  EXPECT_THAT(set.edge_label_names, ElementsAre("bond_type", "bond_stereo", "conjugated"));
  EXPECT_THAT(set.notes,
              ElementsAre("column 'mol_id' is read as the id",
                          "column 'class' is read as the class", "blank lines skipped: 1"));
  EXPECT_EQ(set.graphs[3].row(), 3);
}

TEST_F(MoleculeReader, WordsThatMayBeClassesAreNamedButNotTaken) {
  const GraphSet set = read_molecules(file("a.csv",
                                           "id,smiles,outcome,ic50\n"
                                           "a,CCO,binds,1.5\nb,C,binds,1.5\n"
                                           "c,N,does not,2.5\nd,O,does not,2.5\n"));
  EXPECT_THAT(set.class_names, SizeIs(0));
  EXPECT_THAT(set.notes,
              ElementsAre("column 'id' is read as the id",
                          "no column is read as the class; it could be 'outcome' (--labels)"));
}

TEST_F(MoleculeReader, EveryRowIsAGraphOrABadRowWithItsReason) {
  const GraphSet set = read_molecules(file("a.csv",
                                           "id,smiles\n"
                                           "a,CCO\n"
                                           "b,C1CC\n"
                                           "c,\n"
                                           "d,C,surplus\n"
                                           "e,CC(C)(C)(C)C\n"
                                           "f,N\n"));
  EXPECT_THAT(ids(set), ElementsAre("a", "f"));
  EXPECT_EQ(set.graphs[1].row(), 5);
  EXPECT_EQ(set.num_rows(), 6);
  ASSERT_THAT(set.bad_rows, SizeIs(4));
  EXPECT_EQ(set.bad_rows[0].row, 1);
  EXPECT_EQ(set.bad_rows[0].id, "b");
  EXPECT_THAT(set.bad_rows[0].reason,
              EndsWith("a.csv:3: RDKit cannot read the SMILES 'C1CC': unclosed ring"));
  EXPECT_THAT(set.bad_rows[1].reason, EndsWith("a.csv:4: the SMILES '' has no atom"));
  EXPECT_EQ(set.bad_rows[2].id, "d");
  EXPECT_THAT(set.bad_rows[2].reason, HasSubstr("a.csv:5: the row has 3 fields"));
  EXPECT_THAT(set.bad_rows[3].reason, HasSubstr("Explicit valence"));
}

TEST_F(MoleculeReader, CsvWithoutHeaderLosesNoMolecule) {
  const GraphSet set = read_molecules(file("a.csv", "1,CCO\n2,c1ccccc1O\n3,CCN\n"));
  EXPECT_THAT(sizes(set), ElementsAre(3, 7, 3));
  EXPECT_THAT(set.notes, Contains("there is no header: the first line is read as a molecule"));
  EXPECT_THAT(set.notes, Contains("column 1 is read as the SMILES"));
  const GraphSet one = read_molecules(file("b.csv", "CCO\n"));
  EXPECT_THAT(sizes(one), ElementsAre(3));
}

TEST_F(MoleculeReader, ColumnOfSmilesIsFoundByItsContent) {
  // "C", "N" and "I" are SMILES too, but shorter ones.
  const GraphSet set = read_molecules(
      file("a.tsv", "group\tcompound\tx\nC\tc1ccccc1\t1.5\nN\tCCOC\t2.5\nI\tbad(\t3.5\n"));
  EXPECT_THAT(sizes(set), ElementsAre(6, 4));
  EXPECT_THAT(set.bad_rows, SizeIs(1));
  EXPECT_THAT(set.notes, ElementsAre("column 'compound' is read as the SMILES"));
}

TEST_F(MoleculeReader, ColumnsAreChosenByNameOrNumber) {
  const auto path = file("a.csv", "s1,s2,kind,key\nCC,CCC,b,k1\nCC,CCC,a,k2\nCC,CCC,,k3\n");
  const GraphSet set =
      read_molecules(path, {.smiles_column = "1", .label_column = "kind", .id_column = "3"});
  EXPECT_THAT(sizes(set), Each(3));
  EXPECT_THAT(ids(set), ElementsAre("k1", "k2", "k3"));
  EXPECT_THAT(set.class_names, ElementsAre("a", "b"));
  EXPECT_THAT(classes(set), ElementsAre("b", "a", "-"));
  EXPECT_THAT(set.notes, IsEmpty());
}

TEST_F(MoleculeReader, MissingColumnIsAnErrorThatListsTheColumns) {
  const auto path = file("a.csv", "smiles,act\nCC,1\n");
  EXPECT_THAT([&] { read_molecules(path, {.label_column = "acts"}); },
              ThrowsMessage<InvalidArgument>(
                  AllOf(HasSubstr("a.csv"), HasSubstr("'acts'"), HasSubstr("smiles, act"))));
  EXPECT_THROW(read_molecules(path, {.smiles_column = "2"}), InvalidArgument);
  EXPECT_THROW(read_molecules(path, {.id_column = "-1"}), InvalidArgument);
  EXPECT_THAT(
      [&] { read_molecules(file("b.csv", "x,y\n1,2\n3,4\n")); },
      ThrowsMessage<InvalidArgument>(HasSubstr("no column holds SMILES; the columns are x, y")));
}

TEST_F(MoleculeReader, ContinuousAndOneOfAKindColumnsAreNoClasses) {
  const GraphSet real = read_molecules(file("a.csv", "smiles,y\nC,1.5\nC,1.5\nN,2\nN,2\n"));
  EXPECT_THAT(real.class_names, IsEmpty());
  const GraphSet count = read_molecules(file("b.csv", "smiles,n\nC,1\nC,2\nN,3\nN,4\n"));
  EXPECT_THAT(count.class_names, IsEmpty());
  const auto path = file("c.csv", "smiles,active\nC,1\nC,0\nN,1\nN,0\n");
  EXPECT_THAT(classes(read_molecules(path)), ElementsAre("1", "0", "1", "0"));
  EXPECT_THAT(read_molecules(path, {.label_column = "none"}).class_names, IsEmpty());
}

TEST_F(MoleculeReader, ThresholdMakesClassesOfAContinuousColumn) {
  const auto path = file("a.csv", "smiles,act\nC,6.4\nCC,6.5\nN,7\nO,\nF,>8\n");
  const GraphSet set = read_molecules(path, {.label_column = "act", .label_threshold = 6.5});
  EXPECT_THAT(classes(set), ElementsAre("0", "1", "1", "-"));
  EXPECT_THAT(set.class_names, ElementsAre("0", "1"));
  ASSERT_THAT(set.bad_rows, SizeIs(1));
  EXPECT_THAT(set.bad_rows[0].reason,
              EndsWith("a.csv:6: label_threshold needs numbers, but the label is '>8'"));
  EXPECT_THROW(read_molecules(path, {.label_threshold = 6.5}), InvalidArgument);
}

TEST_F(MoleculeReader, ClassWithoutAReadableMoleculeDoesNotExist) {
  const GraphSet set =
      read_molecules(file("a.csv", "smiles,kind\nC,a\nC1CC,b\nN,c\n"), {.label_column = "kind"});
  EXPECT_THAT(set.class_names, ElementsAre("a", "c"));
}

TEST_F(MoleculeReader, SmiHoldsSmilesAndOptionalId) {
  const GraphSet set = read_molecules(
      file("a.smi", "CCO\tethanol\r\nC acetic acid \n\n  N\nCC |$_R1;$| x\nQ bad\n"));
  EXPECT_THAT(ids(set), ElementsAre("ethanol", "acetic acid", "2", "x"));
  EXPECT_THAT(sizes(set), ElementsAre(3, 1, 1, 2));
  ASSERT_THAT(set.bad_rows, SizeIs(1));
  EXPECT_EQ(set.bad_rows[0].id, "bad");
  EXPECT_THAT(set.bad_rows[0].reason, HasSubstr("a.smi:6: "));
}

TEST_F(MoleculeReader, SmiHeaderIsRecognisedOnlyInTheFirstLine) {
  const GraphSet set = read_molecules(file("a.smi", "SMILES Name\nCC a\nSMILES b\n"));
  EXPECT_THAT(ids(set), ElementsAre("a"));
  EXPECT_THAT(set.notes, ElementsAre("line 1 is read as a header"));
  EXPECT_THAT(set.bad_rows, SizeIs(1));
}

TEST_F(MoleculeReader, ClassesComeFromATableOfTheirOwn) {
  const auto table = file("act.csv", "Name,Act\nb,7\na,5\nd,9\n");
  const auto path = file("a.smi", "CC a\nCCC b\nN c\n");
  const GraphSet set = read_molecules(path, {.label_file = table, .label_threshold = 6.5});
  EXPECT_THAT(classes(set), ElementsAre("0", "1", "-"));
  EXPECT_THAT(set.notes, ElementsAre(StartsWith("1 of 3 molecules are not in ")));

  const auto twice = file("twice.csv", "Name,Act\na,5\na,6\n");
  EXPECT_THAT([&] { read_molecules(path, {.label_file = twice}); },
              ThrowsMessage<ParseError>(HasSubstr("twice.csv:3: molecule 'a' has the class '6'")));
  const auto wide = file("wide.csv", "Name,x,y\na,5,6\n");
  EXPECT_THAT([&] { read_molecules(path, {.label_file = wide}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("Name, x, y")));
  EXPECT_THROW(read_molecules(path, {.label_column = "y"}), InvalidArgument);
}

TEST_F(MoleculeReader, BrokenFilesAreErrors) {
  EXPECT_THAT([&] { read_molecules(file("a.csv", "smiles,name\nCC,\"open\nCCC,x\n")); },
              ThrowsMessage<ParseError>(HasSubstr("a.csv:2: a quote is opened")));
  EXPECT_THROW(read_molecules(file("empty.csv", "")), ParseError);
  EXPECT_THROW(read_molecules(folder_ / "none.csv"), IoError);
  EXPECT_THAT([&] { read_molecules(file("a.xyz", "CC\n")); },
              ThrowsMessage<InvalidArgument>(HasSubstr(".csv, .tsv, .smi or .sdf")));
  EXPECT_THROW(read_molecules(file("b.smi", "CC\n"), {.threads = 0}), InvalidArgument);
}

TEST_F(MoleculeReader, AnSdfFileGivesTheGraphsOfItsMolecules) {
  const std::string golden = std::string(SGOOD_TEST_FOLDER) + "/golden/io_graphs";
  const GraphSet sdf = read_molecules(golden + ".sdf");
  const GraphSet smi = read_molecules(golden + ".smi");
  ASSERT_THAT(sdf.graphs, SizeIs(5));
  EXPECT_EQ(sdf.graphs[2].id(), "sodium acetate") << "the title line, blanks and all";
  EXPECT_THAT(classes(sdf), ElementsAre("1", "0", "0", "1", "1"));
  for (std::size_t g = 0; g < smi.graphs.size(); ++g) {
    const Graph &a = sdf.graphs[g], &b = smi.graphs[g];
    ASSERT_EQ(a.num_nodes(), b.num_nodes());
    EXPECT_TRUE(std::ranges::equal(a.col(), b.col())) << g;
    for (std::int32_t v = 0; v < a.num_nodes(); ++v)
      EXPECT_TRUE(std::ranges::equal(a.node_labels(v), b.node_labels(v))) << g << " " << v;
    for (std::int32_t e = 0; e < 2 * a.num_edges(); ++e)
      EXPECT_TRUE(std::ranges::equal(a.edge_labels(e), b.edge_labels(e))) << g << " " << e;
  }
}

TEST_F(MoleculeReader, ABrokenSdfRecordIsABadRowAndTheNextIsRead) {
  std::ifstream golden(std::string(SGOOD_TEST_FOLDER) + "/golden/io_graphs.sdf");
  const std::string good(std::istreambuf_iterator<char>(golden), {});
  const GraphSet set =
      read_molecules(file("a.sdf", "x\n\n\n  rubbish\nM  END\n$$$$\nno end\n$$$$\n" + good),
                     {.label_column = "active", .id_column = "comment"});
  ASSERT_THAT(set.bad_rows, SizeIs(2));
  EXPECT_THAT(set.bad_rows[0].reason, HasSubstr("a.sdf:1: RDKit cannot read the mol block"));
  EXPECT_THAT(set.bad_rows[1].reason, HasSubstr("a.sdf:7: the record has no line 'M  END'"));
  ASSERT_THAT(set.graphs, SizeIs(5));
  EXPECT_EQ(set.graphs[0].id(), "two lines");
  EXPECT_THAT([&] { read_molecules(folder_ / "a.sdf", {.label_column = "nothing"}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("active, comment")));
}

TEST_F(MoleculeReader, FilesWithoutRowsGiveAnEmptySet) {
  EXPECT_EQ(read_molecules(file("a.sdf", "\n")).num_rows(), 0);
  EXPECT_EQ(read_molecules(file("a.csv", "smiles\n")).num_rows(), 0);
  EXPECT_EQ(read_molecules(file("a.smi", "\n")).num_rows(), 0);
}

TEST(MoleculeReaderData, BaceIsReadWithoutOptionsAndTheSameWithTwoThreads) {
  const char* data = std::getenv("SGOOD_DATA");
  if (data == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
  const auto path = std::filesystem::path(data) / "BACE/mol.csv";
  const GraphSet set = read_molecules(path);
  const GraphSet parallel = read_molecules(path, {.threads = 2});
  EXPECT_THAT(set.graphs, SizeIs(1513));
  EXPECT_THAT(set.bad_rows, IsEmpty());
  EXPECT_EQ(std::ranges::count(classes(set), "0"), 822);
  EXPECT_EQ(set.graphs[0].id(), "BACE_1");
  EXPECT_EQ(ids(set), ids(parallel));
  EXPECT_EQ(sizes(set), sizes(parallel));
  EXPECT_EQ(classes(set), classes(parallel));
}

}  // namespace
}  // namespace sgood

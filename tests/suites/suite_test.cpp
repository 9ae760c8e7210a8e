// SPDX-License-Identifier: MIT
#include "sgood/suites/suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "sgood/chem/molecule.h"
#include "sgood/core/error.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/io/numbers.h"
#include "sgood/io/text_file.h"
#include "tests/io/temporary_folder.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<std::int64_t> rows_of(const GraphSet& set) {
  std::vector<std::int64_t> rows;
  for (const Graph& graph : set.graphs) rows.push_back(graph.row());
  return rows;
}

/// Row numbers of all four parts, in order: what a seed decides.
std::vector<std::vector<std::int64_t>> all_rows(const OodSuite& suite) {
  return {rows_of(suite.id_train), rows_of(suite.id_val), rows_of(suite.id_test),
          rows_of(suite.ood_test)};
}

/// Graphs of `id` and `ood` rows, without nodes.
SuiteData empty_graphs(std::int32_t id, std::int32_t ood) {
  SuiteData data;
  data.name = "made up";
  data.num_id = id;
  for (std::int32_t i = 0; i < id; ++i)
    data.id.graphs.push_back(GraphBuilder(0).set_row(i).set_label(i % 2).build());
  for (std::int32_t i = 0; i < ood; ++i)
    data.ood.graphs.push_back(GraphBuilder(0).set_row(i).build());
  return data;
}

TEST(Suites, NamesAreDifferentAndEverySuiteTellsWhatItIs) {
  std::set<std::string> names;
  for (const SuiteInfo& info : suites()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(&suite_info(info.name), &info);
    EXPECT_FALSE(info.summary.empty()) << info.name;
  }
}

TEST(Suites, AnUnknownNameListsTheKnownOnes) {
  const auto known = AllOf(HasSubstr("'enzyme'"), HasSubstr("enzymes, imdb-m, imdb-b, reddit-12k, "
                                                            "bace, bbbp, hiv, drugood, motif"));
  EXPECT_THAT([] { suite_info("enzyme"); }, ThrowsMessage<InvalidArgument>(known));
  EXPECT_THAT([] { load_suite("enzyme", "."); }, ThrowsMessage<InvalidArgument>(known));
}

TEST(Suites, TheGeneratedOneNeedsNoFilesAndSaysWhatItIs) {
  const SuiteData data = load_suite("motif", "no such folder");
  EXPECT_EQ(data.id.graphs.size(), 1000u);
  EXPECT_EQ(data.ood.graphs.size(), 300u);
  EXPECT_THAT(data.remarks, ::testing::ElementsAre(HasSubstr("Generated")));
}

TEST(Suites, MissingFilesAreNamedWithTheFolderToPutThemInto) {
  const TemporaryFolder folder;
  for (const SuiteInfo& info : suites()) {
    if (info.needs.empty()) continue;
    const std::string first = info.needs.substr(0, info.needs.find(','));
    EXPECT_THAT([&] { load_suite(info.name, folder.path()); },
                ThrowsMessage<Unavailable>(
                    AllOf(HasSubstr(info.name), HasSubstr(first), HasSubstr(folder.path().string()),
                          HasSubstr("--data-root"), HasSubstr("SGOOD_DATA"))));
  }
}

/// A TU folder of `graphs` single edges; the classes are 1 and 2 in turn.
void write_tu(const TemporaryFolder& root, const std::string& name, int graphs) {
  fs::create_directory(root / name);
  std::string edges, indicator, classes;
  for (int g = 1; g <= graphs; ++g) {
    edges += fmt::format("{0}, {1}\n{1}, {0}\n", 2 * g - 1, 2 * g);
    indicator += fmt::format("{0}\n{0}\n", g);
    classes += fmt::format("{}\n", 1 + g % 2);
  }
  root.write(name + "/" + name + "_A.txt", edges);
  root.write(name + "/" + name + "_graph_indicator.txt", indicator);
  root.write(name + "/" + name + "_graph_labels.txt", classes);
}

TEST(Suites, TheSecondMissingFolderIsNamedToo) {
  const TemporaryFolder folder;
  write_tu(folder, "ENZYMES", 12);
  EXPECT_THAT([&] { load_suite("enzymes", folder.path()); },
              ThrowsMessage<Unavailable>(HasSubstr("the folder PROTEINS")));
}

TEST(Suites, RedditNamesTheCollectionThatHasItsFiles) {
  const TemporaryFolder folder;
  write_tu(folder, "REDDIT-BINARY", 12);
  EXPECT_THAT(
      [&] { load_suite("reddit-12k", folder.path()); },
      ThrowsMessage<Unavailable>(AllOf(HasSubstr("REDDIT-MULTI-12K"),
                                       HasSubstr(folder.path().string()), HasSubstr("TUDataset"))));
}

TEST(Suites, RedditDrawsThePapersNumberOfGraphsAndSaysSo) {
  const TemporaryFolder folder;
  write_tu(folder, "REDDIT-BINARY", 1000);
  write_tu(folder, "REDDIT-MULTI-12K", 11929);
  const SuiteData data = load_suite("reddit-12k", folder.path());
  EXPECT_THAT(data.remarks, ::testing::ElementsAre(HasSubstr("8747 of the 11929")));
  const OodSuite suite = split_suite(data, 0);
  EXPECT_EQ(suite.id_train.graphs.size(), 6997u);
  EXPECT_EQ(suite.id_val.graphs.size(), 875u);
  EXPECT_EQ(suite.id_test.graphs.size(), 875u);
  EXPECT_EQ(suite.ood_test.graphs.size(), 875u);
  for (const Graph& graph : suite.ood_test.graphs) EXPECT_FALSE(graph.label().has_value());
}

TEST(SplitSuite, TestAndValidationTakeATenthEachRoundedUp) {
  const OodSuite suite = split_suite(empty_graphs(101, 40), 0);
  EXPECT_EQ(suite.name, "made up");
  EXPECT_EQ(suite.id_test.graphs.size(), 11u);
  EXPECT_EQ(suite.id_val.graphs.size(), 11u);
  EXPECT_EQ(suite.id_train.graphs.size(), 79u);
  EXPECT_EQ(suite.ood_test.graphs.size(), 11u);
}

TEST(SplitSuite, TheSeedDecidesEverything) {
  const SuiteData data = empty_graphs(200, 100);
  const auto rows = all_rows(split_suite(data, 3));
  EXPECT_EQ(rows, all_rows(split_suite(data, 3)));
  const auto other = all_rows(split_suite(data, 4));
  for (std::size_t part = 0; part < rows.size(); ++part) EXPECT_NE(rows[part], other[part]);
}

TEST(SplitSuite, TheIdPartDoesNotDependOnTheOodGraphs) {
  auto few = all_rows(split_suite(empty_graphs(200, 20), 3));
  auto many = all_rows(split_suite(empty_graphs(200, 1000), 3));
  few.pop_back();
  many.pop_back();
  EXPECT_EQ(few, many);
}

TEST(SplitSuite, APartOfTheIdGraphsIsDrawnByTheSeedWhereASuiteSaysSo) {
  SuiteData data = empty_graphs(500, 100);
  data.num_id = 100;
  std::set<std::int64_t> seen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const OodSuite suite = split_suite(data, seed);
    EXPECT_EQ(suite.id_train.graphs.size(), 80u);
    for (const std::int64_t row : rows_of(suite.id_train)) seen.insert(row);
  }
  EXPECT_GT(seen.size(), 450u);
}

TEST(SplitSuite, TheFirstOodGraphsOfTheFileCanBeTakenInstead) {
  const SuiteData data = empty_graphs(200, 100);
  for (const std::uint64_t seed : {3, 4}) {
    const OodSuite first = split_suite(data, seed, {.order = OodOrder::kFirst});
    const OodSuite drawn = split_suite(data, seed);
    EXPECT_EQ(rows_of(first.ood_test), rows_of(data.ood.subset([] {
                std::vector<std::int32_t> positions(20);
                std::iota(positions.begin(), positions.end(), 0);
                return positions;
              }())));
    EXPECT_NE(rows_of(first.ood_test), rows_of(drawn.ood_test));
    EXPECT_EQ(rows_of(first.id_test), rows_of(drawn.id_test));
  }
  EXPECT_EQ(
      split_suite(empty_graphs(100, 4), 0, {.order = OodOrder::kFirst}).ood_test.graphs.size(), 4u);
}

TEST(SplitSuite, AShareOfTheTestGraphsIsOod) {
  const SuiteData data = empty_graphs(200, 100);
  const OodSuite half = split_suite(data, 1);
  for (const auto& [share, count] : {std::pair{0.001, 1u}, {0.1, 2u}, {0.5, 20u}, {0.75, 60u}}) {
    const OodSuite suite = split_suite(data, 1, {.share = share});
    EXPECT_EQ(suite.ood_test.graphs.size(), count);
    EXPECT_EQ(rows_of(suite.id_test), rows_of(half.id_test));
    EXPECT_EQ(rows_of(suite.id_train), rows_of(half.id_train));
  }
  EXPECT_EQ(split_suite(data, 1, {.share = 0.95}).ood_test.graphs.size(), 100u);
  EXPECT_THROW(split_suite(data, 1, {.share = 1}), InvalidArgument);
  EXPECT_THROW(split_suite(data, 1, {.share = 0}), InvalidArgument);
}

TEST(SplitSuite, AllOodGraphsAreTakenWhereThereAreTooFew) {
  EXPECT_EQ(split_suite(empty_graphs(100, 4), 0).ood_test.graphs.size(), 4u);
}

TEST(SplitSuite, TooFewGraphsAreRefused) {
  EXPECT_THROW(split_suite(empty_graphs(9, 5), 0), InvalidArgument);
  EXPECT_THROW(split_suite(empty_graphs(50, 0), 0), InvalidArgument);
}

/// A suite of the paper: sizes of ID train, of each other part, and of the OOD pool.
struct Expected {
  std::string name;
  std::size_t train, other, id_pool, ood_pool;
  std::size_t classes;
};

class SuitesData : public ::testing::TestWithParam<Expected> {};

TEST_P(SuitesData, HasThePapersSizesAndDisjointParts) {
  const char* root = std::getenv("SGOOD_DATA");
  if (root == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
  const Expected& expected = GetParam();
  // One file of molecules holds both sides; graphs of the TU collection come from two folders.
  const bool molecules = suite_info(expected.name).needs.find(',') == std::string::npos;
  if (molecules && !molecules_available()) GTEST_SKIP() << "needs RDKit";
  const SuiteData data = load_suite(expected.name, root, 2);
  EXPECT_EQ(data.name, expected.name);
  EXPECT_EQ(data.id.graphs.size(), expected.id_pool);
  EXPECT_EQ(data.ood.graphs.size(), expected.ood_pool);
  EXPECT_EQ(data.id.class_names.size(), expected.classes);
  EXPECT_TRUE(data.ood.class_names.empty());
  EXPECT_EQ(data.remarks.empty(), expected.name != "drugood") << "not the paper's task";

  const OodSuite suite = split_suite(data, 0);
  EXPECT_EQ(suite.id_train.graphs.size(), expected.train);
  for (const GraphSet* part : {&suite.id_val, &suite.id_test, &suite.ood_test})
    EXPECT_EQ(part->graphs.size(), expected.other);
  for (const GraphSet* part : {&suite.id_train, &suite.id_val, &suite.id_test})
    EXPECT_TRUE(part->labelled());
  for (const Graph& graph : suite.ood_test.graphs) EXPECT_FALSE(graph.label().has_value());

  std::set<std::int64_t> rows;
  for (const GraphSet* part : {&suite.id_train, &suite.id_val, &suite.id_test})
    for (const std::int64_t row : rows_of(*part)) EXPECT_TRUE(rows.insert(row).second) << row;
  const std::vector<std::int64_t> ood_rows = rows_of(suite.ood_test);
  const std::set<std::int64_t> ood(ood_rows.begin(), ood_rows.end());
  EXPECT_EQ(ood.size(), expected.other);
  if (molecules) {
    for (const std::int64_t row : ood) EXPECT_FALSE(rows.contains(row)) << row;
  }

  // Both sides show the same columns, or a detector could not score one of them.
  EXPECT_EQ(data.id.node_label_names, data.ood.node_label_names);
  for (const GraphSet* set : {&data.id, &data.ood})
    for (const Graph& graph : set->graphs) {
      EXPECT_EQ(graph.num_label_columns(), data.id.graphs[0].num_label_columns());
      EXPECT_EQ(graph.num_attributes(), 0);
    }

  EXPECT_EQ(all_rows(suite), all_rows(split_suite(data, 0)));
  EXPECT_NE(all_rows(suite), all_rows(split_suite(data, 1)));
}

INSTANTIATE_TEST_SUITE_P(Paper, SuitesData,
                         ::testing::Values(Expected{"enzymes", 480, 60, 600, 450, 6},
                                           Expected{"imdb-m", 1200, 150, 1500, 500, 3},
                                           Expected{"imdb-b", 800, 100, 1000, 1000, 2},
                                           Expected{"bace", 968, 121, 1210, 152, 2},
                                           Expected{"bbbp", 1303, 164, 1631, 204, 2},
                                           Expected{"hiv", 26319, 3291, 32901, 4113, 2},
                                           Expected{"drugood", 800, 100, 4540, 2490, 2}),
                         [](const auto& suite) {
                           std::string name = suite.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(SuitesData, EnzymesAndProteinsNumberTheirNodeLabelsAlike) {
  const char* root = std::getenv("SGOOD_DATA");
  if (root == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
  const SuiteData data = load_suite("enzymes", root);
  for (const GraphSet* set : {&data.id, &data.ood}) {
    std::set<std::int32_t> labels;
    for (const Graph& graph : set->graphs)
      for (std::int32_t v = 0; v < graph.num_nodes(); ++v) labels.insert(graph.node_labels(v)[0]);
    EXPECT_EQ(labels, (std::set<std::int32_t>{1, 2, 3}));
  }
}

/// Row numbers in a published index file.
std::vector<std::int64_t> published_rows(const fs::path& file) {
  std::vector<std::int64_t> rows;
  LineReader lines(file);
  while (const auto line = lines.next()) rows.push_back(parse_number<std::int64_t>(*line).value());
  return rows;
}

class ScaffoldSuitesData : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(ScaffoldSuitesData, PartsArePublishedOnesAndComeOutTheSameWithoutTheIndexFiles) {
  const char* root = std::getenv("SGOOD_DATA");
  if (root == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
  if (!molecules_available()) GTEST_SKIP() << "needs RDKit";
  const auto& [name, set] = GetParam();
  const fs::path folder = fs::path(root) / set;
  const auto train = published_rows(folder / "split" / "scaffold" / "train.csv");
  const auto test = published_rows(folder / "split" / "scaffold" / "test.csv");
  const SuiteData published = load_suite(name, root, 2);
  EXPECT_EQ(rows_of(published.id), train);
  EXPECT_EQ(rows_of(published.ood), test);

  const TemporaryFolder copy;
  fs::create_directory(copy / set);
  fs::copy_file(folder / "mol.csv.gz", copy / set / "mol.csv.gz");
  const SuiteData computed = load_suite(name, copy.path(), 2);
  EXPECT_EQ(rows_of(computed.id), train);
  EXPECT_EQ(rows_of(computed.ood), test);
}

INSTANTIATE_TEST_SUITE_P(Sets, ScaffoldSuitesData,
                         ::testing::Values(std::pair{"bace", "BACE"}, std::pair{"bbbp", "BBBP"}),
                         [](const auto& set) { return std::string(set.param.first); });

}  // namespace
}  // namespace sgood

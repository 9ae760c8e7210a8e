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

TEST(Suites, MissingFilesAreNamedWithTheFolderToPutThemInto) {
  const testing::TemporaryFolder folder;
  for (const SuiteInfo& info : suites()) {
    if (info.needs.empty()) continue;
    const std::string first = info.needs.substr(0, info.needs.find(','));
    EXPECT_THAT([&] { load_suite(info.name, folder.path()); },
                ThrowsMessage<Unavailable>(AllOf(HasSubstr(info.name), HasSubstr(first),
                                                 HasSubstr(folder.path().string()),
                                                 HasSubstr("--data-root"), HasSubstr("SGOOD_DATA"))));
  }
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

class SuiteData_ : public ::testing::TestWithParam<Expected> {};
using SuitesData = SuiteData_;

TEST_P(SuitesData, HasThePapersSizesAndDisjointParts) {
  const char* root = std::getenv("SGOOD_DATA");
  if (root == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
  const Expected& expected = GetParam();
  const std::string& needs = suite_info(expected.name).needs;
  if (!molecules_available() && needs.find(',') == std::string::npos) GTEST_SKIP() << "needs RDKit";
  const SuiteData data = load_suite(expected.name, root, 2);
  EXPECT_EQ(data.name, expected.name);
  EXPECT_EQ(data.id.graphs.size(), expected.id_pool);
  EXPECT_EQ(data.ood.graphs.size(), expected.ood_pool);
  EXPECT_EQ(data.id.class_names.size(), expected.classes);
  EXPECT_TRUE(data.ood.class_names.empty());

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
  // One file of molecules holds both sides.
  if (needs.find(',') == std::string::npos)
    for (const std::int64_t row : ood) EXPECT_FALSE(rows.contains(row)) << row;

  // Both sides show the same columns, or a detector could not score one of them.
  EXPECT_EQ(data.id.node_label_names, data.ood.node_label_names);
  EXPECT_EQ(data.id.graphs[0].num_attributes() == 0, expected.name != "enzymes");

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
                                           Expected{"drugood", 800, 100, 0, 0, 2}),
                         [](const auto& suite) {
                           std::string name = suite.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace sgood

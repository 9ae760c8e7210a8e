// SPDX-License-Identifier: MIT
#include "sgood/experiments/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sgood/core/error.h"
#include "sgood/experiments/paper.h"
#include "sgood/suites/suite.h"

namespace sgood {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(MarkdownTable, TextStaysLeftAndNumbersGoRightWithTwoDecimals) {
  const auto rows = nlohmann::ordered_json::parse(
      R"([{"suite": "a", "graphs": 12, "OOD %": 3.14159, "paper": null},
          {"suite": "b", "graphs": 5, "OOD %": 100.0, "paper": 50.5}])");
  EXPECT_EQ(markdown_table(rows),
            "| suite | graphs | OOD % | paper |\n"
            "|---|---:|---:|---:|\n"
            "| a | 12 | 3.14 | - |\n"
            "| b | 5 | 100.00 | 50.50 |\n");
}

TEST(MarkdownTable, NoRowsGiveNoTable) {
  EXPECT_EQ(markdown_table(nlohmann::ordered_json::array()), "");
}

TEST(Experiments, NamesAreDifferentAndEveryOneIsFound) {
  std::set<std::string> names;
  for (const ExperimentInfo& info : experiments()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(&experiment_info(info.name), &info);
    EXPECT_FALSE(info.summary.empty());
    EXPECT_NE(info.run, nullptr);
  }
}

TEST(Experiments, AnUnknownNameListsTheKnownOnes) {
  EXPECT_THAT([] { experiment_info("no such thing"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("unseen-substructures")));
}

TEST(PaperResult, EveryRowBelongsToASuiteAndIsInPercent) {
  int rows = 0;
  for (const SuiteInfo& suite : suites()) {
    const auto result = paper_result(suite.name);
    if (!result) continue;
    ++rows;
    EXPECT_EQ(result->suite, suite.name);
    for (const double percent : {result->auroc, result->aupr, result->fpr95, result->id_accuracy}) {
      EXPECT_GT(percent, 20);
      EXPECT_LT(percent, 100);
    }
    EXPECT_GT(result->epoch_seconds, 0);
  }
  EXPECT_GE(rows, 7);
  EXPECT_FALSE(paper_result("motif"));
}

}  // namespace
}  // namespace sgood

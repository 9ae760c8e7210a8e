// SPDX-License-Identifier: MIT
#include "sgood/experiments/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sgood/core/error.h"
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

TEST(Experiments, AreWellFormed) {
  std::set<std::string> names;
  for (const Experiment& experiment : experiments()) {
    SCOPED_TRACE(experiment.name);
    EXPECT_TRUE(names.insert(experiment.name).second);
    EXPECT_EQ(&find_experiment(experiment.name), &experiment);
    EXPECT_FALSE(experiment.title.empty());
    EXPECT_NE(experiment.measure == nullptr, experiment.variants.empty());
    for (const std::string& suite : experiment.suites) EXPECT_NO_THROW(suite_info(suite));
    for (const Variant& variant : experiment.variants) {
      if (!variant.paper.empty()) {
        EXPECT_EQ(variant.paper.size(), experiment.metrics.size()) << variant.label;
        for (const auto& values : variant.paper) {
          EXPECT_EQ(values.size(), experiment.suites.size()) << variant.label;
        }
      }
      if (!method_exists(variant.method)) continue;
      EXPECT_NO_THROW((RunSpec{experiment.suites[0], variant.method, variant.options, 0, 0}.key()));
    }
    const std::size_t pairs = experiment.pair_options.size();
    if (experiment.figure == Figure::kLines) {
      EXPECT_EQ(experiment.x.size(), experiment.variants.size());
    }
    if (experiment.figure == Figure::kHeatMaps) {
      EXPECT_EQ(experiment.variants.size(), 1 + pairs * pairs);
    }
  }
}

TEST(Experiments, AnUnknownNameListsTheKnownOnes) {
  EXPECT_THAT([] { find_experiment("no such thing"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("unseen-substructures")));
}

TEST(Experiments, HaveTheRunsThatWereAskedFor) {
  const Experiment& ablation = find_experiment("ablation");
  EXPECT_EQ(experiment_runs(ablation, {}, {}, 5).size(), 6u * 3 * 5);
  EXPECT_EQ(experiment_runs(ablation, {"bace", "hiv"}, {"sgood"}, 2).size(), 3u * 2);
  EXPECT_TRUE(experiment_runs(ablation, {}, {"no such method"}, 5).empty());
  // BRICS is for molecules: the paper left the other cells empty.
  EXPECT_EQ(experiment_runs(find_experiment("substructures"), {}, {}, 1).size(), 6u * 4 + 3);
  // One run per variant is drawn.
  EXPECT_EQ(experiment_runs(find_experiment("score-distributions"), {}, {}, 5).size(), 3u);
}

TEST(PaperValue, IsThatOfTheMethodWithItsDefaultOptions) {
  EXPECT_EQ(paper_value("bace", "sgood", Metric::kAuroc), 84.39);
  EXPECT_EQ(paper_value("hiv", "ocgtl", Metric::kFpr95), 96.41);
  EXPECT_EQ(paper_value("enzymes", "sgood", Metric::kIdAccuracy), 48.66);
  EXPECT_EQ(paper_value("enzymes", "sgood", Metric::kEpochSeconds), 0.161);
  EXPECT_FALSE(paper_value("motif", "sgood", Metric::kAuroc));
  EXPECT_FALSE(paper_value("bace", "good-d", Metric::kIdAccuracy));
}

}  // namespace
}  // namespace sgood

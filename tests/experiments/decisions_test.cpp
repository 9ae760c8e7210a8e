// SPDX-License-Identifier: MIT
#include "sgood/experiments/decisions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "sgood/core/error.h"

namespace sgood {
namespace {

std::vector<double> normal_scores(int n) {
  Rng rng(3);
  std::vector<double> scores;
  for (int i = 0; i < n; ++i) scores.push_back(rng.normal());
  return scores;
}

TEST(Decisions, AlarmsComeAtTheRateThatWasPromised) {
  for (const double rate : {0.05, 0.2}) {
    const AlarmTrial trial = try_alarms(normal_scores(120), rate, 400, Rng(1));
    EXPECT_LE(trial.expected, rate);
    EXPECT_NEAR(trial.found, trial.expected, 4 * trial.error);
    EXPECT_GT(trial.ks_p_value, 0.001);
  }
}

TEST(Decisions, EqualScoresOnlyMakeAlarmsRarer) {
  std::vector<double> scores = normal_scores(120);
  for (double& score : scores) score = std::round(score);
  const AlarmTrial trial = try_alarms(scores, 0.2, 400, Rng(1));
  EXPECT_LT(trial.found, trial.expected);
  EXPECT_GT(trial.ks_p_value, 0.001);
}

TEST(Decisions, HoldOnHeldOutGraphsOfEachSuite) {
  const char* root = std::getenv("SGOOD_DATA");
  ExperimentContext context;
  context.suites = {"motif"};
  if (root != nullptr) {
    context.data_root = root;
    // SGOOD is fitted for minutes on the larger ones; their numbers are in docs/experiments.md.
    context.suites = {"motif", "enzymes"};
  }
  for (const auto& row : run_decisions(context)) {
    SCOPED_TRACE(row.dump());
    EXPECT_LE(row["found, %"].get<double>(),
              row["asked, %"].get<double>() + 4 * row["standard error"].get<double>());
    EXPECT_GT(row["KS p-value"].get<double>(), 0.001);
  }
}

TEST(Decisions, TooFewScoresAreAnError) {
  EXPECT_THROW(try_alarms(normal_scores(3), 0.05, 10, Rng(1)), InvalidArgument);
}

}  // namespace
}  // namespace sgood

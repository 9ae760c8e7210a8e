// SPDX-License-Identifier: MIT
#include "sgood/metrics/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "sgood/core/error.h"
#include "sgood/core/rng.h"

namespace sgood {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> one_to(int n) {
  std::vector<double> scores(static_cast<std::size_t>(n));
  std::iota(scores.begin(), scores.end(), 1.0);
  return scores;
}

TEST(Calibration, PValueCountsCalibrationScoresAtLeastAsHigh) {
  const Calibration calibration({3, 1, 2, 2});
  EXPECT_EQ(calibration.p_value(0), 1.0);
  EXPECT_EQ(calibration.p_value(2), 4 / 5.0);
  EXPECT_EQ(calibration.p_value(2.5), 2 / 5.0);
  EXPECT_EQ(calibration.p_value(3), 2 / 5.0);
  EXPECT_EQ(calibration.p_value(kInfinity), 1 / 5.0);
  EXPECT_EQ(calibration.smallest_alarm_rate(), 1 / 5.0);
}

TEST(Calibration, ThresholdIsTheConformalOrderStatistic) {
  const Calibration calibration(one_to(99));
  EXPECT_EQ(calibration.threshold(0.05), 95);   // ceil(0.95 * 100)
  EXPECT_EQ(calibration.threshold(0.055), 95);  // ceil(94.5)
  EXPECT_EQ(calibration.threshold(0.01), 99);
  EXPECT_EQ(calibration.threshold(0.29), 71);  // although 0.29 * 100 rounds below 29
  EXPECT_EQ(calibration.threshold(0.99), 1);
}

TEST(Calibration, NothingIsFlaggedBelowTheSmallestAlarmRate) {
  const Calibration calibration(one_to(18));
  EXPECT_EQ(calibration.threshold(0.05), kInfinity);
  EXPECT_FALSE(calibration.is_ood(1e300, 0.05));
  EXPECT_TRUE(calibration.is_ood(1e300, calibration.smallest_alarm_rate()));
  EXPECT_EQ(Calibration(one_to(19)).threshold(0.05), 19);
}

TEST(Calibration, ThresholdAndPValueDecideAlikeAlsoWithTies) {
  Rng rng(2);
  for (int n = 1; n <= 130; ++n) {
    std::vector<double> scores(static_cast<std::size_t>(n));
    for (double& score : scores) score = static_cast<double>(rng.below(12));
    const Calibration calibration(scores);
    for (int percent = 1; percent < 100; ++percent) {
      const double rate = percent / 100.0;
      for (double score = -0.5; score <= 12; score += 0.5)
        ASSERT_EQ(calibration.is_ood(score, rate), score > calibration.threshold(rate))
            << "n " << n << ", rate " << rate << ", score " << score;
    }
    for (int rank = 1; rank <= n; ++rank) {
      const double rate = rank / (n + 1.0);
      ASSERT_EQ(calibration.threshold(rate),
                calibration.scores()[static_cast<std::size_t>(n - rank)]);
    }
  }
}

// Share of false alarms over many calibration sets, each with one new ID score.
double false_alarm_rate(Rng& rng, int n, double rate, double (*draw)(Rng&)) {
  const int trials = 20000;
  int alarms = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> scores(static_cast<std::size_t>(n));
    for (double& score : scores) score = draw(rng);
    alarms += Calibration(scores).is_ood(draw(rng), rate);
  }
  return alarms / static_cast<double>(trials);
}

TEST(Calibration, FalseAlarmRateIsWhatWasPromised) {
  Rng rng(9);
  const auto normal = [](Rng& r) { return r.normal(); };
  for (const int n : {5, 19, 30, 99}) {
    const double reached = std::floor(0.1 * (n + 1) + 1e-9) / (n + 1);         // exact without ties
    EXPECT_NEAR(false_alarm_rate(rng, n, 0.1, normal), reached, 0.0085) << n;  // 4 deviations
  }
  const auto ties = [](Rng& r) { return static_cast<double>(r.below(4)); };
  EXPECT_LE(false_alarm_rate(rng, 19, 0.3, ties), 0.3);
}

TEST(Calibration, IsRebuiltFromItsStoredScores) {
  const Calibration a({0.3, 0.1, 0.2});
  EXPECT_EQ(a.scores(), (std::vector<double>{0.1, 0.2, 0.3}));
  const Calibration b(a.scores());
  EXPECT_EQ(a.scores(), b.scores());
}

TEST(BatchTest, AgreesWithSciPy) {
  std::ifstream file(SGOOD_TEST_FOLDER "/golden/metrics_batch_test.json");
  for (const auto& row : nlohmann::json::parse(file)) {
    const Calibration calibration(row["calibration"].get<std::vector<double>>());
    const auto scores = row["scores"].get<std::vector<double>>();
    const double expected = row["p_value"];
    EXPECT_NEAR(calibration.batch_p_value(scores), expected, 1e-12 + 1e-9 * expected);
  }
}

TEST(BatchTest, IsUniformForGraphsInDistributionAndSmallForOthers) {
  Rng rng(5);
  int low = 0, found = 0;
  constexpr int kTrials = 2000;
  const auto sample = [&](int n, double shift) {
    std::vector<double> scores;
    for (int i = 0; i < n; ++i) scores.push_back(shift + rng.normal());
    return scores;
  };
  for (int t = 0; t < kTrials; ++t) {
    const Calibration calibration(sample(40, 0));
    low += calibration.batch_p_value(sample(30, 0)) <= 0.05 ? 1 : 0;
    found += calibration.batch_p_value(sample(30, 1)) <= 0.05 ? 1 : 0;
  }
  EXPECT_NEAR(low / double(kTrials), 0.05, 4 * std::sqrt(0.05 * 0.95 / kTrials));
  EXPECT_GT(found, 9 * kTrials / 10);
}

TEST(BatchTest, EqualScoresSayNothingAndStrangeOnesAreErrors) {
  const Calibration calibration({1, 1, 1});
  EXPECT_EQ(calibration.batch_p_value(std::vector<double>{1, 1}), 1);
  EXPECT_THROW(calibration.batch_p_value({}), InvalidArgument);
  EXPECT_THROW(calibration.batch_p_value(std::vector<double>{kInfinity}), InvalidArgument);
}

TEST(Calibration, RefusesWhatHasNoMeaning) {
  EXPECT_THROW(Calibration({}), InvalidArgument);
  EXPECT_THROW(Calibration({1, std::nan("")}), InvalidArgument);
  EXPECT_THROW(Calibration({1, kInfinity}), InvalidArgument);
  const Calibration calibration({1, 2});
  EXPECT_THROW(calibration.p_value(std::nan("")), InvalidArgument);
  EXPECT_THROW(calibration.is_ood(std::nan(""), 0.5), InvalidArgument);
  for (const double rate : {0.0, 1.0, -0.1, std::nan("")}) {
    EXPECT_THROW(calibration.threshold(rate), InvalidArgument);
    EXPECT_THROW(calibration.is_ood(1, rate), InvalidArgument);
  }
}

TEST(EstimatedOodShare, IsWhatPValuesAboveAHalfLackOfHalfTheGraphs) {
  EXPECT_EQ(estimated_ood_share(std::vector<double>{0.1, 0.4, 0.6, 0.9}), 0);
  EXPECT_EQ(estimated_ood_share(std::vector<double>{0.1, 0.5, 0.2, 0.9}), 0.5);
  EXPECT_EQ(estimated_ood_share(std::vector<double>{0.1, 0.5}), 1);
  EXPECT_EQ(estimated_ood_share(std::vector<double>{0.6, 0.7, 0.4}), 0);  // not below 0
  EXPECT_THROW(estimated_ood_share({}), InvalidArgument);
}

TEST(EstimatedOodShare, FindsTheShareOfAMixture) {
  Rng rng(3);
  for (const double share : {0.0, 0.3, 0.8}) {
    std::vector<double> p_values;
    for (int i = 0; i < 20000; ++i)
      p_values.push_back(i < 20000 * share ? 0.01 : (double(rng.below(1000)) + 0.5) / 1000);
    EXPECT_NEAR(estimated_ood_share(p_values), share, 0.03);
  }
}

}  // namespace
}  // namespace sgood

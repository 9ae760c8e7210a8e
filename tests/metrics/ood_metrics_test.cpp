// SPDX-License-Identifier: MIT
#include "sgood/metrics/ood_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "sgood/core/error.h"

namespace sgood {
namespace {

using Scores = std::vector<double>;

Scores normals(Rng& rng, int count, double mean) {
  Scores scores(static_cast<std::size_t>(count));
  for (double& score : scores) score = mean + rng.normal();
  return scores;
}

TEST(OodMetrics, AgreeWithScikitLearnAndAllPairsDeLong) {
  std::ifstream file(SGOOD_TEST_FOLDER "/golden/metrics.json");
  const auto cases = nlohmann::json::parse(file);
  ASSERT_EQ(cases.size(), 25u);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    const auto& expected = cases[i];
    const auto id = expected["id"].get<Scores>(), ood = expected["ood"].get<Scores>();
    const OodMetrics metrics = ood_metrics(id, ood);
    EXPECT_NEAR(metrics.auroc, expected["auroc"], 1e-12);
    EXPECT_NEAR(metrics.aupr, expected["aupr"], 1e-12);
    EXPECT_NEAR(metrics.fpr95, expected["fpr95"], 1e-12);
    EXPECT_NEAR(metrics.aupr_id, expected["aupr_id"], 1e-12);
    EXPECT_NEAR(metrics.fpr95_id, expected["fpr95_id"], 1e-12);
    EXPECT_NEAR(metrics.auroc_error, expected["auroc_error"], 1e-12);
    EXPECT_EQ(metrics.num_id, std::ssize(id));
    EXPECT_EQ(metrics.num_ood, std::ssize(ood));
  }
}

TEST(OodMetrics, TwoConventionsOfFpr95Differ) {
  // One OOD graph of ten hides below all ID graphs; no ID graph hides above the others.
  const Scores id{1, 2, 3, 4}, ood{0, 5, 6, 7, 8, 9, 10, 11, 12, 13};
  const OodMetrics metrics = ood_metrics(id, ood);
  EXPECT_EQ(metrics.fpr95, 1.0);
  EXPECT_EQ(metrics.fpr95_id, 0.1);
}

TEST(OodMetrics, ExactlyNineteenOfTwentyIsEnoughForFpr95) {
  Scores ood(20, 5.0);
  ood[0] = -1;
  const Scores id{0, 0, 0};
  EXPECT_EQ(ood_metrics(id, ood).fpr95, 0.0);
  ood[1] = -1;
  EXPECT_EQ(ood_metrics(id, ood).fpr95, 1.0);
}

TEST(OodMetrics, ConstantScoresAreChance) {
  const Scores id(30, 0.5), ood(10, 0.5);
  const OodMetrics metrics = ood_metrics(id, ood);
  EXPECT_EQ(metrics.auroc, 0.5);
  EXPECT_EQ(metrics.aupr, 0.25);
  EXPECT_EQ(metrics.aupr_id, 0.75);
  EXPECT_EQ(metrics.fpr95, 1.0);
  EXPECT_EQ(metrics.fpr95_id, 1.0);
}

TEST(OodMetrics, TurningTheSignAndTheSidesExchangesTheTwoDirections) {
  Rng rng(3);
  Scores id = normals(rng, 80, 0), ood = normals(rng, 50, 1);
  const OodMetrics a = ood_metrics(id, ood);
  for (double& score : id) score = -score;
  for (double& score : ood) score = -score;
  const OodMetrics b = ood_metrics(ood, id);
  EXPECT_EQ(a.auroc, b.auroc);
  EXPECT_EQ(a.aupr, b.aupr_id);
  EXPECT_EQ(a.fpr95, b.fpr95_id);
  EXPECT_NEAR(a.auroc_error, b.auroc_error, 1e-15);
}

TEST(OodMetrics, DeLongIntervalCoversTheTrueAuroc) {
  Rng rng(11);
  const double truth = 0.5 * std::erfc(-1.0 / 2);  // normals one deviation apart: Phi(1 / sqrt(2))
  const int trials = 1000;
  int covered = 0;
  for (int i = 0; i < trials; ++i) {
    const OodMetrics metrics = ood_metrics(normals(rng, 60, 0), normals(rng, 60, 1));
    covered += metrics.auroc_low <= truth && truth <= metrics.auroc_high;
  }
  EXPECT_NEAR(covered / static_cast<double>(trials), 0.95, 0.025);
}

TEST(OodMetrics, IntervalStaysWithinZeroAndOne) {
  const OodMetrics metrics = ood_metrics(Scores{0}, Scores{1});
  EXPECT_EQ(metrics.auroc, 1.0);
  EXPECT_EQ(metrics.auroc_high, 1.0);
  EXPECT_EQ(metrics.auroc_low, 0.0);
}

TEST(OodMetrics, RefuseAnEmptySideAndScoresThatAreNotFinite) {
  const Scores some{1, 2}, none;
  EXPECT_THROW(ood_metrics(some, none), InvalidArgument);
  EXPECT_THROW(ood_metrics(none, some), InvalidArgument);
  EXPECT_THROW(ood_metrics(some, Scores{std::nan("")}), InvalidArgument);
  EXPECT_THROW(ood_metrics(Scores{std::numeric_limits<double>::infinity()}, some), InvalidArgument);
}

TEST(Accuracy, IsTheShareOfEqualPositions) {
  const std::vector<std::int32_t> predicted{0, 1, 2, 2}, truth{0, 1, 1, 2};
  EXPECT_EQ(accuracy(predicted, truth), 0.75);
  EXPECT_THROW(accuracy(predicted, std::vector<std::int32_t>{0}), InvalidArgument);
  EXPECT_THROW(accuracy({}, {}), InvalidArgument);
}

TEST(Summary, HasMeanAndSampleDeviation) {
  const Summary summary = summarize(Scores{2, 4, 4, 6});
  EXPECT_EQ(summary.mean, 4);
  EXPECT_DOUBLE_EQ(summary.std, std::sqrt(8.0 / 3));
  EXPECT_EQ(summary.n, 4);
  EXPECT_EQ(summarize(Scores{7}).std, 0);
  EXPECT_THROW(summarize(Scores{}), InvalidArgument);
  EXPECT_THROW(summarize(Scores{1, std::nan("")}), InvalidArgument);
}

TEST(BootstrapMeanInterval, HasTheWidthOfTheNormalIntervalWhenThereAreManyValues) {
  Rng rng(5);
  const Scores values = normals(rng, 400, 10);
  const Summary summary = summarize(values);
  const Interval interval = bootstrap_mean_interval(values, rng);
  const double half_width = 1.96 * summary.std / std::sqrt(400.0);
  EXPECT_NEAR(interval.low, summary.mean - half_width, 0.1 * half_width);
  EXPECT_NEAR(interval.high, summary.mean + half_width, 0.1 * half_width);
}

TEST(BootstrapMeanInterval, IsRepeatableAndAPointForOneValue) {
  const Scores values{70, 74, 76};
  Rng a(1), b(1);
  EXPECT_EQ(bootstrap_mean_interval(values, a).low, bootstrap_mean_interval(values, b).low);
  const Interval point = bootstrap_mean_interval(Scores{3}, a);
  EXPECT_EQ(point.low, 3);
  EXPECT_EQ(point.high, 3);
  EXPECT_THROW(bootstrap_mean_interval(values, a, 1.0), InvalidArgument);
  EXPECT_THROW(bootstrap_mean_interval(values, a, 0.95, 0), InvalidArgument);
}

}  // namespace
}  // namespace sgood

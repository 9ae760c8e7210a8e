// SPDX-License-Identifier: MIT
// Batch scores of wl-density.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "sgood/core/error.h"
#include "sgood/metrics/ood_metrics.h"
#include "tests/detectors/plain_density.h"
#include "tests/detectors/toy_data.h"
#include "tests/detectors/wl_density_data.h"

namespace sgood {
namespace {

using testing::batch_scores;
using testing::fitted;
using testing::Options;
using testing::plain_batch_scores;
using testing::plain_ratios;
using testing::plain_scores;
using testing::random_molecules;
using testing::relabelled;
using testing::ring;
using testing::scores;
using testing::set_of;

GraphSet joined(GraphSet a, const GraphSet& b) {
  a.graphs.insert(a.graphs.end(), b.graphs.begin(), b.graphs.end());
  return a;
}

TEST(WlDensityBatch, IsThePlainFormula) {
  const GraphSet train = random_molecules(60, 1);
  // Copies, of training graphs and of graphs of the batch, and graphs with colours of their own.
  GraphSet rest = joined(random_molecules(50, 2), train.subset({0, 0, 3, 7}));
  rest = joined(rest, relabelled(rest.subset({4, 4, 9}), 5));
  for (int i = 0; i < 5; ++i)
    rest.graphs.push_back(ring(4 + i, std::vector<std::int32_t>(std::size_t(8 + 2 * i), 9), 2, 1));
  for (const Options& options : {Options{},
                                 {{"idf", "false"}},
                                 {{"depth", "0"}},
                                 {{"depth", "4"}},
                                 {{"views", "whole"}},
                                 {{"combine", "fisher"}},
                                 {{"columns", "first"}, {"edge_labels", "false"}}}) {
    WlDensityOptions plain;
    std::string name = "default";
    for (const auto& [option, value] : options) {
      plain.table().set(option, value);
      name += " " + option + "=" + value;
    }
    const WlDensityDetector detector = fitted(train, options);
    const auto expected = plain_ratios(train, rest, plain);
    const auto actual = detector.log_ratios(rest, 1, {});
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(actual[i], expected[i], 1e-11) << name << ' ' << i;
    const auto expected_scores =
        plain_batch_scores(detector.training_scores(), plain_scores(train, rest, plain), expected);
    const auto actual_scores = batch_scores(detector, rest);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(actual_scores[i], expected_scores[i], 1e-12) << name << ' ' << i;
  }
}

TEST(WlDensityBatch, ManyShiftedGraphsAreFoundThatOneAloneHides) {
  // In size and labels these lie among the training graphs; only their number is conspicuous.
  const GraphSet train = random_molecules(200, 1), id = random_molecules(60, 2);
  GraphSet shifted;
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    shifted.graphs.push_back(relabelled(train.subset({17}), seed).graphs[0]);
  const WlDensityDetector detector = fitted(train);
  const GraphSet all = joined(id, shifted);
  const auto alone = scores(detector, all), together = detector.log_ratios(all, 1, {});
  const auto of_id = [](const std::vector<double>& v) { return std::span(v).first(60); };
  const auto of_shifted = [](const std::vector<double>& v) { return std::span(v).last(60); };
  EXPECT_LT(ood_metrics(of_id(alone), of_shifted(alone)).auroc, 0.3);
  EXPECT_GT(ood_metrics(of_id(together), of_shifted(together)).auroc, 0.99);
}

TEST(WlDensityBatch, RatiosKeepTheirBitsWhateverTheOrderOfRowsAndNodesAndTheThreads) {
  const WlDensityDetector detector = fitted(random_molecules(60, 1));
  const GraphSet set = random_molecules(100, 2);
  const auto expected = detector.log_ratios(set, 1, {});
  GraphSet reversed = relabelled(set, 3);
  std::ranges::reverse(reversed.graphs);
  auto actual = detector.log_ratios(reversed, 3, {});
  std::ranges::reverse(actual);
  EXPECT_EQ(actual, expected);
}

TEST(WlDensityBatch, AGraphAloneOrAmongItsCopiesHasAMiddleScore) {
  const GraphSet train = random_molecules(30, 1);
  const WlDensityDetector detector = fitted(train);
  EXPECT_EQ(batch_scores(detector, random_molecules(1, 2)), std::vector<double>{0.5});
  EXPECT_EQ(batch_scores(detector, train.subset({3, 3, 3})), std::vector<double>(3, 0.5));
  EXPECT_EQ(batch_scores(detector, set_of({Graph(), Graph()})), std::vector<double>(2, 0.5));
}

TEST(WlDensityBatch, WithoutTheWholeGraphThereIsNoBatchScore) {
  const WlDensityDetector detector = fitted(random_molecules(10, 1), {{"views", "size+core"}});
  EXPECT_THROW(detector.score_batch(GraphSet(), 1, {}), InvalidArgument);
  EXPECT_THROW(WlDensityDetector().score_batch(GraphSet(), 1, {}), NotFitted);
}

TEST(WlDensityBatch, TheOptionAsksForARankingAndChangesNoScore) {
  const GraphSet train = random_molecules(30, 1), rest = random_molecules(10, 2);
  EXPECT_FALSE(fitted(train).ranks_batches());
  const WlDensityDetector detector = fitted(train, {{"batch", "true"}});
  EXPECT_TRUE(detector.ranks_batches());
  EXPECT_EQ(scores(detector, rest), scores(fitted(train), rest));
}

}  // namespace
}  // namespace sgood

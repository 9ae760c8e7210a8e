// SPDX-License-Identifier: MIT
#include "sgood/core/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace sgood {
namespace {

TEST(Rng, SameSeedGivesTheSameNumbersAndAnotherSeedOthers) {
  Rng a(7), b(7), c(8);
  EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(a.next(), c.next());
}

TEST(Rng, StateCanBeKeptAndTakenUpAgain) {
  Rng a(3);
  a.next();
  Rng b(a.state());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(a.next(), b.next());
}

TEST(Rng, BelowStaysInRangeAndIsUniform) {
  Rng rng(1);
  std::vector<int> counts(6, 0);
  const int draws = 60000;
  for (int i = 0; i < draws; ++i) ++counts[rng.below(6)];
  double chi2 = 0;
  for (int count : counts) chi2 += (count - draws / 6.0) * (count - draws / 6.0) / (draws / 6.0);
  EXPECT_LT(chi2, 20.5);  // 99.9 % point of chi-square with 5 degrees of freedom
}

TEST(Rng, NormalHasMeanZeroAndVarianceOne) {
  Rng rng(2);
  double sum = 0, squares = 0;
  const int draws = 100000;
  for (int i = 0; i < draws; ++i) {
    const double x = rng.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / draws, 0, 4 / std::sqrt(draws));
  EXPECT_NEAR(squares / draws, 1, 4 * std::sqrt(2.0 / draws));
}

TEST(Rng, SampleHasNoRepeatsAndCanTakeAll) {
  Rng rng(4);
  const auto some = rng.sample(100, 30);
  EXPECT_EQ(std::set<int>(some.begin(), some.end()).size(), 30u);
  auto all = rng.sample(10, 10);
  std::sort(all.begin(), all.end());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], i);
  EXPECT_TRUE(rng.sample(0, 0).empty());
}

TEST(Rng, ForksAreIndependentOfEachOtherAndLeaveTheParentAlone) {
  Rng rng(5);
  const auto before = rng.state();
  Rng a = rng.fork("split"), b = rng.fork("weights");
  EXPECT_EQ(rng.state(), before);
  EXPECT_NE(a.next(), b.next());
}

}  // namespace
}  // namespace sgood

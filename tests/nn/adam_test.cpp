// SPDX-License-Identifier: MIT
#include "sgood/nn/adam.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sgood {
namespace {

TEST(Adam, FirstStepMovesEveryParameterByTheLearningRate) {
  Adam adam(3);
  std::vector<float> parameters = {1, 1, 1};
  const std::vector<float> gradient = {100, -0.01F, 0};
  adam.step(parameters, gradient, 0.1);
  EXPECT_NEAR(parameters[0], 0.9F, 1e-6);
  EXPECT_NEAR(parameters[1], 1.1F, 1e-6);
  EXPECT_EQ(parameters[2], 1.0F);
  EXPECT_EQ(adam.steps, 1);
}

TEST(Adam, FollowsThePublishedRecursion) {
  Adam adam(1);
  std::vector<float> parameter = {0.5F};
  double expected = 0.5, m = 0, v = 0;
  for (int t = 1; t <= 50; ++t) {
    const double g = std::sin(0.3 * t) + 0.1;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    expected -=
        0.01 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
    const std::vector<float> gradient = {static_cast<float>(g)};
    adam.step(parameter, gradient, 0.01);
  }
  EXPECT_NEAR(parameter[0], expected, 1e-5);
}

TEST(Adam, FindsTheMinimumOfABowl) {
  Adam adam(2);
  std::vector<float> x = {3, -4};
  for (int t = 0; t < 2000; ++t) {
    const std::vector<float> gradient = {2 * (x[0] - 1), 20 * (x[1] - 2)};
    adam.step(x, gradient, 0.02);
  }
  EXPECT_NEAR(x[0], 1, 1e-3);
  EXPECT_NEAR(x[1], 2, 1e-3);
}

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/nn/adam.h"

#include <cmath>

#include "sgood/core/error.h"

namespace sgood {

void Adam::step(std::span<float> parameters, std::span<const float> gradient,
                double learning_rate) {
  SGOOD_ASSERT(parameters.size() == first_moment.size() && gradient.size() == first_moment.size());
  constexpr double kBeta1 = 0.9, kBeta2 = 0.999;
  constexpr float kEpsilon = 1e-8F;
  ++steps;
  const double correction1 = 1 - std::pow(kBeta1, static_cast<double>(steps));
  const double correction2 = 1 - std::pow(kBeta2, static_cast<double>(steps));
  const auto rate = static_cast<float>(learning_rate / correction1);
  const auto scale = static_cast<float>(1.0 / std::sqrt(correction2));
  const auto beta1 = static_cast<float>(kBeta1), beta2 = static_cast<float>(kBeta2);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const float g = gradient[i];
    first_moment[i] = beta1 * first_moment[i] + (1 - beta1) * g;
    second_moment[i] = beta2 * second_moment[i] + (1 - beta2) * g * g;
    parameters[i] -= rate * first_moment[i] / (std::sqrt(second_moment[i]) * scale + kEpsilon);
  }
}

}  // namespace sgood

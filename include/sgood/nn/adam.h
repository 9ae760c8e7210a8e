// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sgood {

/// Adam over one flat buffer (Kingma and Ba, 2015; beta 0.9 and 0.999, epsilon 1e-8).
struct Adam {
  std::vector<float> first_moment;   ///< [num_parameters]
  std::vector<float> second_moment;  ///< [num_parameters]
  std::int64_t steps = 0;

  explicit Adam(std::int64_t num_parameters)
      : first_moment(static_cast<std::size_t>(num_parameters), 0.0F),
        second_moment(static_cast<std::size_t>(num_parameters), 0.0F) {}

  /// One update of `parameters` along `gradient`, both [num_parameters].
  void step(std::span<float> parameters, std::span<const float> gradient, double learning_rate);
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace sgood {

/// xoshiro256**, seeded through SplitMix64: the only source of randomness in the library.
/// Every function is defined here and not by the standard library, so a seed gives the same numbers
/// on every compiler. Reference: Blackman and Vigna, 2018.
class Rng {
 public:
  using State = std::array<std::uint64_t, 4>;

  explicit Rng(std::uint64_t seed);
  explicit Rng(const State& state) : state_(state) {}

  /// Uniform over all 64-bit values.
  std::uint64_t next();
  /// Uniform integer in [0, bound); bound >= 1.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform in [0, 1) with 53 random bits.
  double uniform();
  /// Uniform in [low, high).
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Standard normal (Box-Muller, one value a call).
  double normal();

  /// Fisher-Yates shuffle in place.
  template <typename T>
  void shuffle(std::span<T> values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
  }
  template <typename T>
  void shuffle(std::vector<T>& values) {
    shuffle(std::span<T>(values));
  }

  /// `count` different values of [0, population), in random order; 0 <= count <= population.
  std::vector<std::int32_t> sample(std::int32_t population, std::int32_t count);

  /// A generator of its own for one purpose: depends on this state and on `purpose`, and leaves
  /// this state as it is.
  Rng fork(std::string_view purpose) const;

  const State& state() const { return state_; }

 private:
  State state_;
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/core/rng.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sgood/core/error.h"
#include "sgood/core/hash.h"

namespace sgood {

Rng::Rng(std::uint64_t seed) {
  for (std::uint64_t i = 0; i < 4; ++i) state_[i] = mix64(seed + i * 0x9e3779b97f4a7c15ULL);
}

std::uint64_t Rng::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint64_t Rng::below(std::uint64_t bound) {
  SGOOD_ASSERT(bound >= 1);
  // Values below 2^64 mod bound are rejected, which leaves an exact multiple of `bound`. That is
  // less than `bound`, so the division is hardly ever needed.
  for (;;) {
    const std::uint64_t value = next();
    if (value >= bound || value >= (0 - bound) % bound) return value % bound;
  }
}

double Rng::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

double Rng::normal() {
  const double u = 1.0 - uniform();  // in (0, 1], so the logarithm is finite
  const double v = uniform();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

std::vector<std::int32_t> Rng::sample(std::int32_t population, std::int32_t count) {
  SGOOD_ASSERT(0 <= count && count <= population);
  std::vector<std::int32_t> all(static_cast<std::size_t>(population));
  std::iota(all.begin(), all.end(), 0);
  for (std::int32_t i = 0; i < count; ++i) {
    const auto j = i + static_cast<std::int32_t>(below(static_cast<std::uint64_t>(population - i)));
    std::swap(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(j)]);
  }
  all.resize(static_cast<std::size_t>(count));
  return all;
}

Rng Rng::fork(std::string_view purpose) const {
  std::uint64_t seed = hash64(purpose);
  for (const std::uint64_t word : state_) seed = combine64(seed, word);
  return Rng(seed);
}

}  // namespace sgood

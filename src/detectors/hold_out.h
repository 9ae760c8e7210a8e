// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sgood {

/// A seeded share of the positions 0 .. count-1, ascending, and the rest.
struct HoldOut {
  std::vector<std::int32_t> train, held_out;
};

/// Throws InvalidArgument unless `share` is in (0, 1) and leaves two positions to train on. `unit`
/// says what is counted.
HoldOut hold_out(std::int32_t count, double share, std::uint64_t seed, std::string_view unit);

}  // namespace sgood

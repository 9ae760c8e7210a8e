// SPDX-License-Identifier: MIT
#include "hold_out.h"

#include <algorithm>
#include <cmath>

#include "sgood/core/error.h"
#include "sgood/core/rng.h"

namespace sgood {

HoldOut hold_out(std::int32_t count, double share, std::uint64_t seed, std::string_view unit) {
  SGOOD_CHECK(share > 0 && share < 1, "validation is {} but must be between 0 and 1", share);
  const auto held = std::max(1, static_cast<std::int32_t>(std::lround(share * count)));
  SGOOD_CHECK(count - held >= 2,
              "{} {} are too few to hold out {} for calibration and train on the rest", count, unit,
              held);
  HoldOut parts;
  parts.held_out = Rng(seed).fork("validation").sample(count, held);
  std::sort(parts.held_out.begin(), parts.held_out.end());
  for (std::int32_t i = 0; i < count; ++i)
    if (!std::binary_search(parts.held_out.begin(), parts.held_out.end(), i))
      parts.train.push_back(i);
  return parts;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/nn/batch_ranges.h"

#include <algorithm>

#include "sgood/core/error.h"

namespace sgood {

std::vector<std::pair<std::int32_t, std::int32_t>> batch_ranges(std::int32_t count,
                                                                std::int32_t batch_size) {
  SGOOD_CHECK(batch_size >= 2, "batch_size is {} but must be at least 2", batch_size);
  std::vector<std::pair<std::int32_t, std::int32_t>> ranges;
  for (std::int32_t first = 0; first < count; first += batch_size)
    ranges.emplace_back(first, std::min(count, first + batch_size));
  if (ranges.size() > 1 && ranges.back().second - ranges.back().first == 1) {
    ranges.pop_back();
    ranges.back().second = count;
  }
  return ranges;
}

}  // namespace sgood

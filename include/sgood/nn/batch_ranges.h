// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace sgood {

/// Positions 0 .. count-1 cut into batches of `batch_size`, [first, last) each; a last batch of one
/// joins the one before, for a contrast needs two graphs and batch statistics two rows. Throws
/// InvalidArgument unless batch_size >= 2.
std::vector<std::pair<std::int32_t, std::int32_t>> batch_ranges(std::int32_t count,
                                                                std::int32_t batch_size);

}  // namespace sgood

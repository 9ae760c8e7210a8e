// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

namespace sgood {

/// Runs `work(i)` for every i in [0, count), spread over at most `threads` threads (>= 1). Items
/// are handed out in order; the first exception is thrown again here after all threads have ended.
/// The caller must make the result independent of which thread ran an item.
void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t)>& work);

/// Number of threads that the machine can run at once, at least 1.
int hardware_threads();

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/core/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace sgood {
namespace {

TEST(ParallelFor, RunsEveryItemOnceForAnyNumberOfThreads) {
  for (int threads : {1, 2, 3, 8}) {
    std::vector<std::atomic<int>> hits(100);
    parallel_for(100, threads, [&](std::int64_t i) { ++hits[static_cast<std::size_t>(i)]; });
    for (const auto& hit : hits) EXPECT_EQ(hit.load(), 1);
  }
  parallel_for(0, 4, [](std::int64_t) { FAIL(); });
}

TEST(ParallelFor, ThrowsTheErrorOfAnItemToTheCaller) {
  for (int threads : {1, 3})
    EXPECT_THROW(parallel_for(10, threads,
                              [](std::int64_t i) {
                                if (i == 5) throw std::runtime_error("five");
                              }),
                 std::runtime_error);
}

}  // namespace
}  // namespace sgood

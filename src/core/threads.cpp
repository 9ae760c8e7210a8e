// SPDX-License-Identifier: MIT
#include "sgood/core/threads.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sgood {

void parallel_for(std::int64_t count, int threads, const std::function<void(std::int64_t)>& work) {
  const std::int64_t workers = std::min<std::int64_t>(std::max(threads, 1), count);
  if (workers <= 1) {
    for (std::int64_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<std::int64_t> next{0};
  std::exception_ptr first_error;
  std::mutex error_mutex;
  auto run = [&] {
    for (std::int64_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(error_mutex);
        if (!first_error) first_error = std::current_exception();
        next.store(count);
      }
    }
  };
  {
    std::vector<std::jthread> pool;
    for (std::int64_t t = 1; t < workers; ++t) pool.emplace_back(run);
    run();
  }
  if (first_error) std::rethrow_exception(first_error);
}

int hardware_threads() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace sgood

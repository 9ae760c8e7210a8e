// SPDX-License-Identifier: MIT
#pragma once

#include <benchmark/benchmark.h>

#include "sgood/core/error.h"

namespace sgood::bench {

/// Runs `work()`; where a data set is missing the benchmark is skipped with the reason.
template <typename Work>
void with_data(benchmark::State& state, Work&& work) {
  try {
    work();
  } catch (const Unavailable& missing) {
    state.SkipWithError(missing.what());
  }
}

}  // namespace sgood::bench

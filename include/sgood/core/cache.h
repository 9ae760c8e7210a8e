// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sgood {

/// Asks for the cache lines of `values`, the first 64 of them, and does not wait. Always inlined:
/// GCC 12 takes a function that only prefetches for one without effect and drops its calls.
template <typename T>
[[gnu::always_inline]] inline void prefetch(std::span<const T> values) {
  constexpr std::size_t kLine = 64, kMostLines = 64;
  const auto* const bytes = reinterpret_cast<const char*>(values.data());
  const auto before = reinterpret_cast<std::uintptr_t>(bytes) % kLine;  // on the first line
  const std::size_t end = std::min(before + values.size_bytes(), kMostLines * kLine);
  for (std::size_t i = 0; i < end; i += kLine) __builtin_prefetch(bytes - before + i);
}

}  // namespace sgood

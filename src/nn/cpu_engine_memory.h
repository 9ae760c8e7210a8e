// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>

#include "sgood/kernels/kernel_table.h"

namespace sgood::cpu {

using Index = std::int64_t;

/// Memory in whole cache lines, kept between steps; resizing leaves the values undefined.
template <typename T>
class Buffer {
 public:
  T* resize(Index size) {
    if (size > capacity_) {
      data_.reset(static_cast<T*>(
          ::operator new(static_cast<std::size_t>(size) * sizeof(T), std::align_val_t(64))));
      capacity_ = size;
    }
    return data_.get();
  }
  T* get() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete(p, std::align_val_t(64)); }
  };
  std::unique_ptr<T, Free> data_;
  Index capacity_ = 0;
};

/// Rows [first, last) of a matrix.
struct Rows {
  Index first = 0, last = 0;
  Index count() const { return last - first; }
};

/// Calls `work(Rows)` for consecutive chunks that fit the L1 cache.
template <typename Work>
void for_chunks(Index rows, Work work) {
  for (Index first = 0; first < rows; first += kernels::kRowChunk)
    work(Rows{first, std::min(first + kernels::kRowChunk, rows)});
}

}  // namespace sgood::cpu

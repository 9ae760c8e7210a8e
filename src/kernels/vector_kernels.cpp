// SPDX-License-Identifier: MIT
#include "src/kernels/vector_tables.h"

#include <vector>

namespace sgood::kernels {

std::span<const KernelTable<float>* const> supported_vector_kernels() {
  static const std::vector<const KernelTable<float>*> tables = [] {
    std::vector<const KernelTable<float>*> found = {&baseline::table()};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      found.push_back(&avx2::table());
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
      found.push_back(&avx512::table());
#endif
    return found;
  }();
  return tables;
}

const KernelTable<float>& vector_kernels() { return *supported_vector_kernels().back(); }

}  // namespace sgood::kernels

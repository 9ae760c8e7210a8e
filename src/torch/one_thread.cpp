// SPDX-License-Identifier: MIT
#include "src/torch/one_thread.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <omp.h>

#include <mutex>

namespace sgood {

void use_one_thread() {
  // Not at::set_num_threads: it also makes the pool of LibTorch's mobile kernels, which nothing
  // here uses and which fails where /proc is not mounted. LibTorch sets OpenMP's number once a
  // thread, at the latest in the first of these calls.
  at::get_num_threads();
  omp_set_num_threads(1);
  static std::once_flag once;
  std::call_once(once, [] {
    try {
      at::set_num_interop_threads(1);
    } catch (const c10::Error&) {
      // The host program has set it already; nothing here runs on those threads.
    }
    // LibTorch has no call for this, and not every BLAS has the function.
    using SetThreads = void (*)(int);
    if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
      reinterpret_cast<SetThreads>(set)(1);
  });
}

}  // namespace sgood

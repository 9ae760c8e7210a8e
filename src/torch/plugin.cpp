// SPDX-License-Identifier: MIT
// The entry by which the engine is loaded on demand, so that a program which does not use LibTorch
// neither links it nor waits for it at start.
#include <malloc.h>

#include "sgood/core/version.h"
#include "sgood/torch/torch_engine.h"
#include "sgood/torch/torch_models.h"

namespace {

/// LibTorch asks for the same large tensors in every step; memory that went back to the system in
/// between would come as pages to be cleared, a tenth of the time of a training.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 25);  // the largest that it takes
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace

extern "C" {

/// Version of the library that the plug-in was built with; the host refuses another one.
const char* sgood_torch_version() { return sgood::kVersion; }

/// make_torch_engine() and make_torch_model() across the boundary; the caller owns the result. May
/// throw like them.
sgood::Engine* sgood_torch_engine(const sgood::NetworkShape* shape, bool cuda) {
  keep_freed_memory();
  sgood::TorchOptions options;
  options.device = cuda ? sgood::TorchDevice::kCuda : sgood::TorchDevice::kCpu;
  return sgood::make_torch_engine(*shape, options).release();
}

sgood::GraphModel* sgood_torch_model(const sgood::GraphModelSpec* spec, bool cuda) {
  keep_freed_memory();
  return sgood::make_torch_model(*spec, cuda ? sgood::TorchDevice::kCuda : sgood::TorchDevice::kCpu)
      .release();
}

}  // extern "C"

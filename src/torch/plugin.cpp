// SPDX-License-Identifier: MIT
// The entry by which the engine is loaded on demand, so that a program which does not use LibTorch
// neither links it nor waits for it at start.
#include "sgood/core/version.h"
#include "sgood/torch/torch_engine.h"

extern "C" {

/// Version of the library that the plug-in was built with; the host refuses another one.
const char* sgood_torch_version() { return sgood::kVersion; }

/// make_torch_engine() across the boundary; the caller owns the result. May throw like it.
sgood::Engine* sgood_torch_engine(const sgood::NetworkShape* shape, bool cuda) {
  sgood::TorchOptions options;
  options.device = cuda ? sgood::TorchDevice::kCuda : sgood::TorchDevice::kCpu;
  return sgood::make_torch_engine(*shape, options).release();
}

}  // extern "C"

// SPDX-License-Identifier: MIT
// The entry by which the engine is loaded on demand, so that a program which does not use LibTorch
// neither links it nor waits for it at start.
#include "sgood/core/version.h"
#include "sgood/torch/torch_engine.h"
#include "sgood/torch/torch_models.h"

extern "C" {

/// Version of the library that the plug-in was built with; the host refuses another one.
const char* sgood_torch_version() { return sgood::kVersion; }

/// make_torch_engine() and make_torch_model() across the boundary; the caller owns the result. May
/// throw like them.
sgood::Engine* sgood_torch_engine(const sgood::NetworkShape* shape, bool cuda) {
  sgood::TorchOptions options;
  options.device = cuda ? sgood::TorchDevice::kCuda : sgood::TorchDevice::kCpu;
  return sgood::make_torch_engine(*shape, options).release();
}

sgood::GraphModel* sgood_torch_model(const sgood::GraphModelSpec* spec, bool cuda) {
  return sgood::make_torch_model(*spec, cuda ? sgood::TorchDevice::kCuda : sgood::TorchDevice::kCpu)
      .release();
}

}  // extern "C"

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "sgood/nn/engine.h"
#include "sgood/nn/network.h"

namespace sgood {

enum class TorchPrecision : std::uint8_t { kFloat, kDouble };
enum class TorchDevice : std::uint8_t { kCpu, kCuda };

/// How the LibTorch engine computes.
struct TorchOptions {
  TorchPrecision precision = TorchPrecision::kFloat;  ///< Of training; freeze() is always double.
  TorchDevice device = TorchDevice::kCpu;
};

/// The network of `shape` in plain LibTorch operators, differentiated by autograd: the reference
/// for faster engines, and the one that runs on GPUs. The same input gives the same bits on the
/// CPU. Sets LibTorch and its BLAS to one thread for the whole process: small matrices only lose by
/// more. Throws InvalidArgument for an illegal shape and Unavailable when the device is not there.
std::unique_ptr<Engine> make_torch_engine(const NetworkShape& shape,
                                          const TorchOptions& options = {});

}  // namespace sgood

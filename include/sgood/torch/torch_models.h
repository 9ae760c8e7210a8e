// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "sgood/nn/graph_model.h"
#include "sgood/torch/torch_engine.h"

namespace sgood {

/// The model called `spec.model`, untrained, in plain LibTorch operators. `device` is where it
/// trains; evaluate() always computes in double precision on the CPU. Throws InvalidArgument for an
/// unknown model and Unavailable when the device is not there.
std::unique_ptr<GraphModel> make_torch_model(const GraphModelSpec& spec,
                                             TorchDevice device = TorchDevice::kCpu);

}  // namespace sgood

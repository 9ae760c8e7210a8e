// SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/modules/batchnorm.h>

namespace sgood {

/// max(normalise(norm, x), 0) of layers.h. In training, floats on the CPU go through the kernels of
/// the built-in engine, which pass twice over the rows each way; differentiable once there.
at::Tensor normalise_relu(torch::nn::BatchNorm1d& norm, const at::Tensor& x);

}  // namespace sgood

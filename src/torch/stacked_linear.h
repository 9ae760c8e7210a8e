// SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/modules/linear.h>

namespace sgood {

/// Several linear maps without bias, each with its own rows: y[k] = x[k] weight[k]. x [maps, rows,
/// in], weight [maps, in, out], result [maps, rows, out]. Narrow maps of floats on the CPU go
/// through the kernels of the built-in engine, which need not pack their arguments; differentiable
/// once there.
at::Tensor stacked_linear(const at::Tensor& x, const at::Tensor& weight);

/// `layer` of the rows of `x` [rows, in], the same way: for many rows and few columns.
at::Tensor narrow_linear(torch::nn::Linear& layer, const at::Tensor& x);

}  // namespace sgood

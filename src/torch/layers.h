// SPDX-License-Identifier: MIT
#pragma once

#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>

#include "src/torch/graph_tensors.h"

namespace sgood {

/// A linear layer, with or without a bias.
torch::nn::Linear linear(std::int64_t inputs, std::int64_t outputs, bool bias = true);

/// `norm` of the rows of `x`; with fewer than two rows, which have no deviation, by the running
/// statistics also in training.
at::Tensor normalise(torch::nn::BatchNorm1d& norm, const at::Tensor& x);

/// `x` with each number 0 with probability `p`, else divided by 1 - p. Drawn on the CPU, so that
/// the device makes no difference.
at::Tensor dropout(const at::Tensor& x, double p, at::Generator& generator);

/// D~^-1/2 (A + I) D~^-1/2 h, [num_nodes, h.size(1)]. Reference: Kipf and Welling, 2017.
at::Tensor gcn_propagate(const GraphTensors& graphs, const at::Tensor& h);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include "src/torch/graph_tensors.h"

namespace sgood {

// Normalisations that LibTorch would make of a dozen passes over memory. On the CPU they take two,
// and differentiate once; elsewhere they are what their definitions below say.

/// The rows of `x` (its last dimension) at length 1, whatever their size; rows of zeros stay and
/// get a gradient as if they were of length 1.
at::Tensor unit_rows(const at::Tensor& x);

/// max(weight (x - share mean) / sqrt(spread + 1e-8), 0) of each column over the nodes of a graph,
/// where `spread` is the mean square of x - share mean. x [num_nodes, width]; share, weight
/// [groups, width], for as many groups of num_graphs / groups graphs each.
/// Reference: Cai et al., "GraphNorm", 2021.
at::Tensor graph_norm_relu(const GraphTensors& graphs, const at::Tensor& x, const at::Tensor& share,
                           const at::Tensor& weight);

namespace plain {
at::Tensor unit_rows(const at::Tensor& x);
at::Tensor graph_norm_relu(const GraphTensors& graphs, const at::Tensor& x, const at::Tensor& share,
                           const at::Tensor& weight);
}  // namespace plain

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include "src/torch/graph_tensors.h"

namespace sgood {

/// The nodes of a batch that stay after a pooling, and what they carry.
struct PooledGraphs {
  GraphTensors graphs;  ///< Without `x` and `graphs`.
  at::Tensor h;         ///< [graphs.num_nodes, width]
};

/// Keeps the ratio n nodes (rounded up) of each graph of n nodes that have the largest `score`
/// [num_nodes], of equal ones the first, with the edges between them and their rows of `h`.
PooledGraphs keep_top_nodes(const GraphTensors& graphs, const at::Tensor& h,
                            const at::Tensor& score, double ratio);

/// [num_graphs, 2 width]: maximum and mean of each column over the nodes of a graph.
at::Tensor max_and_mean(const GraphTensors& graphs, const at::Tensor& h);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

#include "sgood/graph/packed_graph.h"
#include "sgood/nn/graph_model.h"

namespace sgood {

/// A batch of graphs as the tensors that the models read. Nodes of a graph are contiguous.
struct GraphTensors {
  std::int64_t num_graphs = 0;
  std::int64_t num_nodes = 0;
  at::Tensor x;       ///< [num_nodes, input_width] one-hot codes, then real columns
  at::Tensor source;  ///< [2 num_edges] node that sends; every edge in both directions
  at::Tensor target;  ///< [2 num_edges] node that receives, ascending
  at::Tensor degree;  ///< [num_nodes, 1] number of neighbours
  at::Tensor graph;   ///< [num_nodes] graph of each node, ascending
  at::Tensor size;    ///< [num_graphs, 1] number of nodes
  at::Tensor label;   ///< [num_graphs] class of each graph, -1 without one
  std::span<const PackedGraph* const> graphs;  ///< [num_graphs] what the tensors were made from
  std::span<const std::int32_t> position;  ///< [num_graphs] among the training graphs, in training
};

/// The tensors of a batch, without labels; reals are of the type and on the device of `options`.
GraphTensors make_graph_tensors(const PackedBatch& batch, const GraphModelSpec& spec,
                                const at::TensorOptions& options);
/// The same of `graphs`, with labels.
GraphTensors make_graph_tensors(std::span<const PackedGraph* const> graphs,
                                const GraphModelSpec& spec, const at::TensorOptions& options);

/// Sums, means and maxima of the rows of `x` that share a value of `index`, [num_rows, x.size(1)];
/// rows without any are 0.
at::Tensor sum_rows(const at::Tensor& x, const at::Tensor& index, std::int64_t num_rows);
at::Tensor mean_rows(const at::Tensor& x, const at::Tensor& index, std::int64_t num_rows);
at::Tensor max_rows(const at::Tensor& x, const at::Tensor& index, std::int64_t num_rows);

/// For each node the sum over its neighbours, [num_nodes, h.size(1)].
at::Tensor sum_neighbors(const GraphTensors& graphs, const at::Tensor& h);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "src/torch/graph_tensors.h"

namespace sgood {

/// The neighbourhoods of all nodes of a batch side by side, each the sub-graph induced by the nodes
/// within some hops of its root. A row is one node in one neighbourhood.
struct EgoNets {
  std::int64_t num_rows = 0;
  at::Tensor root;   ///< [num_rows] node whose neighbourhood it is, ascending
  at::Tensor node;   ///< [num_rows] node that the row stands for
  at::Tensor hop;    ///< [num_rows] distance from the root
  at::Tensor again;  ///< [num_rows] 1 when two edges or more lead to it from the hop before, else 0
  at::Tensor centre;  ///< [num_nodes] row of each node in its own neighbourhood
  at::Tensor source;  ///< [num_edges] row that sends; every edge in both directions
  at::Tensor target;  ///< [num_edges] row that receives, ascending

  /// For each row the sum over its neighbours, [num_rows, h.size(1)].
  at::Tensor sum_neighbors(const at::Tensor& h) const;
};

/// Neighbourhoods of `hops` hops. Of a hop with more than `max_per_hop` nodes as many are kept,
/// spread evenly over the nodes in their order.
EgoNets make_ego_nets(const GraphTensors& graphs, int hops, int max_per_hop);

}  // namespace sgood

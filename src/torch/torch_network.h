// SPDX-License-Identifier: MIT
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sgood/graph/packed_graph.h"
#include "sgood/nn/engine.h"
#include "sgood/nn/network.h"

namespace sgood {

/// The neighbour lists of one level (nodes, or super nodes), one entry a row, without padding.
struct TorchLists {
  at::Tensor owner;         ///< [num_entries] int64, the row in whose list the entry stands.
  at::Tensor neighbor;      ///< [num_entries] int64, the row that the entry names.
  at::Tensor length;        ///< [num_rows, 1] entries of each list, real.
  bool self_loops = false;  ///< Every list names its own row.
};

/// Graphs of a PackedBatch as tensors.
struct TorchBatch {
  std::int64_t num_graphs = 0;
  std::int64_t num_blocks = 0;
  at::Tensor features;  ///< [num_nodes, input_width]: one-hot codes (summed over columns), reals.
  TorchLists nodes;
  TorchLists blocks;
  at::Tensor node_block;   ///< [num_nodes] int64
  at::Tensor node_graph;   ///< [num_nodes] int64
  at::Tensor block_graph;  ///< [num_blocks] int64
};

/// Graphs [first, last) of `batch`, on the device and in the precision of `options`. Throws
/// InvalidArgument when the batch's columns or codes do not fit `shape`.
TorchBatch make_torch_batch(const PackedBatch& batch, std::int32_t first, std::int32_t last,
                            const NetworkShape& shape, const at::TensorOptions& options);

/// What the network makes of a batch.
struct TorchEncoding {
  at::Tensor node_state;  ///< h_v, [num_nodes, L1 * d]
  at::Tensor node_sum;    ///< h_G, [num_graphs, L1 * d]
  at::Tensor super_sum;   ///< [num_graphs, super_width()]
  at::Tensor readout;     ///< What the heads read: super_sum, or node_sum if flat.
  std::vector<at::Tensor>
      moments;  ///< [1, d] each: mean and biased variance of every BN's input, in
                ///< the order of ParameterLayout::statistics(); none if fixed.
};

/// The two-level network at given parameters; every tensor is a view of the one flat buffer.
class TorchNetwork {
 public:
  /// `parameters` [num_parameters]. Without `statistics` [num_statistics], BN uses the batch's own.
  /// `layout` must outlive the network.
  TorchNetwork(const ParameterLayout& layout, at::Tensor parameters, at::Tensor statistics = {});

  const NetworkShape& shape() const { return layout_->shape(); }
  at::TensorOptions options() const { return parameters_.options(); }

  TorchEncoding encode(const TorchBatch& batch) const;
  /// Logits of `readout` [num_graphs, readout_width], [num_graphs, num_classes].
  at::Tensor classify(const at::Tensor& readout) const;
  /// psi of `readout`, the same shape, not yet normalised.
  at::Tensor project(const at::Tensor& readout) const;

 private:
  at::Tensor parameter(const std::string& name) const;
  at::Tensor linear(const std::string& name, const at::Tensor& x) const;
  at::Tensor batch_norm(const std::string& name, const at::Tensor& x,
                        std::vector<at::Tensor>& moments) const;
  at::Tensor layer(const std::string& name, const TorchLists& lists, const at::Tensor& h,
                   std::vector<at::Tensor>& moments) const;

  const ParameterLayout* layout_;
  at::Tensor parameters_;
  at::Tensor statistics_;
};

/// Contrastive loss of two projected views [num_graphs, width], num_graphs >= 2; a scalar.
/// Paper: Eq. (6): the denominator holds the embeddings of the other graphs only.
at::Tensor contrastive_loss(const at::Tensor& view0, const at::Tensor& view1, double temperature);

/// Losses of a step as scalars that autograd can follow; parts that are not wanted are 0.
struct TorchLoss {
  at::Tensor total;
  at::Tensor cross_entropy;
  at::Tensor contrastive;
};
/// Throws InvalidArgument when the step lacks a part or its sizes disagree.
TorchLoss training_loss(const TorchNetwork& network, const TrainingStep& step);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sgood/graph/packed_graph.h"
#include "sgood/kernels/kernel_table.h"

namespace sgood::cpu {

/// The distinct rows among those of all nodes, before or after a layer.
template <typename T>
struct FoldedRows {
  std::int32_t count = 0;
  std::vector<std::int32_t> row_of_node;  ///< [num_nodes], after a place for kNoNeighbor
  // The inputs of the first layer have none of these, [count]:
  std::vector<std::int32_t> first_node;  ///< The first node of each row.
  std::vector<std::int32_t> parent;      ///< The row below that the nodes of each row have.
  PaddedLists neighbors;                 ///< Of a node of each row, as rows below.
  std::vector<T> copies;                 ///< Number of nodes of each row.

  const std::int32_t* rows_of_nodes() const { return row_of_node.data() + 1; }
  /// What the neighbour sums before the layer read.
  kernels::Lists lists() const {
    return {count, neighbors.row_ptr.data(), neighbors.col.data(), parent.data()};
  }
};

/// Nodes that GIN cannot tell apart. After l layers a node's row depends on its colour after l
/// rounds of Weisfeiler-Lehman refinement alone (Xu et al., 2019), and few of the atoms or actors
/// of a batch differ in their surroundings, so each distinct row is computed once. Two colours are
/// taken for one with probability 2^-64.
template <typename T>
class FoldedNodes {
 public:
  /// Folds the nodes of `batch`, whose features must be one column of codes in [0, kinds), for
  /// `layers` >= 1 layers. False when that would not pay.
  bool fold(const PackedBatch& batch, std::int32_t kinds, std::int32_t layers);

  /// The inputs, which are the kinds, then the outputs of each layer.
  const FoldedRows<T>& inputs() const { return rows_.front(); }
  const FoldedRows<T>& outputs(std::size_t layer) const { return rows_[layer + 1]; }

 private:
  void number(FoldedRows<T>& out);
  void refine(const PackedBatch& batch);
  void list_neighbors(const PackedBatch& batch, const FoldedRows<T>& below, FoldedRows<T>& out);

  std::vector<FoldedRows<T>> rows_;
  std::vector<std::uint64_t> colour_, refined_;  // sums over complete blocks, 0, then the nodes
  std::vector<std::int32_t> table_;              // hash table of rows, -1 where empty
  std::size_t before_ = 0, nodes_ = 0;           // colour_[before_] is that of node 0
};

}  // namespace sgood::cpu

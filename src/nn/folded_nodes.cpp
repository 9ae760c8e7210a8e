// SPDX-License-Identifier: MIT
#include "src/nn/folded_nodes.h"

#include <algorithm>
#include <bit>

#include "sgood/core/error.h"
#include "sgood/core/hash.h"

namespace sgood::cpu {
namespace {

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Tells a node's own colour from those of its neighbours: any odd number.
constexpr std::uint64_t kOwn = 0x9E3779B97F4A7C15;

}  // namespace

/// Gives each colour a row, in order of appearance.
template <typename T>
void FoldedNodes<T>::number(FoldedRows<T>& out) {
  const std::size_t size = std::bit_ceil(2 * nodes_ + 1);
  table_.assign(size, -1);
  out.row_of_node.resize(nodes_ + 1);
  out.row_of_node.front() = kNoNeighbor;
  out.first_node.resize(nodes_);
  out.copies.assign(nodes_, T(0));
  const std::uint64_t* colour = colour_.data() + before_;
  std::int32_t rows = 0;
  for (std::size_t v = 0; v < nodes_; ++v) {
    std::size_t slot = colour[v] & (size - 1);
    while (table_[slot] >= 0 && colour[out.first_node[idx(table_[slot])]] != colour[v])
      slot = (slot + 1) & (size - 1);
    if (table_[slot] < 0) {
      out.first_node[idx(rows)] = static_cast<std::int32_t>(v);
      table_[slot] = rows++;
    }
    out.copies[idx(table_[slot])] += 1;
    out.row_of_node[v + 1] = table_[slot];
  }
  out.count = rows;
}

/// One round: a sum of hashed colours stands for the multiset of neighbours. Apart from number(),
/// whose branches nobody can predict.
template <typename T>
void FoldedNodes<T>::refine(const PackedBatch& batch) {
  std::uint64_t* colour = colour_.data() + before_;
  for (std::size_t k = 0; k < batch.complete.size(); ++k) {
    const std::size_t block = idx(batch.complete[k]);
    std::uint64_t sum = 0;
    for (std::int32_t v = batch.block_ptr[block]; v < batch.block_ptr[block + 1]; ++v)
      sum += colour[v];
    colour[complete_row(static_cast<std::int32_t>(k))] = sum;
  }
  std::uint64_t* refined = refined_.data() + before_;
  for (std::size_t v = 0; v < nodes_; ++v) {
    std::uint64_t sum = colour[batch.start[v]];
    for (std::int32_t e = batch.lists.row_ptr[v]; e < batch.lists.row_ptr[v + 1]; e += 4) {
      const std::int32_t* u = batch.lists.col.data() + e;
      sum += (colour[u[0]] + colour[u[1]]) + (colour[u[2]] + colour[u[3]]);
    }
    refined[v] = mix64(sum + kOwn * colour[v]);
  }
  std::swap(colour_, refined_);
}

/// Writes the rows' lists, with the edges inside complete blocks.
template <typename T>
void FoldedNodes<T>::list_neighbors(const PackedBatch& batch, const FoldedRows<T>& below,
                                    FoldedRows<T>& out) {
  const std::int32_t* row_below = below.rows_of_nodes();
  PaddedLists& lists = out.neighbors;
  lists.row_ptr.resize(idx(out.count) + 1);
  out.parent.resize(idx(out.count));
  std::size_t end = 0;
  for (std::size_t r = 0; r < idx(out.count); ++r) {
    const std::int32_t v = out.first_node[r], start = batch.start[idx(v)];
    const auto first = idx(batch.lists.row_ptr[idx(v)]),
               last = idx(batch.lists.row_ptr[idx(v) + 1]);
    NodeRange others = {0, 0};  // those that no list holds
    if (start < 0) {
      const std::size_t block = idx(batch.complete[idx(complete_row(start))]);
      others = {batch.block_ptr[block], batch.block_ptr[block + 1]};
    }
    const std::size_t room = end + last - first + idx(padded_length(others.size()));
    if (lists.col.size() < room) lists.col.resize(2 * room);
    out.parent[r] = row_below[v];
    for (std::int32_t u = others.first; u < others.last; ++u)
      if (u != v) lists.col[end++] = row_below[u];
    while (end % 4 != 0) lists.col[end++] = kNoNeighbor;
    for (std::size_t e = first; e < last; ++e) lists.col[end++] = row_below[batch.lists.col[e]];
    lists.row_ptr[r + 1] = static_cast<std::int32_t>(end);
  }
}

template <typename T>
bool FoldedNodes<T>::fold(const PackedBatch& batch, std::int32_t kinds, std::int32_t layers) {
  SGOOD_ASSERT(layers >= 1 && batch.code_columns == 1 && batch.num_dense == 0);
  nodes_ = idx(batch.num_nodes);
  before_ = batch.complete.size() + 1;
  rows_.resize(idx(layers) + 1);
  colour_.resize(before_ + nodes_);
  refined_.resize(before_ + nodes_);
  colour_[before_ - 1] = refined_[before_ - 1] = 0;
  FoldedRows<T>& inputs = rows_.front();
  inputs.count = kinds;
  inputs.row_of_node.resize(nodes_ + 1);
  inputs.row_of_node.front() = kNoNeighbor;
  for (std::size_t v = 0; v < nodes_; ++v) {
    inputs.row_of_node[v + 1] = batch.codes[v];
    colour_[before_ + v] = mix64(static_cast<std::uint64_t>(batch.codes[v]));
  }
  for (std::size_t l = 1; l < rows_.size(); ++l) {
    refine(batch);
    number(rows_[l]);
    // Further rounds would make of more than half the nodes' colours nearly all of them.
    if (l == 1 && 2 * rows_[l].count > batch.num_nodes) return false;
    list_neighbors(batch, rows_[l - 1], rows_[l]);
  }
  return true;
}

template class FoldedNodes<float>;
template class FoldedNodes<double>;

}  // namespace sgood::cpu

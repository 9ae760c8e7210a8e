// SPDX-License-Identifier: MIT
#include "sgood/graph/packed_graph.h"

#include <algorithm>

#include "sgood/core/error.h"
#include "sgood/graph/super_graph.h"

namespace sgood {
namespace {

constexpr std::int32_t kPadding = -1;  // replaced by the final number of rows in finish()

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Ends a neighbour list that starts at row_ptr.back(): records its length and pads it.
void close_list(std::vector<std::int32_t>& row_ptr, std::vector<std::int32_t>& col,
                std::vector<std::int32_t>& degree) {
  degree.push_back(static_cast<std::int32_t>(col.size()) - row_ptr.back());
  while (col.size() % 4 != 0) col.push_back(kPadding);
  row_ptr.push_back(static_cast<std::int32_t>(col.size()));
}

}  // namespace

PackedGraph pack_graph(const Graph& graph, const Partition& partition,
                       std::span<const std::int32_t> order, const NodeInput& input) {
  const std::int32_t n = graph.num_nodes();
  SGOOD_ASSERT(partition.num_nodes() == n && order.size() == idx(n));
  PackedGraph packed;
  packed.label = graph.label();

  // Blocks by first appearance in `order`, then nodes by (block, position in `order`).
  std::vector<std::int32_t> new_block(idx(partition.num_blocks()), -1);
  std::vector<std::vector<std::int32_t>> members;
  for (const std::int32_t v : order) {
    std::int32_t& block = new_block[idx(partition.block(v))];
    if (block < 0) {
      block = static_cast<std::int32_t>(members.size());
      members.emplace_back();
    }
    members[idx(block)].push_back(v);
  }
  packed.node.reserve(idx(n));
  for (const auto& list : members) {
    packed.node.insert(packed.node.end(), list.begin(), list.end());
    packed.block_ptr.push_back(static_cast<std::int32_t>(packed.node.size()));
  }

  std::vector<std::int32_t> position(idx(n));
  for (std::int32_t i = 0; i < n; ++i) position[idx(packed.node[idx(i)])] = i;
  const std::size_t columns = n > 0 ? input.codes.size() / idx(n) : 0;
  const std::size_t reals = n > 0 ? input.dense.size() / idx(n) : 0;
  packed.row_ptr.reserve(idx(n) + 1);
  packed.col.reserve(graph.col().size());
  for (const std::int32_t v : packed.node) {
    const auto first = static_cast<std::ptrdiff_t>(packed.col.size());
    for (const std::int32_t u : graph.neighbors(v)) packed.col.push_back(position[idx(u)]);
    std::sort(packed.col.begin() + first, packed.col.end());
    packed.row_ptr.push_back(static_cast<std::int32_t>(packed.col.size()));
    for (std::size_t c = 0; c < columns; ++c) packed.codes.push_back(input.codes[idx(v) * columns + c]);
    for (std::size_t c = 0; c < reals; ++c) packed.dense.push_back(input.dense[idx(v) * reals + c]);
  }

  std::vector<std::int32_t> renumbered(idx(n));
  for (std::int32_t v = 0; v < n; ++v) renumbered[idx(v)] = new_block[idx(partition.block(v))];
  SuperGraph super(graph, Partition(std::move(renumbered)));
  packed.super_row_ptr = std::move(super.row_ptr);
  packed.super_col = std::move(super.col);
  return packed;
}

BatchWriter::BatchWriter(PackedBatch& batch, std::int32_t code_columns, std::int32_t num_dense,
                         bool super_self_loops)
    : batch_(batch) {
  batch.num_graphs = batch.num_blocks = batch.num_nodes = 0;
  batch.code_columns = code_columns;
  batch.num_dense = num_dense;
  batch.super_self_loops = super_self_loops;
  for (auto* list : {&batch.codes, &batch.col, &batch.degree, &batch.super_col,
                     &batch.super_degree})
    list->clear();
  batch.dense.clear();
  for (auto* list : {&batch.row_ptr, &batch.block_ptr, &batch.super_row_ptr, &batch.graph_ptr})
    list->assign(1, 0);
}

void BatchWriter::begin_graph() {
  first_node_ = batch_.num_nodes;
  first_block_ = batch_.num_blocks;
}

void BatchWriter::begin_block() {
  ++batch_.num_blocks;
  batch_.block_ptr.push_back(batch_.num_nodes);
}

void BatchWriter::add_node(std::span<const std::int32_t> codes, std::span<const float> dense,
                           std::span<const std::int32_t> neighbors) {
  batch_.codes.insert(batch_.codes.end(), codes.begin(), codes.end());
  batch_.dense.insert(batch_.dense.end(), dense.begin(), dense.end());
  for (const std::int32_t u : neighbors) batch_.col.push_back(first_node_ + u);
  close_list(batch_.row_ptr, batch_.col, batch_.degree);
  batch_.block_ptr.back() = ++batch_.num_nodes;
}

void BatchWriter::end_graph(std::span<const std::vector<std::int32_t>> super_neighbors) {
  SGOOD_ASSERT(static_cast<std::int32_t>(super_neighbors.size()) ==
               batch_.num_blocks - first_block_);
  for (std::size_t b = 0; b < super_neighbors.size(); ++b) {
    if (batch_.super_self_loops)
      batch_.super_col.push_back(first_block_ + static_cast<std::int32_t>(b));
    for (const std::int32_t c : super_neighbors[b]) batch_.super_col.push_back(first_block_ + c);
    close_list(batch_.super_row_ptr, batch_.super_col, batch_.super_degree);
  }
  ++batch_.num_graphs;
  batch_.graph_ptr.push_back(batch_.num_blocks);
}

void BatchWriter::append(const PackedGraph& graph) {
  const std::int32_t first_node = batch_.num_nodes;
  const std::int32_t first_block = batch_.num_blocks;
  batch_.codes.insert(batch_.codes.end(), graph.codes.begin(), graph.codes.end());
  batch_.dense.insert(batch_.dense.end(), graph.dense.begin(), graph.dense.end());
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
    for (std::int32_t e = graph.row_ptr[idx(v)]; e < graph.row_ptr[idx(v) + 1]; ++e)
      batch_.col.push_back(first_node + graph.col[idx(e)]);
    close_list(batch_.row_ptr, batch_.col, batch_.degree);
  }
  for (std::int32_t b = 0; b < graph.num_blocks(); ++b) {
    batch_.block_ptr.push_back(first_node + graph.block_ptr[idx(b) + 1]);
    if (batch_.super_self_loops) batch_.super_col.push_back(first_block + b);
    for (std::int32_t e = graph.super_row_ptr[idx(b)]; e < graph.super_row_ptr[idx(b) + 1]; ++e)
      batch_.super_col.push_back(first_block + graph.super_col[idx(e)]);
    close_list(batch_.super_row_ptr, batch_.super_col, batch_.super_degree);
  }
  batch_.num_nodes += graph.num_nodes();
  batch_.num_blocks += graph.num_blocks();
  ++batch_.num_graphs;
  batch_.graph_ptr.push_back(batch_.num_blocks);
}

void BatchWriter::append_blocks(const PackedGraph& graph, std::span<const char> keep) {
  SGOOD_ASSERT(static_cast<std::int32_t>(keep.size()) == graph.num_blocks());
  // New index of each kept node and block; -1 for what is dropped.
  std::vector<std::int32_t> new_block(keep.size(), -1);
  std::vector<std::int32_t> new_node(idx(graph.num_nodes()), -1);
  std::int32_t node = batch_.num_nodes;
  std::int32_t block = batch_.num_blocks;
  for (std::int32_t b = 0; b < graph.num_blocks(); ++b) {
    if (!keep[idx(b)]) continue;
    new_block[idx(b)] = block++;
    for (std::int32_t v = graph.block_ptr[idx(b)]; v < graph.block_ptr[idx(b) + 1]; ++v)
      new_node[idx(v)] = node++;
  }
  SGOOD_ASSERT(block > batch_.num_blocks);

  const std::size_t columns = idx(batch_.code_columns);
  const std::size_t reals = idx(batch_.num_dense);
  for (std::int32_t b = 0; b < graph.num_blocks(); ++b) {
    if (!keep[idx(b)]) continue;
    const std::size_t from = idx(graph.block_ptr[idx(b)]);
    const std::size_t to = idx(graph.block_ptr[idx(b) + 1]);
    batch_.codes.insert(batch_.codes.end(), graph.codes.begin() + static_cast<std::ptrdiff_t>(from * columns),
                        graph.codes.begin() + static_cast<std::ptrdiff_t>(to * columns));
    batch_.dense.insert(batch_.dense.end(), graph.dense.begin() + static_cast<std::ptrdiff_t>(from * reals),
                        graph.dense.begin() + static_cast<std::ptrdiff_t>(to * reals));
    for (std::size_t v = from; v < to; ++v) {
      for (std::int32_t e = graph.row_ptr[v]; e < graph.row_ptr[v + 1]; ++e)
        if (const std::int32_t u = new_node[idx(graph.col[idx(e)])]; u >= 0) batch_.col.push_back(u);
      close_list(batch_.row_ptr, batch_.col, batch_.degree);
    }
    batch_.block_ptr.push_back(new_node[to - 1] + 1);
    if (batch_.super_self_loops) batch_.super_col.push_back(new_block[idx(b)]);
    for (std::int32_t e = graph.super_row_ptr[idx(b)]; e < graph.super_row_ptr[idx(b) + 1]; ++e)
      if (const std::int32_t c = new_block[idx(graph.super_col[idx(e)])]; c >= 0)
        batch_.super_col.push_back(c);
    close_list(batch_.super_row_ptr, batch_.super_col, batch_.super_degree);
  }
  batch_.num_nodes = node;
  batch_.num_blocks = block;
  ++batch_.num_graphs;
  batch_.graph_ptr.push_back(block);
}

void BatchWriter::finish() {
  std::replace(batch_.col.begin(), batch_.col.end(), kPadding, batch_.num_nodes);
  std::replace(batch_.super_col.begin(), batch_.super_col.end(), kPadding, batch_.num_blocks);
}

PackedBatch pack_batch(std::span<const PackedGraph> graphs, std::span<const std::int32_t> positions,
                       std::int32_t code_columns, std::int32_t num_dense, bool super_self_loops) {
  PackedBatch batch;
  BatchWriter writer(batch, code_columns, num_dense, super_self_loops);
  for (const std::int32_t p : positions) writer.append(graphs[idx(p)]);
  writer.finish();
  return batch;
}

}  // namespace sgood

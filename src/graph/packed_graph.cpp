// SPDX-License-Identifier: MIT
#include "sgood/graph/packed_graph.h"

#include <algorithm>
#include <numeric>

#include "sgood/core/error.h"
#include "sgood/graph/super_graph.h"

namespace sgood {
namespace {

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Smaller blocks gain nothing from their sum: the list of a node still takes one group of four.
constexpr std::int32_t kSmallestComplete = 4;

/// Ends a list with padding.
void close_list(PaddedLists& lists) {
  lists.col.resize(idx(padded_length(static_cast<std::int32_t>(lists.col.size()))), kNoNeighbor);
  lists.row_ptr.push_back(static_cast<std::int32_t>(lists.col.size()));
}

/// The entries of list `row`.
std::vector<std::int32_t> entries_of(const PaddedLists& lists, std::int32_t row) {
  std::vector<std::int32_t> entries;
  for (std::int32_t e = lists.row_ptr[idx(row)]; e < lists.row_ptr[idx(row) + 1]; ++e)
    if (lists.col[idx(e)] != kNoNeighbor) entries.push_back(lists.col[idx(e)]);
  return entries;
}

std::vector<std::int32_t> lengths_of(const PaddedLists& lists) {
  std::vector<std::int32_t> lengths(lists.row_ptr.size() - 1);
  for (std::size_t row = 0; row < lengths.size(); ++row)
    for (std::int32_t e = lists.row_ptr[row]; e < lists.row_ptr[row + 1]; ++e)
      lengths[row] += lists.col[idx(e)] != kNoNeighbor;
  return lengths;
}

/// True if each of `nodes` is joined to each other.
bool is_complete(const PackedGraph& graph, const NodeRange& nodes) {
  for (std::int32_t v = nodes.first; v < nodes.last; ++v) {
    const auto first = graph.col.begin() + graph.row_ptr[idx(v)];
    const auto last = graph.col.begin() + graph.row_ptr[idx(v) + 1];
    const auto inside =
        std::lower_bound(first, last, nodes.last) - std::lower_bound(first, last, nodes.first);
    if (inside != nodes.size() - 1) return false;
  }
  return true;
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
    for (std::size_t c = 0; c < columns; ++c)
      packed.codes.push_back(input.codes[idx(v) * columns + c]);
    for (std::size_t c = 0; c < reals; ++c) packed.dense.push_back(input.dense[idx(v) * reals + c]);
  }

  std::vector<std::int32_t> renumbered(idx(n));
  for (std::int32_t v = 0; v < n; ++v) renumbered[idx(v)] = new_block[idx(partition.block(v))];
  SuperGraph super(graph, Partition(std::move(renumbered)));
  packed.super_row_ptr = std::move(super.row_ptr);
  packed.super_col = std::move(super.col);
  packed.prepare_source();
  return packed;
}

BatchSource::BatchSource(std::span<const std::int32_t> block_ptr, const PaddedLists& lists,
                         std::span<const std::int32_t> start,
                         std::span<const std::int32_t> complete, const PaddedLists& super_lists)
    : num_nodes_(static_cast<std::int32_t>(start.size())),
      num_blocks_(static_cast<std::int32_t>(block_ptr.size()) - 1),
      num_super_entries_(static_cast<std::int32_t>(super_lists.col.size())),
      num_complete_(static_cast<std::int32_t>(complete.size())) {
  const std::span<const std::int32_t> parts[] = {
      block_ptr, super_lists.row_ptr, lists.row_ptr, start, super_lists.col, complete, lists.col};
  std::size_t size = 0;
  for (const auto& part : parts) size += part.size();
  data_.clear();
  data_.reserve(size + kSlack);
  for (const auto& part : parts) data_.insert(data_.end(), part.begin(), part.end());
  data_.resize(size + kSlack);
}

void PackedGraph::prepare_source() {
  PaddedLists lists, super_lists;
  std::vector<std::int32_t> start(idx(num_nodes())), complete;
  lists.row_ptr.reserve(row_ptr.size());
  lists.col.reserve(col.size() + 3 * node.size());
  super_lists.row_ptr.reserve(super_row_ptr.size());
  super_lists.col.reserve(super_col.size() + 4 * block_ptr.size());
  for (std::int32_t b = 0; b < num_blocks(); ++b) {
    const NodeRange nodes = nodes_of(b);
    const bool whole = nodes.size() >= kSmallestComplete && is_complete(*this, nodes);
    for (std::int32_t v = nodes.first; v < nodes.last; ++v) {
      start[idx(v)] = whole ? complete_row(static_cast<std::int32_t>(complete.size())) : v;
      for (std::int32_t e = row_ptr[idx(v)]; e < row_ptr[idx(v) + 1]; ++e) {
        const std::int32_t u = col[idx(e)];
        if (!whole || u < nodes.first || u >= nodes.last) lists.col.push_back(u);
      }
      close_list(lists);
    }
    if (whole) complete.push_back(b);
    super_lists.col.push_back(b);
    super_lists.col.insert(super_lists.col.end(), super_col.begin() + super_row_ptr[idx(b)],
                           super_col.begin() + super_row_ptr[idx(b) + 1]);
    close_list(super_lists);
  }
  source = BatchSource(block_ptr, lists, start, complete, super_lists);
}

std::vector<std::int32_t> PackedBatch::neighbors(std::int32_t v) const {
  std::vector<std::int32_t> result = entries_of(lists, v);
  if (start[idx(v)] < 0) {
    const std::int32_t block = complete[idx(complete_row(start[idx(v)]))];
    for (std::int32_t u = block_ptr[idx(block)]; u < block_ptr[idx(block) + 1]; ++u)
      if (u != v) result.push_back(u);
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::int32_t> PackedBatch::super_neighbors(std::int32_t b) const {
  std::vector<std::int32_t> result = entries_of(super_lists, b);
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::int32_t> PackedBatch::degrees() const {
  std::vector<std::int32_t> result = lengths_of(lists);
  for (const std::int32_t b : complete)
    for (std::int32_t v = block_ptr[idx(b)]; v < block_ptr[idx(b) + 1]; ++v)
      result[idx(v)] += block_ptr[idx(b) + 1] - block_ptr[idx(b)] - 1;
  return result;
}

std::vector<std::int32_t> PackedBatch::super_degrees() const { return lengths_of(super_lists); }

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/graph/packed_graph.h"

#include <algorithm>
#include <numeric>

#include "list_writer.h"
#include "sgood/core/error.h"
#include "sgood/graph/super_graph.h"

namespace sgood {
namespace {

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Makes `values` at least `size` long.
template <typename T>
void grow(std::vector<T>& values, std::size_t size) {
  if (values.size() < size) values.resize(size + size / 2);
}

/// Nodes [first, last) of `graph`.
struct NodeRange {
  const PackedGraph& graph;
  std::int32_t first;
  std::int32_t last;

  std::int32_t size() const { return last - first; }
};

/// The nodes of block `b` of `graph`.
NodeRange nodes_of(const PackedGraph& graph, std::int32_t b) {
  return {graph, graph.block_ptr[idx(b)], graph.block_ptr[idx(b) + 1]};
}

/// The nodes that stand for block `b` of `graph`.
NodeRange nodes_of(const PackedGraph& graph, std::int32_t b, BlockRef substitute) {
  return substitute.graph ? nodes_of(*substitute.graph, substitute.block) : nodes_of(graph, b);
}

/// Sets map[v] for each of `nodes` to its number when the first is `number`, or all to -1 when they
/// are not `kept`. `map` must be longer by a group.
void number_nodes(const NodeRange& nodes, std::int32_t number, bool kept, std::int32_t* map) {
  const std::int32_t bits = kept ? 0 : -1;
  for (std::int32_t v = nodes.first; v < nodes.last; v += kGroup, number += kGroup)
    for (std::int32_t k = 0; k < kGroup; ++k) map[v + k] = (number + k) | bits;
}

/// Inserts node `to` into the ascending list of node `from`, which has room for it; both are
/// numbered from the first node of the graph that is being written.
void insert(PackedBatch& batch, std::int32_t from, std::int32_t to) {
  const std::size_t row = idx(batch.num_nodes + from);
  const std::int32_t node = batch.num_nodes + to;
  std::int32_t* first = batch.col.data() + batch.row_ptr[row];
  std::int32_t* place = first + batch.degree[row]++;
  for (; place != first && place[-1] > node; --place) *place = place[-1];
  *place = node;
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
  return packed;
}

BatchWriter::BatchWriter(PackedBatch& batch, std::int32_t code_columns, std::int32_t num_dense,
                         bool super_self_loops)
    : batch_(batch) {
  batch.num_graphs = batch.num_blocks = batch.num_nodes = 0;
  batch.code_columns = code_columns;
  batch.code_table = nullptr;
  batch.num_dense = num_dense;
  batch.super_self_loops = super_self_loops;
  for (auto* list : {&batch.row_ptr, &batch.block_ptr, &batch.super_row_ptr, &batch.graph_ptr}) {
    grow(*list, 1);
    list->front() = 0;
  }
}

void BatchWriter::make_room(std::int32_t nodes, std::int32_t blocks, std::int32_t entries,
                            std::int32_t super_entries) {
  const std::size_t new_nodes = idx(batch_.num_nodes + nodes);
  const std::size_t new_blocks = idx(batch_.num_blocks + blocks);
  grow(batch_.codes, new_nodes * idx(batch_.code_columns));
  grow(batch_.dense, new_nodes * idx(batch_.num_dense));
  grow(batch_.row_ptr, new_nodes + 1);
  grow(batch_.degree, new_nodes);
  grow(batch_.block_ptr, new_blocks + 1);
  grow(batch_.super_row_ptr, new_blocks + 1);
  grow(batch_.super_degree, new_blocks);
  grow(batch_.graph_ptr, idx(batch_.num_graphs) + 2);
  const std::int32_t old_entries = batch_.row_ptr[idx(batch_.num_nodes)];
  const std::int32_t old_super_entries = batch_.super_row_ptr[idx(batch_.num_blocks)];
  grow(batch_.col, idx(old_entries + entries + 3 * nodes + kGroup));
  grow(batch_.super_col, idx(old_super_entries + super_entries + 4 * blocks + kGroup));
}

void BatchWriter::copy_features(const PackedGraph& graph, std::int32_t first, std::int32_t last,
                                std::int32_t to) {
  const std::size_t columns = idx(batch_.code_columns);
  const std::size_t reals = idx(batch_.num_dense);
  const std::size_t count = idx(last - first);
  std::copy_n(graph.codes.data() + idx(first) * columns, count * columns,
              batch_.codes.data() + idx(to) * columns);
  std::copy_n(graph.dense.data() + idx(first) * reals, count * reals,
              batch_.dense.data() + idx(to) * reals);
}

void BatchWriter::append_super_graph(const PackedGraph& graph) {
  const std::int32_t first = batch_.num_blocks;
  const Lists lists(graph.super_row_ptr, graph.super_col);
  ListWriter writer(batch_.super_row_ptr, batch_.super_col, batch_.super_degree, first);
  for (std::int32_t b = 0; b < graph.num_blocks(); ++b) {
    if (batch_.super_self_loops) writer.add(first + b);
    writer.add_shifted(lists, b, first);
    writer.close();
  }
}

void BatchWriter::end_graph(std::int32_t num_nodes, std::int32_t num_blocks) {
  batch_.num_nodes += num_nodes;
  batch_.num_blocks += num_blocks;
  batch_.graph_ptr[idx(++batch_.num_graphs)] = batch_.num_blocks;
}

void BatchWriter::append(const PackedGraph& graph) {
  const std::int32_t n = graph.num_nodes();
  const std::int32_t count = graph.num_blocks();
  const std::int32_t first = batch_.num_nodes;
  make_room(n, count, graph.row_ptr.back(), graph.super_row_ptr.back());
  copy_features(graph, 0, n, first);
  const Lists lists(graph.row_ptr, graph.col);
  ListWriter writer(batch_.row_ptr, batch_.col, batch_.degree, first);
  for (std::int32_t v = 0; v < n; ++v) {
    writer.add_shifted(lists, v, first);
    writer.close();
  }
  std::int32_t* block_end = batch_.block_ptr.data() + batch_.num_blocks + 1;
  for (std::int32_t b = 0; b < count; ++b) block_end[b] = first + graph.block_ptr[idx(b) + 1];
  append_super_graph(graph);
  end_graph(n, count);
}

void BatchWriter::append_blocks(const PackedGraph& graph, std::span<const char> keep) {
  const std::int32_t count = graph.num_blocks();
  SGOOD_ASSERT(static_cast<std::int32_t>(keep.size()) == count);
  make_room(graph.num_nodes(), count, graph.row_ptr.back(), graph.super_row_ptr.back());
  grow(new_block_, idx(count));
  grow(new_node_, idx(graph.num_nodes() + kGroup));
  std::int32_t block = batch_.num_blocks;
  std::int32_t node = batch_.num_nodes;
  for (std::int32_t b = 0; b < count; ++b) {
    const NodeRange nodes = nodes_of(graph, b);
    const bool kept = keep[idx(b)] != 0;
    number_nodes(nodes, node, kept, new_node_.data());
    new_block_[idx(b)] = kept ? block : -1;
    node += kept ? nodes.size() : 0;
    block += kept ? 1 : 0;
    batch_.block_ptr[idx(block)] = node;
  }
  SGOOD_ASSERT(block > batch_.num_blocks);

  ListWriter nodes(batch_.row_ptr, batch_.col, batch_.degree, batch_.num_nodes);
  ListWriter blocks(batch_.super_row_ptr, batch_.super_col, batch_.super_degree, batch_.num_blocks);
  for (std::int32_t b = 0; b < count;) {
    // Blocks side by side go together: most lists stay within them.
    std::int32_t end = b;
    while (end < count && keep[idx(end)]) ++end;
    if (end > b) copy_blocks(graph, b, end, nodes, blocks);
    for (b = end; b < count && !keep[idx(b)];) ++b;
  }
  end_graph(node - batch_.num_nodes, block - batch_.num_blocks);
}

void BatchWriter::copy_blocks(const PackedGraph& graph, std::int32_t first_block,
                              std::int32_t last_block, ListWriter& nodes, ListWriter& blocks) {
  const std::int32_t first = graph.block_ptr[idx(first_block)];
  const std::int32_t last = graph.block_ptr[idx(last_block)];
  const std::int32_t shift = new_node_[idx(first)] - first;
  copy_features(graph, first, last, first + shift);
  const Lists lists(graph.row_ptr, graph.col);
  for (std::int32_t v = first; v < last; ++v) {
    nodes.add_mapped(lists, v, new_node_.data(), first, last, shift);
    nodes.close();
  }
  const Lists super_lists(graph.super_row_ptr, graph.super_col);
  for (std::int32_t b = first_block; b < last_block; ++b) {
    if (batch_.super_self_loops) blocks.add(new_block_[idx(b)]);
    blocks.add_mapped(super_lists, b, new_block_.data());
    blocks.close();
  }
}

void BatchWriter::append_substituted(const PackedGraph& graph,
                                     std::span<const BlockRef> substitutes,
                                     std::span<const DirectedEdge> joints) {
  const std::int32_t count = graph.num_blocks();
  SGOOD_ASSERT(static_cast<std::int32_t>(substitutes.size()) == count);
  grow(new_node_, idx(graph.num_nodes() + kGroup));
  std::int32_t node = batch_.num_nodes;
  auto entries = static_cast<std::int32_t>(2 * joints.size());
  for (std::int32_t b = 0; b < count; ++b) {
    const BlockRef substitute = substitutes[idx(b)];
    const auto [source, first, last] = nodes_of(graph, b, substitute);
    entries += source.row_ptr[idx(last)] - source.row_ptr[idx(first)];
    number_nodes(nodes_of(graph, b), node, !substitute.graph, new_node_.data());
    node += last - first;
  }
  const std::int32_t num_nodes = node - batch_.num_nodes;
  make_room(num_nodes, count, entries, graph.super_row_ptr.back());
  joints_of_.assign(idx(num_nodes), 0);
  for (const auto [u, v] : joints) {
    ++joints_of_[idx(u)];
    ++joints_of_[idx(v)];
  }

  ListWriter writer(batch_.row_ptr, batch_.col, batch_.degree, batch_.num_nodes);
  const std::int32_t* joints_of_node = joints_of_.data();
  node = batch_.num_nodes;
  for (std::int32_t b = 0; b < count; ++b) {
    const auto [source, first, last] = nodes_of(graph, b, substitutes[idx(b)]);
    copy_features(source, first, last, node);
    const Lists lists(source.row_ptr, source.col);
    if (substitutes[idx(b)].graph) {
      for (std::int32_t v = first; v < last; ++v) {
        writer.add_inside(lists, v, first, last, node - first);
        writer.close(*joints_of_node++);
      }
    } else {
      for (std::int32_t v = first; v < last; ++v) {
        writer.add_mapped(lists, v, new_node_.data());
        writer.close(*joints_of_node++);
      }
    }
    node += last - first;
    batch_.block_ptr[idx(batch_.num_blocks + b) + 1] = node;
  }
  for (const auto [u, v] : joints) {
    insert(batch_, u, v);
    insert(batch_, v, u);
  }
  append_super_graph(graph);
  end_graph(num_nodes, count);
}

void BatchWriter::finish() {
  const std::size_t nodes = idx(batch_.num_nodes), blocks = idx(batch_.num_blocks);
  batch_.codes.resize(nodes * idx(batch_.code_columns));
  batch_.dense.resize(nodes * idx(batch_.num_dense));
  batch_.row_ptr.resize(nodes + 1);
  batch_.degree.resize(nodes);
  batch_.col.resize(idx(batch_.row_ptr.back()));
  batch_.block_ptr.resize(blocks + 1);
  batch_.super_row_ptr.resize(blocks + 1);
  batch_.super_degree.resize(blocks);
  batch_.super_col.resize(idx(batch_.super_row_ptr.back()));
  batch_.graph_ptr.resize(idx(batch_.num_graphs) + 1);
  // A conditional store would be mispredicted at every other list; this one becomes vector code.
  const auto set_padding = [](std::vector<std::int32_t>& col, std::int32_t padding) {
    for (std::int32_t& value : col) value += value == kPadding ? padding - kPadding : 0;
  };
  set_padding(batch_.col, batch_.num_nodes);
  set_padding(batch_.super_col, batch_.num_blocks);
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

// SPDX-License-Identifier: MIT
#include "sgood/graph/packed_graph.h"

#include <algorithm>
#include <numeric>

#include "sgood/core/error.h"
#include "sgood/graph/super_graph.h"

namespace sgood {
namespace {

constexpr std::int32_t kPadding = -1;  // replaced by the final number of rows in finish()

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Makes room for `count` more values and returns the first.
std::int32_t* extend(std::vector<std::int32_t>& values, std::size_t count) {
  values.resize(values.size() + count);
  return values.data() + (values.size() - count);
}

/// Nodes [first, last) of `graph`.
struct NodeRange {
  const PackedGraph& graph;
  std::int32_t first;
  std::int32_t last;
};

/// The nodes that stand for block `b` of `graph`.
NodeRange nodes_of(const PackedGraph& graph, std::int32_t b, BlockRef substitute = {}) {
  const PackedGraph& source = substitute.graph ? *substitute.graph : graph;
  const std::size_t block = idx(substitute.graph ? substitute.block : b);
  return {source, source.block_ptr[block], source.block_ptr[block + 1]};
}

/// Appends padded neighbour lists. Room is made once per graph, for at most `entries` entries in
/// `lists` lists, so that writing one entry is one store.
class ListWriter {
 public:
  ListWriter(std::vector<std::int32_t>& row_ptr, std::vector<std::int32_t>& col,
             std::vector<std::int32_t>& degree, std::int32_t lists, std::size_t entries)
      : col_(col), row_end_(extend(row_ptr, idx(lists))), degree_(extend(degree, idx(lists))) {
    start_ = next_ = extend(col, entries + 3 * idx(lists) + 3);
  }
  ListWriter(const ListWriter&) = delete;
  ListWriter& operator=(const ListWriter&) = delete;
  ~ListWriter() { col_.resize(static_cast<std::size_t>(next_ - col_.data())); }

  void add(std::int32_t value) { *next_++ = value; }
  /// Adds to_new(value) for each value of list `i` for which that is not negative. `to_new` must
  /// accept every value of `col`: lists are read in groups, beyond their end, because a loop over
  /// the true length is mispredicted at almost every node.
  template <typename ToNew>
  void add(const std::vector<std::int32_t>& row_ptr, const std::vector<std::int32_t>& col,
           std::int32_t i, const ToNew& to_new) {
    constexpr std::ptrdiff_t kGroup = 4;
    const std::int32_t* from = col.data() + row_ptr[idx(i)];
    const std::int32_t* last = col.data() + row_ptr[idx(i) + 1];
    const std::int32_t* end = col.data() + col.size();
    std::int32_t* next = next_;
    for (; from < last && end - from >= kGroup; from += kGroup)
      for (std::ptrdiff_t k = 0; k < kGroup; ++k) {
        *next = to_new(from[k]);
        next += static_cast<int>(*next >= 0) & static_cast<int>(from + k < last);
      }
    for (; from < last; ++from) {
      *next = to_new(*from);
      next += *next >= 0;
    }
    next_ = next;
  }
  /// Sorts the entries of the current list.
  void sort() { std::sort(start_, next_); }
  void close() {
    *degree_++ = static_cast<std::int32_t>(next_ - start_);
    std::fill_n(next_, 3, kPadding);
    next_ = start_ + (next_ - start_ + 3) / 4 * 4;
    start_ = next_;
    *row_end_++ = static_cast<std::int32_t>(next_ - col_.data());
  }

 private:
  std::vector<std::int32_t>& col_;
  std::int32_t* row_end_;
  std::int32_t* degree_;
  std::int32_t* start_;  // of the current list
  std::int32_t* next_;
};

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
  batch.num_dense = num_dense;
  batch.super_self_loops = super_self_loops;
  for (auto* list :
       {&batch.codes, &batch.col, &batch.degree, &batch.super_col, &batch.super_degree})
    list->clear();
  batch.dense.clear();
  for (auto* list : {&batch.row_ptr, &batch.block_ptr, &batch.super_row_ptr, &batch.graph_ptr})
    list->assign(1, 0);
}

void BatchWriter::append_features(const PackedGraph& graph, std::int32_t first, std::int32_t last) {
  const std::size_t columns = idx(batch_.code_columns);
  const std::size_t reals = idx(batch_.num_dense);
  batch_.codes.insert(batch_.codes.end(), graph.codes.data() + idx(first) * columns,
                      graph.codes.data() + idx(last) * columns);
  batch_.dense.insert(batch_.dense.end(), graph.dense.data() + idx(first) * reals,
                      graph.dense.data() + idx(last) * reals);
}

void BatchWriter::append_super_graph(const PackedGraph& graph) {
  const std::int32_t first = batch_.num_blocks;
  const std::int32_t count = graph.num_blocks();
  const auto shifted = [first](std::int32_t b) { return first + b; };
  ListWriter lists(batch_.super_row_ptr, batch_.super_col, batch_.super_degree, count,
                   graph.super_col.size() + idx(count));
  for (std::int32_t b = 0; b < count; ++b) {
    if (batch_.super_self_loops) lists.add(first + b);
    lists.add(graph.super_row_ptr, graph.super_col, b, shifted);
    lists.close();
  }
}

void BatchWriter::end_graph(std::int32_t num_nodes, std::int32_t num_blocks) {
  batch_.num_nodes += num_nodes;
  batch_.num_blocks += num_blocks;
  ++batch_.num_graphs;
  batch_.graph_ptr.push_back(batch_.num_blocks);
}

void BatchWriter::append(const PackedGraph& graph) {
  const std::int32_t n = graph.num_nodes();
  append_features(graph, 0, n);
  const auto shifted = [first = batch_.num_nodes](std::int32_t v) { return first + v; };
  ListWriter lists(batch_.row_ptr, batch_.col, batch_.degree, n, graph.col.size());
  for (std::int32_t v = 0; v < n; ++v) {
    lists.add(graph.row_ptr, graph.col, v, shifted);
    lists.close();
  }
  for (std::int32_t b = 0; b < graph.num_blocks(); ++b)
    batch_.block_ptr.push_back(batch_.num_nodes + graph.block_ptr[idx(b) + 1]);
  append_super_graph(graph);
  end_graph(n, graph.num_blocks());
}

void BatchWriter::append_blocks(const PackedGraph& graph, std::span<const char> keep) {
  const std::int32_t count = graph.num_blocks();
  SGOOD_ASSERT(static_cast<std::int32_t>(keep.size()) == count);
  new_block_.assign(idx(count), -1);
  new_node_.assign(idx(graph.num_nodes()), -1);
  std::int32_t block = batch_.num_blocks;
  std::int32_t node = batch_.num_nodes;
  for (std::int32_t b = 0; b < count; ++b) {
    if (!keep[idx(b)]) continue;
    new_block_[idx(b)] = block++;
    for (std::int32_t v = graph.block_ptr[idx(b)]; v < graph.block_ptr[idx(b) + 1]; ++v)
      new_node_[idx(v)] = node++;
  }
  const std::int32_t kept_blocks = block - batch_.num_blocks;
  const std::int32_t kept_nodes = node - batch_.num_nodes;
  SGOOD_ASSERT(kept_blocks > 0);

  const auto new_node = [map = new_node_.data()](std::int32_t v) { return map[v]; };
  const auto new_block = [map = new_block_.data()](std::int32_t b) { return map[b]; };
  ListWriter nodes(batch_.row_ptr, batch_.col, batch_.degree, kept_nodes, graph.col.size());
  ListWriter blocks(batch_.super_row_ptr, batch_.super_col, batch_.super_degree, kept_blocks,
                    graph.super_col.size() + idx(count));
  for (std::int32_t b = 0; b < count; ++b) {
    if (!keep[idx(b)]) continue;
    const auto [source, first, last] = nodes_of(graph, b);
    append_features(source, first, last);
    for (std::int32_t v = first; v < last; ++v) {
      nodes.add(source.row_ptr, source.col, v, new_node);
      nodes.close();
    }
    batch_.block_ptr.push_back(batch_.block_ptr.back() + last - first);
    if (batch_.super_self_loops) blocks.add(new_block_[idx(b)]);
    blocks.add(graph.super_row_ptr, graph.super_col, b, new_block);
    blocks.close();
  }
  end_graph(kept_nodes, kept_blocks);
}

void BatchWriter::append_substituted(const PackedGraph& graph,
                                     std::span<const BlockRef> substitutes,
                                     std::span<const DirectedEdge> joints) {
  const std::int32_t count = graph.num_blocks();
  SGOOD_ASSERT(static_cast<std::int32_t>(substitutes.size()) == count);
  new_node_.assign(idx(graph.num_nodes()), -1);
  std::int32_t node = batch_.num_nodes;
  std::size_t entries = joints.size();
  for (std::int32_t b = 0; b < count; ++b) {
    const auto [source, first, last] = nodes_of(graph, b, substitutes[idx(b)]);
    entries += idx(source.row_ptr[idx(last)] - source.row_ptr[idx(first)]);
    if (!substitutes[idx(b)].graph)
      std::iota(new_node_.begin() + first, new_node_.begin() + last, node);
    node += last - first;
    append_features(source, first, last);
    batch_.block_ptr.push_back(node);
  }

  const std::int32_t num_nodes = node - batch_.num_nodes;
  ListWriter lists(batch_.row_ptr, batch_.col, batch_.degree, num_nodes, entries);
  const auto new_node = [map = new_node_.data()](std::int32_t v) { return map[v]; };
  auto joint = joints.begin();
  node = 0;
  for (std::int32_t b = 0; b < count; ++b) {
    const auto [source, first, last] = nodes_of(graph, b, substitutes[idx(b)]);
    const std::int32_t first_new = batch_.num_nodes + node;
    const auto moved = [first, size = last - first, first_new](std::int32_t v) {
      const bool inside = static_cast<std::uint32_t>(v - first) < static_cast<std::uint32_t>(size);
      return inside ? first_new + v - first : -1;
    };
    for (std::int32_t v = first; v < last; ++v, ++node) {
      if (substitutes[idx(b)].graph)
        lists.add(source.row_ptr, source.col, v, moved);
      else
        lists.add(source.row_ptr, source.col, v, new_node);
      const auto own_joints = joint;
      for (; joint != joints.end() && joint->from == node; ++joint)
        lists.add(batch_.num_nodes + joint->to);
      if (joint != own_joints) lists.sort();
      lists.close();
    }
  }
  SGOOD_ASSERT(joint == joints.end());
  append_super_graph(graph);
  end_graph(num_nodes, count);
}

void BatchWriter::finish() {
  // A conditional store would be mispredicted at every other list; this one becomes vector code.
  const auto set_padding = [](std::vector<std::int32_t>& col, std::int32_t padding) {
    for (std::int32_t& value : col) value = value == kPadding ? padding : value;
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

// SPDX-License-Identifier: MIT
#include "sgood/graph/batch_writer.h"

#include <algorithm>

#include "sgood/core/error.h"

namespace sgood {
namespace {

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Makes `values` at least `size` long, and hardly longer: new values are set to zero first.
template <typename T>
void grow(std::vector<T>& values, std::size_t size) {
  if (values.size() < size) values.resize(size + size / 16);
}

/// Values written at once: most blocks and many graphs are smaller, and a loop over their true
/// length would be mispredicted at almost every one. What is written too much is written over by
/// what comes next.
constexpr std::int32_t kGroup = BatchSource::kSlack;

/// to[i] = map(from[i]) in groups of kSize, the last of them whole.
template <std::int32_t kSize, typename Map>
void copy_groups(const std::int32_t* from, std::int32_t count, std::int32_t* to, Map map) {
  for (std::int32_t i = 0; i < count; i += kSize) {
    std::int32_t group[kSize];  // in between, for `from` and `to` might overlap to the compiler
    for (std::int32_t k = 0; k < kSize; ++k) group[k] = map(from[i + k]);
    std::copy_n(group, kSize, to + i);
  }
}

/// to[i] = from[i] + shift.
void shift_all(const std::int32_t* from, std::int32_t count, std::int32_t shift, std::int32_t* to) {
  copy_groups<kGroup>(from, count, to, [shift](std::int32_t value) { return value + shift; });
}

/// Copies lists [first, last) of `from` to list `row` of `to` on; copy_entries(from, count, to)
/// renumbers their entries.
template <typename Copy>
void copy_lists(const BatchSource::Lists& from, std::int32_t first, std::int32_t last,
                PaddedLists& to, std::int32_t row, Copy copy_entries) {
  const std::int32_t begin = from.row_ptr[first], end = from.row_ptr[last];
  const std::int32_t place = to.row_ptr[idx(row)];
  copy_entries(from.col + begin, end - begin, to.col.data() + place);
  shift_all(from.row_ptr + first + 1, last - first, place - begin, to.row_ptr.data() + row + 1);
}

/// Copies entries of lists, always a multiple of four.
template <typename Map>
auto by(Map map) {
  return [map](const std::int32_t* from, std::int32_t count, std::int32_t* to) {
    copy_groups<4>(from, count, to, map);
  };
}

/// Entries that become those of the batch by `map`, which has a place for kNoNeighbor.
auto by_map(const std::int32_t* map) {
  return by([map](std::int32_t entry) { return map[entry]; });
}

/// Entries plus `shift`, but kNoNeighbor stays.
auto by_shift(std::int32_t shift) {
  return by([shift](std::int32_t entry) { return (entry + shift) | (entry >> 31); });
}

/// Entries of `nodes`, each plus `shift`; the others vanish.
auto inside(NodeRange nodes, std::int32_t shift) {
  return by([nodes, shift](std::int32_t entry) {
    return entry >= nodes.first && entry < nodes.last ? entry + shift : kNoNeighbor;
  });
}

/// Sets map[v] for each of `nodes` to its number when the first is `number`, or all to kNoNeighbor
/// when they are not `kept`. `map` must be longer by a group.
void number_nodes(const NodeRange& nodes, std::int32_t number, bool kept, std::int32_t* map) {
  const std::int32_t bits = kept ? 0 : kNoNeighbor;
  for (std::int32_t v = nodes.first; v < nodes.last; v += kGroup, number += kGroup)
    for (std::int32_t k = 0; k < kGroup; ++k) map[v + k] = (number + k) | bits;
}

/// Lengthens list `row`, the last, until it has `count` free places. Returns the first of them.
std::int32_t make_places(PaddedLists& lists, std::int32_t row, std::int32_t count) {
  const std::int32_t begin = lists.row_ptr[idx(row)];
  std::int32_t& end = lists.row_ptr[idx(row) + 1];
  std::int32_t first = end;
  for (std::int32_t e = end; e-- > begin;) {
    const bool free = lists.col[idx(e)] == kNoNeighbor;
    count -= static_cast<int>(free);
    first = free ? e : first;
  }
  if (count > 0) {
    std::fill_n(lists.col.data() + end, padded_length(count), kNoNeighbor);
    end += padded_length(count);
  }
  return first;
}

/// Puts `neighbor` into the first free place from `place` on, and moves `place` past it.
void insert(PaddedLists& lists, std::int32_t& place, std::int32_t neighbor) {
  while (lists.col[idx(place)] != kNoNeighbor) ++place;
  lists.col[idx(place++)] = neighbor;
}

}  // namespace

BatchWriter::BatchWriter(PackedBatch& batch, std::int32_t code_columns, std::int32_t num_dense,
                         bool super_self_loops)
    : batch_(batch) {
  batch.num_graphs = batch.num_blocks = batch.num_nodes = 0;
  batch.code_columns = code_columns;
  batch.code_table = nullptr;
  batch.num_dense = num_dense;
  batch.super_self_loops = super_self_loops;
  batch.complete.clear();
  for (auto* list :
       {&batch.lists.row_ptr, &batch.block_ptr, &batch.super_lists.row_ptr, &batch.graph_ptr}) {
    grow(*list, 1);
    list->front() = 0;
  }
}

void BatchWriter::make_room(std::int32_t nodes, std::int32_t blocks, std::int32_t entries,
                            std::int32_t super_entries) {
  const std::size_t new_nodes = idx(batch_.num_nodes + nodes + kGroup);
  const std::size_t new_blocks = idx(batch_.num_blocks + blocks + kGroup);
  grow(batch_.codes, new_nodes * idx(batch_.code_columns));
  grow(batch_.dense, new_nodes * idx(batch_.num_dense));
  grow(batch_.start, new_nodes);
  grow(batch_.lists.row_ptr, new_nodes + 1);
  grow(batch_.block_ptr, new_blocks + 1);
  grow(batch_.super_lists.row_ptr, new_blocks + 1);
  grow(batch_.graph_ptr, idx(batch_.num_graphs) + 2);
  grow(batch_.lists.col, idx(batch_.lists.row_ptr[idx(batch_.num_nodes)] + entries));
  grow(batch_.super_lists.col,
       idx(batch_.super_lists.row_ptr[idx(batch_.num_blocks)] + super_entries));
}

void BatchWriter::copy_nodes(const PackedGraph& graph, std::int32_t first_block,
                             std::int32_t last_block, std::int32_t to_node, std::int32_t to_block) {
  const BatchSource& source = graph.source;
  const std::int32_t first = source.block_ptr()[first_block];
  const std::int32_t count = source.block_ptr()[last_block] - first;
  const auto copy_rows = [&](const auto& from, std::int32_t columns, auto& to) {
    if (columns == 0) return;
    std::copy_n(from.data() + idx(first) * idx(columns), idx(count) * idx(columns),
                to.data() + idx(to_node) * idx(columns));
  };
  copy_rows(graph.codes, batch_.code_columns, batch_.codes);
  copy_rows(graph.dense, batch_.num_dense, batch_.dense);

  const std::int32_t shift = to_node - first;
  std::int32_t* to = batch_.start.data() + to_node;
  const std::span<const std::int32_t> complete = source.complete();
  if (complete.empty()) return number_nodes({0, count}, to_node, true, to);
  const std::int32_t* from = source.start() + first;
  const auto begin = std::ranges::lower_bound(complete, first_block);
  const auto before = static_cast<std::int32_t>(begin - complete.begin());
  const auto later = static_cast<std::int32_t>(batch_.complete.size()) - before;
  copy_groups<kGroup>(from, count, to, [later, shift](std::int32_t row) {
    return row + (row < 0 ? -later : shift);
  });
  for (auto b = begin; b != complete.end() && *b < last_block; ++b)
    batch_.complete.push_back(*b - first_block + to_block);
}

void BatchWriter::append_super_graph(const BatchSource& source) {
  copy_lists(source.super_lists(), 0, source.num_blocks(), batch_.super_lists, batch_.num_blocks,
             by_shift(batch_.num_blocks));
}

void BatchWriter::end_graph(std::int32_t num_nodes, std::int32_t num_blocks) {
  if (!batch_.super_self_loops)  // a list starts with the block itself
    for (std::int32_t b = batch_.num_blocks; b < batch_.num_blocks + num_blocks; ++b)
      batch_.super_lists.col[idx(batch_.super_lists.row_ptr[idx(b)])] = kNoNeighbor;
  batch_.num_nodes += num_nodes;
  batch_.num_blocks += num_blocks;
  batch_.graph_ptr[idx(++batch_.num_graphs)] = batch_.num_blocks;
}

void BatchWriter::append(const PackedGraph& graph) {
  const BatchSource& source = graph.source;
  const std::int32_t n = source.num_nodes();
  const std::int32_t count = source.num_blocks();
  const std::int32_t first = batch_.num_nodes;
  make_room(n, count, source.num_entries(), source.num_super_entries());
  copy_nodes(graph, 0, count, first, batch_.num_blocks);
  copy_lists(source.lists(), 0, n, batch_.lists, first, by_shift(first));
  shift_all(source.block_ptr() + 1, count, first, batch_.block_ptr.data() + batch_.num_blocks + 1);
  append_super_graph(source);
  end_graph(n, count);
}

void BatchWriter::append_blocks(const PackedGraph& graph, std::span<const char> keep) {
  const BatchSource& source = graph.source;
  const std::int32_t count = source.num_blocks();
  SGOOD_ASSERT(static_cast<std::int32_t>(keep.size()) == count);
  make_room(source.num_nodes(), count, source.num_entries(), source.num_super_entries());
  grow(new_block_, idx(count) + 1);
  grow(new_node_, idx(source.num_nodes() + kGroup) + 1);
  new_block_.front() = new_node_.front() = kNoNeighbor;
  std::int32_t* new_block = new_block_.data() + 1;
  std::int32_t* new_node = new_node_.data() + 1;
  std::int32_t block = batch_.num_blocks;
  std::int32_t node = batch_.num_nodes;
  for (std::int32_t b = 0; b < count; ++b) {
    const NodeRange nodes = source.nodes_of(b);
    const bool kept = keep[idx(b)] != 0;
    number_nodes(nodes, node, kept, new_node);
    new_block[b] = kept ? block : kNoNeighbor;
    node += kept ? nodes.size() : 0;
    block += kept ? 1 : 0;
    batch_.block_ptr[idx(block)] = node;
  }
  SGOOD_ASSERT(block > batch_.num_blocks);

  for (std::int32_t b = 0; b < count;) {
    // Blocks side by side go together.
    std::int32_t end = b;
    while (end < count && keep[idx(end)]) ++end;
    if (end > b) {
      const std::int32_t first = source.block_ptr()[b], last = source.block_ptr()[end];
      copy_nodes(graph, b, end, new_node[first], new_block[b]);
      copy_lists(source.lists(), first, last, batch_.lists, new_node[first], by_map(new_node));
      copy_lists(source.super_lists(), b, end, batch_.super_lists, new_block[b], by_map(new_block));
    }
    for (b = end; b < count && !keep[idx(b)];) ++b;
  }
  end_graph(node - batch_.num_nodes, block - batch_.num_blocks);
}

template <typename Copy>
void BatchWriter::copy_joined(const PackedGraph& graph, std::int32_t first_block,
                              std::int32_t last_block, std::int32_t to_node, std::int32_t to_block,
                              Copy copy_entries) {
  const BatchSource& source = graph.source;
  const std::int32_t begin = source.block_ptr()[first_block];
  const std::int32_t end = source.block_ptr()[last_block];
  const std::int32_t shift = to_node - begin;
  copy_nodes(graph, first_block, last_block, to_node, batch_.num_blocks + to_block);
  shift_all(source.block_ptr() + first_block + 1, last_block - first_block, shift,
            batch_.block_ptr.data() + batch_.num_blocks + to_block + 1);
  std::int32_t* joints = joints_of_.data() + (shift - batch_.num_nodes);
  for (std::int32_t first = begin, last = begin; first < end; first = last) {
    while (last < end && joints[last++] == 0) continue;
    copy_lists(source.lists(), first, last, batch_.lists, first + shift, copy_entries);
    // Those before the last of these lists have no joints.
    if (joints[last - 1] > 0)
      joints[last - 1] = make_places(batch_.lists, last - 1 + shift, joints[last - 1]);
  }
}

void BatchWriter::append_substituted(const PackedGraph& graph,
                                     std::span<const BlockRef> substitutes,
                                     std::span<const DirectedEdge> joints) {
  const BatchSource& source = graph.source;
  const std::int32_t count = source.num_blocks();
  SGOOD_ASSERT(static_cast<std::int32_t>(substitutes.size()) == count);
  grow(new_node_, idx(source.num_nodes() + kGroup) + 1);
  new_node_.front() = kNoNeighbor;
  std::int32_t* new_node = new_node_.data() + 1;
  std::int32_t node = batch_.num_nodes;
  auto entries = static_cast<std::int32_t>(8 * joints.size());
  for (std::int32_t b = 0; b < count; ++b) {
    const bool kept = !substitutes[idx(b)].graph;
    const auto [lender, block] = kept ? BlockRef{&graph, b} : substitutes[idx(b)];
    const NodeRange nodes = lender->source.nodes_of(block);
    const std::int32_t* row_ptr = lender->source.lists().row_ptr;
    entries += row_ptr[nodes.last] - row_ptr[nodes.first];
    number_nodes(source.nodes_of(b), node, kept, new_node);
    node += nodes.size();
  }
  const std::int32_t num_nodes = node - batch_.num_nodes;
  make_room(num_nodes, count, entries, source.num_super_entries());
  joints_of_.assign(idx(num_nodes), 0);
  for (const auto [u, v] : joints) {
    ++joints_of_[idx(u)];
    ++joints_of_[idx(v)];
  }

  node = batch_.num_nodes;
  for (std::int32_t b = 0; b < count;) {
    std::int32_t end = b + 1;
    if (substitutes[idx(b)].graph) {
      const auto [lender, block] = substitutes[idx(b)];
      const NodeRange nodes = lender->source.nodes_of(block);
      copy_joined(*lender, block, block + 1, node, b, inside(nodes, node - nodes.first));
      node += nodes.size();
    } else {
      while (end < count && !substitutes[idx(end)].graph) ++end;
      copy_joined(graph, b, end, node, b, by_map(new_node));
      node += source.block_ptr()[end] - source.block_ptr()[b];
    }
    b = end;
  }
  for (const auto [u, v] : joints) {
    const std::int32_t from = batch_.num_nodes + u, to = batch_.num_nodes + v;
    insert(batch_.lists, joints_of_[idx(u)], to);
    insert(batch_.lists, joints_of_[idx(v)], from);
  }
  append_super_graph(source);
  end_graph(num_nodes, count);
}

void BatchWriter::finish() {
  const std::size_t nodes = idx(batch_.num_nodes), blocks = idx(batch_.num_blocks);
  batch_.codes.resize(nodes * idx(batch_.code_columns));
  batch_.dense.resize(nodes * idx(batch_.num_dense));
  batch_.start.resize(nodes);
  batch_.block_ptr.resize(blocks + 1);
  batch_.graph_ptr.resize(idx(batch_.num_graphs) + 1);
  const auto trim = [](PaddedLists& lists, std::size_t rows) {
    lists.row_ptr.resize(rows + 1);
    lists.col.resize(idx(lists.row_ptr.back()));
  };
  trim(batch_.lists, nodes);
  trim(batch_.super_lists, blocks);
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

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sgood/graph/code_table.h"
#include "sgood/graph/feature_encoder.h"
#include "sgood/graph/graph.h"
#include "sgood/graph/partition.h"

namespace sgood {

/// An entry of a neighbour list that stands for nothing: the row of zeros before row 0.
inline constexpr std::int32_t kNoNeighbor = -1;

/// Neighbour lists in the form in which an engine adds up rows: each a multiple of four entries
/// long, with kNoNeighbor at its end, or anywhere after a view has dropped neighbours.
struct PaddedLists {
  std::vector<std::int32_t> row_ptr = {0};  ///< [rows + 1], multiples of four
  std::vector<std::int32_t> col;            ///< [row_ptr[rows]]
};

/// Room that a list of `length` entries takes.
constexpr std::int32_t padded_length(std::int32_t length) { return (length + 3) & ~3; }

/// The k-th sum over a complete block, as a row of a matrix: they stand before the row of zeros.
constexpr std::int32_t complete_row(std::int32_t k) { return kNoNeighbor - 1 - k; }

/// Nodes [first, last).
struct NodeRange {
  std::int32_t first;
  std::int32_t last;

  std::int32_t size() const { return last - first; }
};

/// Edges, blocks and super graph of one graph as batches are written from them. All of it lies side
/// by side in one array: training drives the graphs out of the caches, and every array for itself
/// would be waited for.
class BatchSource {
 public:
  /// PaddedLists that lie elsewhere.
  struct Lists {
    const std::int32_t* row_ptr;
    const std::int32_t* col;
  };

  /// Values that may be read after the last of any array.
  static constexpr std::int32_t kSlack = 8;

  BatchSource() = default;
  /// Edges within the blocks in `complete` must be in no list; for the arguments see below.
  BatchSource(std::span<const std::int32_t> block_ptr, const PaddedLists& lists,
              std::span<const std::int32_t> start, std::span<const std::int32_t> complete,
              const PaddedLists& super_lists);

  std::int32_t num_nodes() const { return num_nodes_; }
  std::int32_t num_blocks() const { return num_blocks_; }
  /// Entries of all lists with their padding.
  std::int32_t num_entries() const { return lists().row_ptr[num_nodes_]; }
  std::int32_t num_super_entries() const { return num_super_entries_; }

  const std::int32_t* block_ptr() const { return data_.data(); }  ///< [num_blocks + 1]
  /// The nodes of block `b`.
  NodeRange nodes_of(std::int32_t b) const { return {block_ptr()[b], block_ptr()[b + 1]}; }
  /// The block itself, then its neighbours.
  Lists super_lists() const { return {block_ptr() + num_blocks_ + 1, start() + num_nodes_}; }
  /// Neighbours, without edges inside complete blocks.
  Lists lists() const { return {lists_row_ptr(), complete().data() + num_complete_}; }
  /// [num_nodes] v; in the k-th complete block complete_row(k)
  const std::int32_t* start() const { return lists_row_ptr() + num_nodes_ + 1; }
  /// The complete blocks, ascending.
  std::span<const std::int32_t> complete() const {
    return {start() + num_nodes_ + num_super_entries_, static_cast<std::size_t>(num_complete_)};
  }
  /// All arrays, to ask for their memory.
  std::span<const std::int32_t> data() const { return data_; }

 private:
  const std::int32_t* lists_row_ptr() const { return block_ptr() + 2 * (num_blocks_ + 1); }

  /// Block starts, row_ptr of super_lists and of lists, start, col of super_lists, complete, col of
  /// lists, kSlack zeros.
  std::vector<std::int32_t> data_ = std::vector<std::int32_t>(3 + kSlack);
  std::int32_t num_nodes_ = 0;
  std::int32_t num_blocks_ = 0;
  std::int32_t num_super_entries_ = 0;
  std::int32_t num_complete_ = 0;
};

/// One graph in the order in which the network reads it: nodes substructure by substructure, so
/// that pooling is a sum over a contiguous segment and dropping a substructure moves one block.
struct PackedGraph {
  std::vector<std::int32_t> codes;  ///< [num_nodes, code_columns]
  std::vector<float> dense;         ///< [num_nodes, num_dense]
  /// The rest for writing batches, made by prepare_source(). A block of at least four nodes of
  /// which each is joined to each other is complete: its edges are in no list, because the sum over
  /// a node and its neighbours starts from the sum over the whole block.
  BatchSource source;
  std::vector<std::int32_t> node;           ///< [num_nodes] index of each packed node in the Graph.
  std::vector<std::int32_t> row_ptr = {0};  ///< [num_nodes + 1]
  std::vector<std::int32_t> col;            ///< Neighbours as packed indices, ascending.
  std::vector<std::int32_t> block_ptr = {0};  ///< [num_blocks + 1] first packed node of each block.
  std::vector<std::int32_t> super_row_ptr = {0};  ///< [num_blocks + 1]
  std::vector<std::int32_t> super_col;  ///< Neighbouring blocks, ascending, no self-loops.
  std::optional<std::int32_t> label;    ///< Class of the graph.

  /// To be called after any change of edges or blocks.
  void prepare_source();

  std::int32_t num_nodes() const { return static_cast<std::int32_t>(node.size()); }
  std::int32_t num_blocks() const { return static_cast<std::int32_t>(block_ptr.size()) - 1; }
  /// The nodes of block `b`.
  NodeRange nodes_of(std::int32_t b) const {
    const auto at = static_cast<std::size_t>(b);
    return {block_ptr[at], block_ptr[at + 1]};
  }
};

/// Packs `graph`. `order` [num_nodes] lists the nodes in canonical (or input) order; blocks follow
/// the order of their first node, nodes of a block keep `order`. The result depends on the graph
/// and on `order`, not on how `partition` numbers its blocks.
PackedGraph pack_graph(const Graph& graph, const Partition& partition,
                       std::span<const std::int32_t> order, const NodeInput& input);

/// A batch of graphs as flat arrays: what an engine reads. Nodes of a graph are contiguous, and so
/// are its blocks. With x[-1] = 0 and x[complete_row(k)] the sum over the k-th complete block, the
/// sum of x over node v and its neighbours is x[start[v]] plus x over the list of v.
struct PackedBatch {
  std::int32_t num_graphs = 0;
  std::int32_t num_blocks = 0;
  std::int32_t num_nodes = 0;
  std::int32_t code_columns = 0;
  std::int32_t num_dense = 0;
  bool super_self_loops = true;  ///< Super lists hold the block itself, as the paper says.

  std::vector<std::int32_t> codes;        ///< [num_nodes, code_columns]
  const CodeTable* code_table = nullptr;  ///< When set: what the one column of `codes` points to.
  std::vector<float> dense;               ///< [num_nodes, num_dense]
  PaddedLists lists;                      ///< Neighbours, without edges inside complete blocks.
  std::vector<std::int32_t> start;        ///< [num_nodes]
  std::vector<std::int32_t> complete;     ///< The complete blocks, ascending.
  std::vector<std::int32_t> block_ptr;    ///< [num_blocks + 1] first node of each block
  PaddedLists super_lists;                ///< Neighbours of blocks, no sums.
  std::vector<std::int32_t> graph_ptr;    ///< [num_graphs + 1] first block of each graph

  /// Neighbours of node `v`, ascending: what the lists mean, for those who are in no hurry.
  std::vector<std::int32_t> neighbors(std::int32_t v) const;
  /// The list of block `b` without padding, ascending; holds `b` itself with super_self_loops.
  std::vector<std::int32_t> super_neighbors(std::int32_t b) const;
  /// [num_nodes] number of neighbours
  std::vector<std::int32_t> degrees() const;
  /// [num_blocks] length of super_neighbors()
  std::vector<std::int32_t> super_degrees() const;

  /// Code columns that a network reads.
  std::int32_t input_columns() const {
    return code_table != nullptr ? code_table->columns : code_columns;
  }
  /// First node of graph `g` (g in [0, num_graphs]).
  std::int32_t graph_node(std::int32_t g) const {
    return block_ptr[static_cast<std::size_t>(graph_ptr[static_cast<std::size_t>(g)])];
  }
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sgood/graph/code_table.h"
#include "sgood/graph/feature_encoder.h"
#include "sgood/graph/graph.h"
#include "sgood/graph/partition.h"

namespace sgood {

/// One graph in the order in which the network reads it: nodes substructure by substructure, so
/// that pooling is a sum over a contiguous segment and dropping a substructure moves one block.
struct PackedGraph {
  std::vector<std::int32_t> node;           ///< [num_nodes] index of each packed node in the Graph.
  std::vector<std::int32_t> codes;          ///< [num_nodes, code_columns]
  std::vector<float> dense;                 ///< [num_nodes, num_dense]
  std::vector<std::int32_t> row_ptr = {0};  ///< [num_nodes + 1]
  std::vector<std::int32_t> col;            ///< Neighbours as packed indices, ascending.
  std::vector<std::int32_t> block_ptr = {0};  ///< [num_blocks + 1] first packed node of each block.
  std::vector<std::int32_t> super_row_ptr = {0};  ///< [num_blocks + 1]
  std::vector<std::int32_t> super_col;  ///< Neighbouring blocks, ascending, no self-loops.
  std::optional<std::int32_t> label;    ///< Class of the graph.

  std::int32_t num_nodes() const { return static_cast<std::int32_t>(node.size()); }
  std::int32_t num_blocks() const { return static_cast<std::int32_t>(block_ptr.size()) - 1; }
};

/// Packs `graph`. `order` [num_nodes] lists the nodes in canonical (or input) order; blocks follow
/// the order of their first node, nodes of a block keep `order`. The result depends on the graph
/// and on `order`, not on how `partition` numbers its blocks.
PackedGraph pack_graph(const Graph& graph, const Partition& partition,
                       std::span<const std::int32_t> order, const NodeInput& input);

/// A batch of graphs as flat arrays: what an engine reads. Nodes of a graph are contiguous, and so
/// are its blocks. Every neighbour list is padded to a multiple of four entries; a padding entry is
/// `num_nodes` (`num_blocks` in the super graph), the index of a row of zeros that engines append.
struct PackedBatch {
  std::int32_t num_graphs = 0;
  std::int32_t num_blocks = 0;
  std::int32_t num_nodes = 0;
  std::int32_t code_columns = 0;
  std::int32_t num_dense = 0;
  bool super_self_loops = true;  ///< Super lists hold the block itself, as the paper says.

  std::vector<std::int32_t> codes;          ///< [num_nodes, code_columns]
  const CodeTable* code_table = nullptr;    ///< When set: what the one column of `codes` points to.
  std::vector<float> dense;                 ///< [num_nodes, num_dense]
  std::vector<std::int32_t> row_ptr;        ///< [num_nodes + 1], multiples of four
  std::vector<std::int32_t> col;            ///< [row_ptr[num_nodes]]
  std::vector<std::int32_t> degree;         ///< [num_nodes] entries of each list without padding
  std::vector<std::int32_t> block_ptr;      ///< [num_blocks + 1] first node of each block
  std::vector<std::int32_t> super_row_ptr;  ///< [num_blocks + 1], multiples of four
  std::vector<std::int32_t> super_col;      ///< [super_row_ptr[num_blocks]]
  std::vector<std::int32_t> super_degree;  ///< [num_blocks] entries without padding, with self-loop
  std::vector<std::int32_t> graph_ptr;     ///< [num_graphs + 1] first block of each graph

  /// Code columns that a network reads.
  std::int32_t input_columns() const {
    return code_table != nullptr ? code_table->columns : code_columns;
  }
  /// First node of graph `g` (g in [0, num_graphs]).
  std::int32_t graph_node(std::int32_t g) const {
    return block_ptr[static_cast<std::size_t>(graph_ptr[static_cast<std::size_t>(g)])];
  }
};

/// A block of a graph that lives elsewhere; no graph means "none".
struct BlockRef {
  const PackedGraph* graph = nullptr;
  std::int32_t block = 0;
};

/// One direction of an edge between nodes of a graph that is being written.
struct DirectedEdge {
  std::int32_t from = 0;
  std::int32_t to = 0;

  auto operator<=>(const DirectedEdge&) const = default;
};

/// Memory for drawing views, kept from view to view.
struct ViewScratch {
  std::vector<char> blocks_kept;                        ///< By SD and SG.
  std::vector<std::int32_t> stack;                      ///< By SG.
  std::vector<std::int32_t> leaves, block_start, ends;  ///< By SS, as the rest.
  std::vector<BlockRef> substitutes;
  std::vector<DirectedEdge> edges, joints;
};

class ListWriter;

/// Writes a PackedBatch graph by graph, reusing the batch's memory. The one way in which batches
/// are made: plain ones by append(), augmented ones by the views of `augment/`.
class BatchWriter {
 public:
  /// `batch` must outlive the writer, and may be read after finish() only.
  BatchWriter(PackedBatch& batch, std::int32_t code_columns, std::int32_t num_dense,
              bool super_self_loops);

  /// Appends a whole graph.
  void append(const PackedGraph& graph);
  /// Appends the sub-graph induced by the blocks with `keep[block]` true, [num_blocks]; at least
  /// one.
  void append_blocks(const PackedGraph& graph, std::span<const char> keep);
  /// Appends `graph` with each block b that has a `substitutes[b]`, [num_blocks], replaced by it.
  /// Edges of replaced nodes are lost; `joints` replace those between blocks: each given once
  /// (either direction), in any order, nodes numbered as in the result. The super graph stays, so
  /// every super edge needs an edge.
  void append_substituted(const PackedGraph& graph, std::span<const BlockRef> substitutes,
                          std::span<const DirectedEdge> joints);

  /// Completes the batch; call once, after the last graph.
  void finish();

  /// For views to use as they like.
  ViewScratch& scratch() { return scratch_; }

 private:
  /// Makes room for so many more; entries without self-loops and padding.
  void make_room(std::int32_t nodes, std::int32_t blocks, std::int32_t entries,
                 std::int32_t super_entries);
  /// Copies the features of nodes [first, last) of `graph` to node `to` of the batch.
  void copy_features(const PackedGraph& graph, std::int32_t first, std::int32_t last,
                     std::int32_t to);
  /// Copies blocks [first_block, last_block), which stay side by side.
  void copy_blocks(const PackedGraph& graph, std::int32_t first_block, std::int32_t last_block,
                   ListWriter& nodes, ListWriter& blocks);
  void append_super_graph(const PackedGraph& graph);
  void end_graph(std::int32_t num_nodes, std::int32_t num_blocks);

  PackedBatch& batch_;
  ViewScratch scratch_;
  std::vector<std::int32_t> new_node_;  // scratch: index in the batch of each node, -1 when dropped
  std::vector<std::int32_t> new_block_;  // scratch: the same for blocks
  std::vector<std::int32_t> joints_of_;  // scratch: number of joints of each node of a view
};

/// A plain batch of the graphs at `positions` of `graphs`.
PackedBatch pack_batch(std::span<const PackedGraph> graphs, std::span<const std::int32_t> positions,
                       std::int32_t code_columns, std::int32_t num_dense, bool super_self_loops);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sgood/graph/feature_encoder.h"
#include "sgood/graph/graph.h"
#include "sgood/graph/partition.h"

namespace sgood {

/// One graph in the order in which the network reads it: nodes substructure by substructure, so that
/// pooling is a sum over a contiguous segment and dropping a substructure moves one block.
struct PackedGraph {
  std::vector<std::int32_t> node;            ///< [num_nodes] index of each packed node in the Graph.
  std::vector<std::int32_t> codes;           ///< [num_nodes, code_columns]
  std::vector<float> dense;                  ///< [num_nodes, num_dense]
  std::vector<std::int32_t> row_ptr = {0};   ///< [num_nodes + 1]
  std::vector<std::int32_t> col;             ///< Neighbours as packed indices, ascending.
  std::vector<std::int32_t> block_ptr = {0}; ///< [num_blocks + 1] first packed node of each block.
  std::vector<std::int32_t> super_row_ptr = {0};  ///< [num_blocks + 1]
  std::vector<std::int32_t> super_col;       ///< Neighbouring blocks, ascending, no self-loops.
  std::optional<std::int32_t> label;         ///< Class of the graph.

  std::int32_t num_nodes() const { return static_cast<std::int32_t>(node.size()); }
  std::int32_t num_blocks() const { return static_cast<std::int32_t>(block_ptr.size()) - 1; }
};

/// Packs `graph`. `order` [num_nodes] lists the nodes in canonical (or input) order; blocks follow
/// the order of their first node, nodes of a block keep `order`. The result depends on the graph and
/// on `order`, not on how `partition` numbers its blocks.
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
  bool super_self_loops = true;              ///< Super lists hold the block itself, as the paper says.

  std::vector<std::int32_t> codes;           ///< [num_nodes, code_columns]
  std::vector<float> dense;                  ///< [num_nodes, num_dense]
  std::vector<std::int32_t> row_ptr;         ///< [num_nodes + 1], multiples of four
  std::vector<std::int32_t> col;             ///< [row_ptr[num_nodes]]
  std::vector<std::int32_t> degree;          ///< [num_nodes] entries of each list without padding
  std::vector<std::int32_t> block_ptr;       ///< [num_blocks + 1] first node of each block
  std::vector<std::int32_t> super_row_ptr;   ///< [num_blocks + 1], multiples of four
  std::vector<std::int32_t> super_col;       ///< [super_row_ptr[num_blocks]]
  std::vector<std::int32_t> super_degree;    ///< [num_blocks] entries without padding, with self-loop
  std::vector<std::int32_t> graph_ptr;       ///< [num_graphs + 1] first block of each graph

  /// First node of graph `g` (g in [0, num_graphs]).
  std::int32_t graph_node(std::int32_t g) const {
    return block_ptr[static_cast<std::size_t>(graph_ptr[static_cast<std::size_t>(g)])];
  }
};

/// Writes a PackedBatch graph by graph, block by block, reusing the batch's memory. The one way in
/// which batches are made: plain ones by append(), augmented ones by the views of `augment/`.
class BatchWriter {
 public:
  BatchWriter(PackedBatch& batch, std::int32_t code_columns, std::int32_t num_dense,
              bool super_self_loops);

  /// Appends a whole graph.
  void append(const PackedGraph& graph);
  /// Appends the sub-graph induced by the blocks with `keep[block]` true, [num_blocks]; at least one.
  void append_blocks(const PackedGraph& graph, std::span<const char> keep);

  // For views that also change structure: nodes and lists are given by the caller.
  /// Starts a graph; blocks and nodes appended from here on belong to it.
  void begin_graph();
  /// Starts a block of the current graph.
  void begin_block();
  /// Appends a node to the current block. `neighbors` are indices within the current graph.
  void add_node(std::span<const std::int32_t> codes, std::span<const float> dense,
                std::span<const std::int32_t> neighbors);
  /// Ends the graph: `super_neighbors[b]` are the blocks of this graph adjacent to its block b.
  void end_graph(std::span<const std::vector<std::int32_t>> super_neighbors);

  /// Sets the padding entries; call once, after the last graph.
  void finish();

 private:
  PackedBatch& batch_;
  std::int32_t first_node_ = 0;
  std::int32_t first_block_ = 0;
};

/// A plain batch of the graphs at `positions` of `graphs`.
PackedBatch pack_batch(std::span<const PackedGraph> graphs, std::span<const std::int32_t> positions,
                       std::int32_t code_columns, std::int32_t num_dense, bool super_self_loops);

}  // namespace sgood

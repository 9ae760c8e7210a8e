// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "sgood/graph/packed_graph.h"

namespace sgood {

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
  std::vector<char> blocks_kept;                               ///< By SD and SG.
  std::vector<std::int32_t> stack;                             ///< By SG.
  std::vector<std::int32_t> leaves, sizes, block_start, ends;  ///< By SS, as the rest.
  std::vector<BlockRef> substitutes;
  std::vector<DirectedEdge> edges, joints;
};

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
  /// Makes room for so many more; entries of lists with their padding.
  void make_room(std::int32_t nodes, std::int32_t blocks, std::int32_t entries,
                 std::int32_t super_entries);
  /// Copies features and starts of blocks [first_block, last_block) of `graph` to `to_node` and
  /// `to_block` on.
  void copy_nodes(const PackedGraph& graph, std::int32_t first_block, std::int32_t last_block,
                  std::int32_t to_node, std::int32_t to_block);
  /// copy_nodes() with block_ptr and the lists of a graph with joints; `to_block` counts from its
  /// first block. For `copy_entries` see the .cpp.
  template <typename Copy>
  void copy_joined(const PackedGraph& graph, std::int32_t first_block, std::int32_t last_block,
                   std::int32_t to_node, std::int32_t to_block, Copy copy_entries);
  void append_super_graph(const BatchSource& source);
  void end_graph(std::int32_t num_nodes, std::int32_t num_blocks);

  PackedBatch& batch_;
  ViewScratch scratch_;
  // Scratch: index in the batch of each node and block, or kNoNeighbor; those of node and block v
  // stand at v + 1, because kNoNeighbor is mapped too.
  std::vector<std::int32_t> new_node_, new_block_;
  // Scratch, of each node of a view: its number of joints, then, if it has any, where in the
  // batch's lists to look for a place for the next.
  std::vector<std::int32_t> joints_of_;
};

/// A plain batch of the graphs at `positions` of `graphs`.
PackedBatch pack_batch(std::span<const PackedGraph> graphs, std::span<const std::int32_t> positions,
                       std::int32_t code_columns, std::int32_t num_dense, bool super_self_loops);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sgood/graph/graph_set.h"
#include "sgood/graph/wl_colours.h"
#include "sgood/io/safetensors.h"

namespace sgood {

/// Which labels start the colours, settled by the training graphs.
struct BlockLabels {
  std::int32_t needed_columns = 0;         ///< Node columns of every graph; 0: none are read.
  std::vector<std::int32_t> node_columns;  ///< Those that are read; the first is the "element".
  bool edges = false;                      ///< Whether the first edge label is read.
};

/// `columns` is "all", "first", "none", "no-chirality" (all but the column of that name), or
/// positions and ranges such as "0,2-8". Throws InvalidArgument for anything else, and for
/// positions that the training graphs do not have.
BlockLabels choose_block_labels(const GraphSet& train, const std::string& columns,
                                bool edge_labels);

/// As tensors and entries called `density.*`.
void store(TensorFile& file, const BlockLabels& labels);
BlockLabels stored_block_labels(const TensorFile& file);

/// A multiset of colours of one depth.
struct Block {
  bool core = false;      ///< Of the 2-core, else of the whole graph.
  bool elements = false;  ///< Colours start with the first column alone and know no edge labels.
  int depth = 0;
};

/// "2-core, elements, depth 1".
std::string block_name(const Block& block);

/// The blocks of a graph.
struct GraphColours {
  std::vector<std::int32_t> core;                   ///< Nodes of the 2-core, ascending.
  std::vector<std::vector<std::uint64_t>> colours;  ///< [blocks]: of all nodes, or of `core`.
};

/// Turns graphs into multisets of colours.
class GraphBlocks {
 public:
  GraphBlocks() = default;
  GraphBlocks(BlockLabels labels, int depth, bool whole, bool core);

  /// Whole graph by depth, 2-core elements by depth, 2-core with all labels by depth. Where
  /// elements are all labels there are no blocks of elements.
  const std::vector<Block>& blocks() const { return blocks_; }
  const BlockLabels& labels() const { return labels_; }

  /// Throws InvalidArgument that names the graph when it lacks labels that are read.
  GraphColours colours(const Graph& graph) const;
  /// [blocks]
  std::vector<std::vector<ColourCount>> counts(const Graph& graph) const;

 private:
  BlockLabels labels_;
  int depth_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace sgood

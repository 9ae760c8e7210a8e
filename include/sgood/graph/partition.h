// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sgood/graph/graph.h"

namespace sgood {

/// Disjoint groups of nodes that cover a graph. Blocks are numbered 0 .. num_blocks-1 without gaps.
/// Paper: Section 3.1, properties (i) and (ii); (iii), connectedness, depends on the graph and is
/// checked by blocks_connected().
class Partition {
 public:
  Partition() = default;
  /// `block` [num_nodes] holds the block of each node. Throws InvalidArgument unless the values are
  /// exactly 0 .. k-1.
  explicit Partition(std::vector<std::int32_t> block);

  std::int32_t num_nodes() const { return static_cast<std::int32_t>(block_.size()); }
  std::int32_t num_blocks() const { return num_blocks_; }
  std::int32_t block(std::int32_t v) const { return block_[static_cast<std::size_t>(v)]; }
  std::span<const std::int32_t> blocks() const { return block_; }
  /// Nodes of each block, ascending, [num_blocks].
  std::vector<std::vector<std::int32_t>> members() const;

  /// Every node a block of its own.
  static Partition singletons(std::int32_t num_nodes);

  bool operator==(const Partition&) const = default;

 private:
  std::vector<std::int32_t> block_;
  std::int32_t num_blocks_ = 0;
};

/// The largest connected sets of nodes with equal values in `group` [num_nodes], numbered by their
/// first nodes.
Partition connected_parts(const Graph& graph, std::span<const std::int32_t> group);

/// True when every block induces a connected subgraph of `graph`.
bool blocks_connected(const Graph& graph, const Partition& partition);

}  // namespace sgood

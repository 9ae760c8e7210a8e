// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sgood/graph/graph.h"

namespace sgood {

/// Nodes in an ordered list of cells that colour refinement splits further and further. A cell is
/// named by the position of its first node. Splits depend on the cells and on the graph, never on
/// how its nodes are numbered, and can be undone.
class Refinement {
 public:
  /// What refine() does once every cell is a singleton.
  enum class WhenDiscrete { kStop, kFinishTrace };

  /// Starts from colours: `order` [num_nodes] lists the nodes by ascending colour and `first[i]` is
  /// true when the node at position i opens a new one. Nodes of one colour must have equal degrees.
  Refinement(const Graph& graph, std::vector<std::int32_t> order, std::span<const char> first);

  std::int32_t cell_size(std::int32_t cell) const { return size_[idx(cell)]; }
  std::int32_t cell_of(std::int32_t node) const { return cell_[idx(node)]; }
  std::span<const std::int32_t> nodes(std::int32_t cell) const {
    return {order_.data() + cell, idx(size_[idx(cell)])};
  }
  /// All nodes, cell by cell.
  const std::vector<std::int32_t>& order() const { return order_; }
  /// Neighbours looked at so far.
  std::int64_t visits() const { return visits_; }

  /// Makes `node` a singleton behind the rest of its cell.
  void individualize(std::int32_t node);
  /// Splits cells until the nodes of each have equally many neighbours in every cell. Returns the
  /// trace: equal for nodes that an automorphism exchanges.
  std::uint64_t refine(WhenDiscrete when_discrete);

  /// A state to come back to with undo(), taken when nothing waits for refine().
  std::size_t mark() const { return splits_.size(); }
  void undo(std::size_t mark);

 private:
  static std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }
  void push(std::int32_t cell);
  void place(std::int32_t node, std::int32_t position);
  void split(std::int32_t cell, std::int32_t first);
  void count_neighbors(std::int32_t splitter);
  void collect_touched(std::uint64_t& trace);
  void split_by_count(std::int32_t cell, std::uint64_t& trace);

  const Graph& graph_;
  std::vector<std::int32_t> order_;     // node at each position
  std::vector<std::int32_t> position_;  // of each node
  std::vector<std::int32_t> cell_;      // of each node
  std::vector<std::int32_t> size_;      // of each cell, at its first position
  std::vector<std::int32_t> splits_;    // cells in the order in which they were split off
  std::int32_t num_cells_ = 0;
  std::int64_t visits_ = 0;

  std::vector<std::int32_t> queue_;  // cells that still have to split others
  std::size_t head_ = 0;
  std::vector<char> queued_;  // by cell

  std::vector<std::int32_t> count_;        // neighbours of each node in the splitter; 0 in between
  std::vector<std::int32_t> touched_;      // nodes with count > 0
  std::vector<std::int32_t> num_touched_;  // by cell; 0 in between
  std::vector<std::int32_t> touched_cells_;  // shared cells with touched nodes
};

}  // namespace sgood

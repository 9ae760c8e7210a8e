// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sgood {

/// Divisions of a graph that only its reader can find, because they take more than the graph.
enum class Fragmentation {
  kNone,
  kBrics,  ///< Molecules, cut at the bonds that BRICS breaks (Degen et al., 2008).
};

/// An immutable, simple, undirected graph with categorical node labels, real node attributes and
/// categorical edge labels (each optional). Made by GraphBuilder only, so every instance is valid:
/// no self-loops, no double edges, neighbours ascending, all numbers finite.
class Graph {
 public:
  /// The graph without nodes.
  Graph() = default;

  std::int32_t num_nodes() const { return static_cast<std::int32_t>(row_ptr_.size()) - 1; }
  /// Undirected edges, each counted once.
  std::int32_t num_edges() const { return static_cast<std::int32_t>(col_.size() / 2); }
  std::int32_t degree(std::int32_t v) const { return row_ptr_[idx(v) + 1] - row_ptr_[idx(v)]; }
  /// Neighbours of `v`, ascending.
  std::span<const std::int32_t> neighbors(std::int32_t v) const {
    return {col_.data() + row_ptr_[idx(v)], static_cast<std::size_t>(degree(v))};
  }
  bool has_edge(std::int32_t u, std::int32_t v) const;

  /// Compressed sparse rows: [num_nodes + 1] and [2 * num_edges]; both directions are stored.
  std::span<const std::int32_t> row_ptr() const { return row_ptr_; }
  std::span<const std::int32_t> col() const { return col_; }

  /// Categorical columns per node, e.g. 1 for TU node labels, 9 for molecules; 0 when there are
  /// none.
  std::int32_t num_label_columns() const { return num_label_columns_; }
  /// Raw values of node `v`, [num_label_columns].
  std::span<const std::int32_t> node_labels(std::int32_t v) const {
    const auto k = static_cast<std::size_t>(num_label_columns_);
    return {node_labels_.data() + idx(v) * k, k};
  }

  /// Real columns per node; 0 when there are none.
  std::int32_t num_attributes() const { return num_attributes_; }
  /// Attributes of node `v`, [num_attributes].
  std::span<const float> node_attributes(std::int32_t v) const {
    const auto k = static_cast<std::size_t>(num_attributes_);
    return {node_attributes_.data() + idx(v) * k, k};
  }

  /// Categorical columns per edge; 0 when there are none.
  std::int32_t num_edge_columns() const { return num_edge_columns_; }
  /// Labels of the edge at position `e` of col(), [num_edge_columns]; equal in both directions.
  std::span<const std::int32_t> edge_labels(std::int32_t e) const {
    const auto k = static_cast<std::size_t>(num_edge_columns_);
    return {edge_labels_.data() + idx(e) * k, k};
  }

  /// Fragment of each node, [num_nodes], as the reader found it; empty when it was not asked to.
  std::span<const std::int32_t> fragments() const { return fragments_; }

  /// The input's own name for the graph, or its 0-based row as text.
  const std::string& id() const { return id_; }
  /// 0-based row of the input that the graph came from.
  std::int64_t row() const { return row_; }
  /// Class index into GraphSet::class_names, if the graph is labelled.
  std::optional<std::int32_t> label() const { return label_; }

  /// The same graph with another (or no) class.
  Graph with_label(std::optional<std::int32_t> label) const;
  /// The same graph with other categorical columns, row-major [num_nodes, columns].
  Graph with_node_labels(std::vector<std::int32_t> labels, std::int32_t columns) const;
  /// The same graph with node v renamed to new_index[v]; `new_index` is a permutation [num_nodes].
  Graph relabelled(std::span<const std::int32_t> new_index) const;

 private:
  friend class GraphBuilder;
  static std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

  std::vector<std::int32_t> row_ptr_ = {0};
  std::vector<std::int32_t> col_;
  std::vector<std::int32_t> node_labels_;
  std::vector<float> node_attributes_;
  std::vector<std::int32_t> edge_labels_;
  std::vector<std::int32_t> fragments_;
  std::int32_t num_label_columns_ = 0;
  std::int32_t num_attributes_ = 0;
  std::int32_t num_edge_columns_ = 0;
  std::string id_;
  std::int64_t row_ = 0;
  std::optional<std::int32_t> label_;
};

}  // namespace sgood

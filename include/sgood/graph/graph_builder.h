// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sgood/graph/graph.h"

namespace sgood {

/// The only way to make a Graph. Self-loops are dropped and repeated edges merged (the first one's
/// labels are kept); both are counted, so a reader can tell its user.
class GraphBuilder {
 public:
  /// A graph of `num_nodes` >= 0 nodes, numbered from 0.
  explicit GraphBuilder(std::int32_t num_nodes);

  /// Adds the undirected edge {u, v}; one direction is enough. `labels` is the same length for
  /// every edge. Throws InvalidArgument unless u and v are in [0, num_nodes).
  GraphBuilder& add_edge(std::int32_t u, std::int32_t v, std::span<const std::int32_t> labels = {});
  /// Sets the categorical columns of all nodes, row-major [num_nodes, columns].
  GraphBuilder& set_node_labels(std::vector<std::int32_t> labels, std::int32_t columns);
  /// Sets the real columns of all nodes, row-major [num_nodes, columns]; all finite.
  GraphBuilder& set_node_attributes(std::vector<float> attributes, std::int32_t columns);
  /// Sets the fragment of every node, [num_nodes]; any numbers.
  GraphBuilder& set_fragments(std::vector<std::int32_t> fragments);
  GraphBuilder& set_id(std::string id);
  GraphBuilder& set_row(std::int64_t row);
  GraphBuilder& set_label(std::optional<std::int32_t> label);

  /// The finished graph; the builder is empty afterwards.
  Graph build();

  /// After build(): edges {v, v} that were dropped.
  std::int64_t dropped_self_loops() const { return dropped_self_loops_; }
  /// After build(): repetitions of an edge that were merged (either direction).
  std::int64_t merged_edges() const { return merged_edges_; }

 private:
  struct Edge {
    std::int32_t u, v;
    std::int32_t order;  // position among the added edges, so that the first one's labels win
  };
  std::int32_t num_nodes_;
  std::vector<Edge> edges_;
  std::vector<std::int32_t> edge_labels_;
  Graph graph_;
  std::int64_t dropped_self_loops_ = 0;
  std::int64_t merged_edges_ = 0;
};

}  // namespace sgood

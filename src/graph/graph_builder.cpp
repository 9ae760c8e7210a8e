// SPDX-License-Identifier: MIT
#include "sgood/graph/graph_builder.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "sgood/core/error.h"

namespace sgood {

GraphBuilder::GraphBuilder(std::int32_t num_nodes) : num_nodes_(num_nodes) {
  SGOOD_CHECK(num_nodes >= 0, "num_nodes is {} but must be at least 0", num_nodes);
}

GraphBuilder& GraphBuilder::add_edge(std::int32_t u, std::int32_t v,
                                     std::span<const std::int32_t> labels) {
  for (const std::int32_t end : {u, v})
    SGOOD_CHECK(end >= 0 && end < num_nodes_, "edge ({}, {}): node {} is not in [0, {})", u, v, end,
                num_nodes_);
  const auto columns = static_cast<std::int32_t>(labels.size());
  if (edges_.empty()) graph_.num_edge_columns_ = columns;
  SGOOD_CHECK(columns == graph_.num_edge_columns_,
              "edge ({}, {}) has {} labels but the first edge has {}", u, v, columns,
              graph_.num_edge_columns_);
  edges_.push_back({std::min(u, v), std::max(u, v), static_cast<std::int32_t>(edges_.size())});
  edge_labels_.insert(edge_labels_.end(), labels.begin(), labels.end());
  return *this;
}

GraphBuilder& GraphBuilder::set_node_labels(std::vector<std::int32_t> labels,
                                            std::int32_t columns) {
  SGOOD_CHECK(columns >= 0 && labels.size() == static_cast<std::size_t>(num_nodes_) *
                                                   static_cast<std::size_t>(columns),
              "node_labels has {} values but {} nodes x {} columns are needed", labels.size(),
              num_nodes_, columns);
  graph_.node_labels_ = std::move(labels);
  graph_.num_label_columns_ = columns;
  return *this;
}

GraphBuilder& GraphBuilder::set_node_attributes(std::vector<float> attributes,
                                                std::int32_t columns) {
  SGOOD_CHECK(columns >= 0 && attributes.size() == static_cast<std::size_t>(num_nodes_) *
                                                       static_cast<std::size_t>(columns),
              "node_attributes has {} values but {} nodes x {} columns are needed",
              attributes.size(), num_nodes_, columns);
  for (std::size_t i = 0; i < attributes.size(); ++i)
    SGOOD_CHECK(std::isfinite(attributes[i]),
                "attribute {} of node {} is {} but must be a finite number",
                i % static_cast<std::size_t>(columns), i / static_cast<std::size_t>(columns),
                attributes[i]);
  graph_.node_attributes_ = std::move(attributes);
  graph_.num_attributes_ = columns;
  return *this;
}

GraphBuilder& GraphBuilder::set_fragments(std::vector<std::int32_t> fragments) {
  SGOOD_CHECK(fragments.size() == static_cast<std::size_t>(num_nodes_),
              "fragments has {} values but {} nodes need one each", fragments.size(), num_nodes_);
  graph_.fragments_ = std::move(fragments);
  return *this;
}

GraphBuilder& GraphBuilder::set_id(std::string id) {
  graph_.id_ = std::move(id);
  return *this;
}

GraphBuilder& GraphBuilder::set_row(std::int64_t row) {
  graph_.row_ = row;
  return *this;
}

GraphBuilder& GraphBuilder::set_label(std::optional<std::int32_t> label) {
  graph_.label_ = label;
  return *this;
}

Graph GraphBuilder::build() {
  const auto total = edges_.size();
  std::erase_if(edges_, [](const Edge& e) { return e.u == e.v; });
  dropped_self_loops_ = static_cast<std::int64_t>(total - edges_.size());
  std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
    return std::tie(a.u, a.v, a.order) < std::tie(b.u, b.v, b.order);
  });
  const auto last = std::unique(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
    return a.u == b.u && a.v == b.v;
  });
  merged_edges_ = std::distance(last, edges_.end());
  edges_.erase(last, edges_.end());

  const auto n = static_cast<std::size_t>(num_nodes_);
  const auto columns = static_cast<std::size_t>(graph_.num_edge_columns_);
  graph_.row_ptr_.assign(n + 1, 0);
  for (const Edge& e : edges_) {
    ++graph_.row_ptr_[static_cast<std::size_t>(e.u) + 1];
    ++graph_.row_ptr_[static_cast<std::size_t>(e.v) + 1];
  }
  for (std::size_t v = 0; v < n; ++v) graph_.row_ptr_[v + 1] += graph_.row_ptr_[v];
  graph_.col_.resize(2 * edges_.size());
  graph_.edge_labels_.resize(graph_.col_.size() * columns);
  std::vector<std::int32_t> next(graph_.row_ptr_.begin(), graph_.row_ptr_.end() - 1);
  auto put = [&](std::int32_t from, std::int32_t to, std::int32_t order) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++);
    graph_.col_[at] = to;
    std::copy_n(edge_labels_.begin() +
                    static_cast<std::ptrdiff_t>(static_cast<std::size_t>(order) * columns),
                columns, graph_.edge_labels_.begin() + static_cast<std::ptrdiff_t>(at * columns));
  };
  // Lower ends first, then upper ends: with the edges sorted, each list comes out ascending.
  for (const Edge& e : edges_) put(e.v, e.u, e.order);
  for (const Edge& e : edges_) put(e.u, e.v, e.order);

  edges_.clear();
  edge_labels_.clear();
  num_nodes_ = 0;
  return std::exchange(graph_, Graph());
}

}  // namespace sgood

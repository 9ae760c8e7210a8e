// SPDX-License-Identifier: MIT
#include "sgood/graph/graph.h"

#include <algorithm>

#include "sgood/core/error.h"
#include "sgood/graph/graph_builder.h"

namespace sgood {

bool Graph::has_edge(std::int32_t u, std::int32_t v) const {
  const auto list = neighbors(u);
  return std::binary_search(list.begin(), list.end(), v);
}

Graph Graph::with_label(std::optional<std::int32_t> label) const {
  Graph copy = *this;
  copy.label_ = label;
  return copy;
}

Graph Graph::with_node_labels(std::vector<std::int32_t> labels, std::int32_t columns) const {
  SGOOD_CHECK(columns >= 0 && labels.size() == idx(num_nodes()) * idx(columns),
              "node_labels has {} values but {} nodes x {} columns are needed", labels.size(),
              num_nodes(), columns);
  Graph copy = *this;
  copy.node_labels_ = std::move(labels);
  copy.num_label_columns_ = columns;
  return copy;
}

Graph Graph::relabelled(std::span<const std::int32_t> new_index) const {
  SGOOD_CHECK(static_cast<std::int32_t>(new_index.size()) == num_nodes(),
              "new_index has {} entries but the graph has {} nodes", new_index.size(), num_nodes());
  std::vector<std::int32_t> old_index(new_index.size(), -1);
  for (std::int32_t v = 0; v < num_nodes(); ++v) {
    const std::int32_t to = new_index[idx(v)];
    SGOOD_CHECK(to >= 0 && to < num_nodes() && old_index[idx(to)] < 0,
                "new_index is not a permutation: entry {} is {}", v, to);
    old_index[idx(to)] = v;
  }
  GraphBuilder builder(num_nodes());
  std::vector<std::int32_t> labels;
  std::vector<float> attributes;
  for (std::int32_t v = 0; v < num_nodes(); ++v) {
    const auto row = node_labels(old_index[idx(v)]);
    labels.insert(labels.end(), row.begin(), row.end());
    const auto reals = node_attributes(old_index[idx(v)]);
    attributes.insert(attributes.end(), reals.begin(), reals.end());
  }
  for (std::int32_t u = 0; u < num_nodes(); ++u)
    for (std::int32_t e = row_ptr_[idx(u)]; e < row_ptr_[idx(u) + 1]; ++e)
      if (u < col_[idx(e)])
        builder.add_edge(new_index[idx(u)], new_index[idx(col_[idx(e)])], edge_labels(e));
  builder.set_node_labels(std::move(labels), num_label_columns_)
      .set_node_attributes(std::move(attributes), num_attributes_)
      .set_id(id_)
      .set_row(row_)
      .set_label(label_);
  return builder.build();
}

}  // namespace sgood

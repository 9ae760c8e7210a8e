// SPDX-License-Identifier: MIT
#include "sgood/graph/graph.h"

#include <algorithm>
#include <numeric>

#include "sgood/core/error.h"

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
  Graph result = *this;
  const std::size_t k = idx(num_edge_columns_);
  std::vector<std::int32_t> entries;  // positions in col_ of one node's edges, by new neighbour
  std::int32_t next = 0;
  for (std::int32_t v = 0; v < num_nodes(); ++v) {
    const std::int32_t old = old_index[idx(v)];
    std::ranges::copy(node_labels(old),
                      result.node_labels_.begin() + v * std::ptrdiff_t{num_label_columns_});
    std::ranges::copy(node_attributes(old),
                      result.node_attributes_.begin() + v * std::ptrdiff_t{num_attributes_});
    if (!fragments_.empty()) result.fragments_[idx(v)] = fragments_[idx(old)];
    entries.resize(idx(degree(old)));
    std::iota(entries.begin(), entries.end(), row_ptr_[idx(old)]);
    std::ranges::sort(entries, {}, [&](std::int32_t e) { return new_index[idx(col_[idx(e)])]; });
    for (const std::int32_t e : entries) {
      result.col_[idx(next)] = new_index[idx(col_[idx(e)])];
      std::ranges::copy(edge_labels(e),
                        result.edge_labels_.begin() + static_cast<std::ptrdiff_t>(idx(next) * k));
      ++next;
    }
    result.row_ptr_[idx(v) + 1] = next;
  }
  return result;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "sgood/core/rng.h"
#include "sgood/graph/graph.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/graph/partition.h"

namespace sgood {

/// Each pair joined with probability `density`; two node label columns, two attributes and one edge
/// label, all different enough to see a mix-up.
inline Graph random_graph(std::int32_t nodes, double density, Rng& rng) {
  GraphBuilder builder(nodes);
  for (std::int32_t u = 0; u < nodes; ++u)
    for (std::int32_t v = u + 1; v < nodes; ++v)
      if (rng.uniform() < density) {
        const auto label = static_cast<std::int32_t>(rng.below(5));
        builder.add_edge(u, v, std::span(&label, 1));
      }
  std::vector<std::int32_t> labels;
  std::vector<float> attributes;
  for (std::int32_t i = 0; i < 2 * nodes; ++i) {
    labels.push_back(static_cast<std::int32_t>(rng.below(4)));
    attributes.push_back(static_cast<float>(rng.normal()));
  }
  return builder.set_node_labels(labels, 2).set_node_attributes(attributes, 2).build();
}

inline std::vector<std::int32_t> random_order(std::int32_t count, Rng& rng) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  rng.shuffle(order);
  return order;
}

/// At most `most` blocks, none of them empty.
inline Partition random_partition(std::int32_t nodes, std::int32_t most, Rng& rng) {
  std::vector<std::int32_t> block;
  for (std::int32_t v = 0; v < nodes; ++v)
    block.push_back(static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(most))));
  std::vector<std::int32_t> used = block;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (std::int32_t& b : block)
    b = static_cast<std::int32_t>(std::lower_bound(used.begin(), used.end(), b) - used.begin());
  return Partition(block);
}

}  // namespace sgood

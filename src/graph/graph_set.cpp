// SPDX-License-Identifier: MIT
#include "sgood/graph/graph_set.h"

#include <algorithm>

#include "sgood/core/error.h"

namespace sgood {

GraphSet GraphSet::subset(const std::vector<std::int32_t>& positions) const {
  GraphSet part;
  part.source = source;
  part.class_names = class_names;
  part.node_label_names = node_label_names;
  part.edge_label_names = edge_label_names;
  part.graphs.reserve(positions.size());
  for (const std::int32_t p : positions) {
    SGOOD_CHECK(p >= 0 && static_cast<std::size_t>(p) < graphs.size(),
                "position {} is not in [0, {})", p, graphs.size());
    part.graphs.push_back(graphs[static_cast<std::size_t>(p)]);
  }
  return part;
}

bool GraphSet::labelled() const {
  return !graphs.empty() && std::all_of(graphs.begin(), graphs.end(),
                                        [](const Graph& g) { return g.label().has_value(); });
}

}  // namespace sgood

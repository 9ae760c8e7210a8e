// SPDX-License-Identifier: MIT
#include "sgood/substructure/brics.h"

#include "sgood/core/error.h"

namespace sgood {

Partition BricsPartitioner::partition(const Graph& graph) const {
  SGOOD_CHECK(graph.num_nodes() == 0 || !graph.fragments().empty(),
              "graph '{}' has no BRICS fragments, which partitioner brics needs. Only molecules "
              "(.csv, .tsv, .smi) have them, and a C++ caller asks for them with "
              "ReadOptions::fragmentation; for other graphs choose another partitioner, e.g. "
              "modularity",
              graph.id());
  return connected_parts(graph, graph.fragments());
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <igraph/igraph.h>

#include "sgood/graph/graph.h"
#include "sgood/graph/partition.h"

namespace sgood::bench {

/// A graph as igraph holds it, and igraph's greedy modularity on it: the opponent of our
/// partitioner.
class IgraphGraph {
 public:
  explicit IgraphGraph(const Graph& graph);
  ~IgraphGraph();
  IgraphGraph(const IgraphGraph&) = delete;
  IgraphGraph& operator=(const IgraphGraph&) = delete;

  /// The cut of the merges with the largest modularity. (The membership that the call itself offers
  /// is another one in many graphs.)
  Partition partition() const;

 private:
  igraph_t graph_;
};

}  // namespace sgood::bench

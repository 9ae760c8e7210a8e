// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sgood/substructure/partitioner.h"

namespace sgood {

/// Graclus's coarsening: rounds of heavy-edge matching, each of which merges pairs of adjacent
/// blocks, so a block has at most 2^levels nodes. Blocks are visited by their first nodes; one that
/// is still free is merged with the free neighbour of largest w_uv (1/d_u + 1/d_v), ties to the
/// neighbour with the first node, and stays alone when no neighbour is free. w_uv is the number of
/// edges between both, d the sum of degrees in the graph (the weight of the normalised cut). Stops
/// early when no two blocks are adjacent. O(levels m log m). Reference: Dhillon, Guan and Kulis,
/// 2007. Paper: Table "substructure detection methods", Graclus.
/// Deviation: Graclus visits at random and goes on to refine a given number of clusters; a score
/// must be a function of the graph, and the paper gives no number.
class GraclusPartitioner : public Partitioner {
 public:
  /// Throws InvalidArgument unless 1 <= levels <= 30.
  explicit GraclusPartitioner(int levels);

  std::string name() const override { return "graclus"; }
  Partition partition(const Graph& graph) const override;

 private:
  int levels_;
};

}  // namespace sgood

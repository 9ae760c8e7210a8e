// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sgood/graph/partition.h"
#include "sgood/substructure/partitioner.h"

namespace sgood {

/// Modularity of `partition`, sum over blocks of L_c / m - (D_c / 2m)^2 with L_c edges inside and
/// D_c the degree sum; in [-1/2, 1), and 0 for a graph without edges. Throws InvalidArgument unless
/// the partition covers the graph.
double modularity(const Graph& graph, const Partition& partition);

/// Greedy modularity: starting from single nodes, merges the adjacent pair of blocks with the
/// largest gain w_ij / m - D_i D_j / 2m^2 while that is not negative (a gain of 0 is merged). Ties
/// go to the smallest pair of names; a merged block keeps the larger name. Worst case O(n m), close
/// to O(m log n) on sparse graphs with balanced merges. Reference: Clauset, Newman and Moore, 2004.
/// Paper: Section 3.1, its default.
class ModularityPartitioner : public Partitioner {
 public:
  /// How gains are computed, which decides ties.
  enum class Arithmetic {
    kExact,   ///< 64-bit integers 2m w_ij - D_i D_j: ties are real ties, on any machine.
    kDouble,  ///< The rounding of NetworkX 2.8: the same partitions, bit for bit.
  };

  explicit ModularityPartitioner(Arithmetic arithmetic = Arithmetic::kExact)
      : arithmetic_(arithmetic) {}

  std::string name() const override;
  Partition partition(const Graph& graph) const override;

 private:
  Arithmetic arithmetic_;
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sgood/substructure/partitioner.h"

namespace sgood {

/// Label propagation, semi-synchronous: nodes start with their numbers as labels and take, colour
/// class by colour class of a greedy colouring, the most frequent label among their neighbours (a
/// tie keeps the node's own label if it is among them, else the largest wins), until all have one.
/// A block is a connected set of nodes with equal labels. The same as NetworkX 2.8's
/// label_propagation_communities(). O(m) a round; few rounds in practice. Reference: Cordasco and
/// Gargano, 2010. Paper: Table "substructure detection methods", LP.
class LabelPropagationPartitioner : public Partitioner {
 public:
  std::string name() const override { return "label-propagation"; }
  Partition partition(const Graph& graph) const override;
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sgood/substructure/partitioner.h"

namespace sgood {

/// No substructures: every connected component is one block.
class ComponentsPartitioner : public Partitioner {
 public:
  std::string name() const override { return "none"; }
  Partition partition(const Graph& graph) const override;
};

}  // namespace sgood

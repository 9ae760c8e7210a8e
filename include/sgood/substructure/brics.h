// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sgood/substructure/partitioner.h"

namespace sgood {

/// The fragments that are left of a molecule when the bonds that BRICS names are cut: those that
/// retrosynthesis would break. The reader of molecules finds them (Fragmentation::kBrics).
/// Reference: Degen, Wegscheid-Gerlach, Zaliani and Rarey, 2008. Paper: Table "substructure
/// detection methods", BRICS.
class BricsPartitioner : public Partitioner {
 public:
  std::string name() const override { return "brics"; }
  Fragmentation fragmentation() const override { return Fragmentation::kBrics; }
  /// Throws InvalidArgument for a graph whose reader found no fragments.
  Partition partition(const Graph& graph) const override;
};

}  // namespace sgood

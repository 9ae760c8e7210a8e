// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sgood/graph/graph.h"
#include "sgood/graph/partition.h"

namespace sgood {

/// A 64-bit fingerprint of each block, [num_blocks], equal for blocks that are isomorphic as far as
/// Weisfeiler-Leman sees it: three rounds of colour refinement on the induced subgraph, starting
/// from the first node label (or the degree inside the block where there are no labels). Edge
/// labels are not looked at. Model files hold fingerprints, so they must stay what they are. O(n +
/// m).
std::vector<std::uint64_t> block_fingerprints(const Graph& graph, const Partition& partition);

}  // namespace sgood

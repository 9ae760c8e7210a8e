// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_set>

#include "sgood/experiments/experiment.h"
#include "sgood/graph/graph_set.h"
#include "sgood/substructure/partitioner.h"

namespace sgood {

/// Different block_fingerprints().
using SubstructureSet = std::unordered_set<std::uint64_t>;

/// Those of all substructures of one graph.
SubstructureSet substructures_of(const Graph& graph, const Partitioner& partitioner,
                                 NodeOrder order);

/// How many graphs of `tested` hold a substructure that no graph of `known` has.
/// Paper: Table 1 (share of OOD graphs with a substructure that is not in ID graphs). A share says
/// something only next to the same share for held-out ID graphs.
struct UnseenCount {
  std::int64_t with_unseen = 0;
  std::int64_t graphs = 0;
  double percent() const {
    return graphs > 0 ? 100.0 * static_cast<double>(with_unseen) / static_cast<double>(graphs) : 0;
  }
};
UnseenCount count_unseen(const GraphSet& known, const GraphSet& tested,
                         const Partitioner& partitioner, NodeOrder order);

/// Both shares for each suite: all OOD graphs against all ID graphs (modularity as the paper's code
/// computes it), and, as a control, a tenth of the ID graphs against the others, mean over seeds.
nlohmann::ordered_json run_unseen_substructures(const ExperimentContext& context);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sgood/detectors/model.h"
#include "sgood/graph/subgraph.h"
#include "sgood/substructure/fingerprint.h"
#include "substructure_census.h"

namespace sgood {
namespace {

/// The graph without `nodes`, which ascend.
Graph without(const Graph& graph, const std::vector<std::int32_t>& nodes) {
  std::vector<std::int32_t> rest;
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
    if (!std::ranges::binary_search(nodes, v)) rest.push_back(v);
  return induced_subgraph(graph, rest);
}

double total(const std::vector<double>& weights, const std::vector<std::int32_t>& nodes) {
  double sum = 0;
  for (const std::int32_t v : nodes) sum += weights[static_cast<std::size_t>(v)];
  return sum;
}

}  // namespace

Reasons Model::explain(const Graph& graph, int nearest, int threads) const {
  const Substructures found =
      find_substructures(graph, *detector_->substructures(), NodeOrder::kCanonical);
  const std::vector<std::uint64_t> fingerprints = block_fingerprints(graph, found.partition);
  const auto members = found.partition.members();
  GraphSet graphs;
  graphs.graphs.push_back(graph);
  if (members.size() > 1)
    for (const auto& nodes : members) graphs.graphs.push_back(without(graph, nodes));
  const std::vector<Decision> decisions = score(graphs, threads);

  Reasons reasons{decisions[0], false, {}, detector_->explain(graph, nearest)};
  const std::vector<double>& weights = reasons.method.node_weights;
  reasons.shares = !weights.empty();
  for (std::size_t b = 0; b < members.size(); ++b) {
    SubstructureReason reason{members[b], {}, {}, census_->graphs_with(fingerprints[b])};
    if (members.size() > 1) reason.fall = decisions[0].score - decisions[b + 1].score;
    reason.contribution = reasons.shares ? total(weights, members[b]) : reason.fall;
    reasons.substructures.push_back(std::move(reason));
  }
  std::ranges::stable_sort(reasons.substructures, std::ranges::greater(),
                           &SubstructureReason::contribution);
  return reasons;
}

Model::SeenShare Model::unique_substructures() const {
  return {census_->graphs_with_unique(), census_->num_graphs()};
}

const std::vector<std::int32_t>& Model::training_sizes() const { return census_->sizes(); }

}  // namespace sgood

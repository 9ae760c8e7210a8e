// SPDX-License-Identifier: MIT
#include "sgood/experiments/copy_audit.h"

#include <cstdint>
#include <numeric>
#include <unordered_set>
#include <vector>

#include "sgood/core/hash.h"
#include "sgood/graph/wl_colours.h"

namespace sgood {
namespace {

constexpr int kRounds = 2;

/// Equal for copies. Colours of the last round tell those of the rounds before.
std::uint64_t fingerprint(const Graph& graph) {
  std::vector<std::int32_t> columns(static_cast<std::size_t>(graph.num_label_columns()));
  std::iota(columns.begin(), columns.end(), 0);
  const auto colours = wl_colours(graph, kRounds, WlLabels{columns, graph.num_edge_columns() > 0});
  std::uint64_t sum = 0;
  for (const std::uint64_t colour : colours.back()) sum += mix64(colour);
  return combine64(sum, static_cast<std::uint64_t>(graph.num_nodes()));
}

}  // namespace

CopyAudit audit_copies(const OodSuite& suite) {
  std::unordered_set<std::uint64_t> known;
  for (const Graph& graph : suite.id_train.graphs) known.insert(fingerprint(graph));
  const auto share = [&](const GraphSet& set) {
    double copies = 0;
    for (const Graph& graph : set.graphs) copies += known.contains(fingerprint(graph)) ? 1 : 0;
    return set.graphs.empty() ? 0 : copies / static_cast<double>(set.graphs.size());
  };
  return {share(suite.id_test), share(suite.ood_test)};
}

}  // namespace sgood

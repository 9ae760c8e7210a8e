// SPDX-License-Identifier: MIT
#include "sgood/substructure/fingerprint.h"

#include "sgood/core/hash.h"

namespace sgood {
namespace {

constexpr int kRounds = 3;

/// Commutative hash of the colours of one block after each round. `colour` and `next` are memory
/// for all nodes.
std::uint64_t fingerprint(const Graph& graph, const Partition& partition,
                          const std::vector<std::int32_t>& members,
                          std::vector<std::uint64_t>& colour, std::vector<std::uint64_t>& next) {
  const auto idx = [](std::int32_t i) { return static_cast<std::size_t>(i); };
  const auto inside = [&](std::int32_t u, std::int32_t v) {
    return partition.block(u) == partition.block(v);
  };
  for (const std::int32_t v : members) {
    std::uint64_t degree = 0;
    for (const std::int32_t u : graph.neighbors(v)) degree += inside(u, v) ? 1 : 0;
    colour[idx(v)] =
        mix64(graph.num_label_columns() > 0 ? static_cast<std::uint64_t>(graph.node_labels(v)[0])
                                            : degree);
  }
  std::uint64_t h = members.size();
  for (int round = 0; round <= kRounds; ++round) {
    std::uint64_t sum = 0;
    for (const std::int32_t v : members) {
      sum += mix64(colour[idx(v)]);
      std::uint64_t around = 0;
      for (const std::int32_t u : graph.neighbors(v))
        if (inside(u, v)) around += mix64(colour[idx(u)]);
      next[idx(v)] = combine64(colour[idx(v)], around);
    }
    h = combine64(h, sum);
    for (const std::int32_t v : members) colour[idx(v)] = next[idx(v)];
  }
  return h;
}

}  // namespace

std::vector<std::uint64_t> block_fingerprints(const Graph& graph, const Partition& partition) {
  std::vector<std::uint64_t> colour(static_cast<std::size_t>(graph.num_nodes())), next(colour);
  std::vector<std::uint64_t> fingerprints;
  for (const auto& members : partition.members())
    fingerprints.push_back(fingerprint(graph, partition, members, colour, next));
  return fingerprints;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/experiments/unseen_substructures.h"

#include <algorithm>

#include "sgood/core/hash.h"
#include "sgood/core/rng.h"
#include "sgood/substructure/modularity.h"
#include "sgood/suites/suite.h"

namespace sgood {
namespace {

constexpr int kRounds = 3;

/// Commutative hash of the colours of one block after each round.
std::uint64_t fingerprint(const Graph& graph, const Partition& partition,
                          const std::vector<std::int32_t>& members) {
  const auto idx = [](std::int32_t i) { return static_cast<std::size_t>(i); };
  std::vector<std::uint64_t> color(idx(graph.num_nodes())), next(color.size());
  const auto inside = [&](std::int32_t u, std::int32_t v) {
    return partition.block(u) == partition.block(v);
  };
  for (const std::int32_t v : members) {
    std::uint64_t degree = 0;
    for (const std::int32_t u : graph.neighbors(v)) degree += inside(u, v) ? 1 : 0;
    color[idx(v)] =
        mix64(graph.num_label_columns() > 0 ? static_cast<std::uint64_t>(graph.node_labels(v)[0])
                                            : degree);
  }
  std::uint64_t h = members.size();
  for (int round = 0; round <= kRounds; ++round) {
    std::uint64_t sum = 0;
    for (const std::int32_t v : members) {
      sum += mix64(color[idx(v)]);
      std::uint64_t around = 0;
      for (const std::int32_t u : graph.neighbors(v))
        if (inside(u, v)) around += mix64(color[idx(u)]);
      next[idx(v)] = combine64(color[idx(v)], around);
    }
    h = combine64(h, sum);
    for (const std::int32_t v : members) color[idx(v)] = next[idx(v)];
  }
  return h;
}

}  // namespace

SubstructureSet substructures_of(const Graph& graph, const Partitioner& partitioner,
                                 NodeOrder order) {
  const Substructures found = find_substructures(graph, partitioner, order);
  SubstructureSet set;
  for (const auto& members : found.partition.members())
    set.insert(fingerprint(graph, found.partition, members));
  return set;
}

UnseenCount count_unseen(const GraphSet& known, const GraphSet& tested,
                         const Partitioner& partitioner, NodeOrder order) {
  SubstructureSet seen;
  for (const Graph& graph : known.graphs) seen.merge(substructures_of(graph, partitioner, order));
  UnseenCount count;
  for (const Graph& graph : tested.graphs) {
    const SubstructureSet own = substructures_of(graph, partitioner, order);
    ++count.graphs;
    if (std::any_of(own.begin(), own.end(), [&](std::uint64_t h) { return !seen.contains(h); }))
      ++count.with_unseen;
  }
  return count;
}

nlohmann::ordered_json run_unseen_substructures(const ExperimentContext& context) {
  const std::vector<std::string> names =
      context.suites.empty()
          ? std::vector<std::string>{"enzymes", "imdb-m", "imdb-b", "bace", "bbbp"}
          : context.suites;
  const ModularityPartitioner partitioner(ModularityPartitioner::Arithmetic::kDouble);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const std::string& name : names) {
    context.control.report(name, static_cast<std::int64_t>(rows.size()),
                           static_cast<std::int64_t>(names.size()));
    const SuiteData data = load_suite(name, context.data_root, context.jobs);
    const UnseenCount ood = count_unseen(data.id, data.ood, partitioner, NodeOrder::kInput);
    double held_out = 0;
    for (std::int32_t seed = 0; seed < context.seeds; ++seed) {
      const auto n = static_cast<std::int32_t>(data.id.graphs.size());
      Rng rng = Rng(static_cast<std::uint64_t>(seed)).fork("held out");
      const std::vector<std::int32_t> order = rng.sample(n, n);
      const std::int32_t tenth = (n + 9) / 10;
      held_out += count_unseen(data.id.subset({order.begin() + tenth, order.end()}),
                               data.id.subset({order.begin(), order.begin() + tenth}), partitioner,
                               NodeOrder::kInput)
                      .percent();
    }
    rows.push_back({{"suite", name},
                    {"OOD with unseen", ood.with_unseen},
                    {"OOD graphs", ood.graphs},
                    {"OOD %", ood.percent()},
                    {"held-out ID %", held_out / context.seeds}});
  }
  return rows;
}

}  // namespace sgood

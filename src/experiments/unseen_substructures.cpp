// SPDX-License-Identifier: MIT
#include "sgood/experiments/unseen_substructures.h"

#include <algorithm>

#include "sgood/core/rng.h"
#include "sgood/substructure/fingerprint.h"
#include "sgood/substructure/modularity.h"
#include "sgood/suites/suite.h"

namespace sgood {
SubstructureSet substructures_of(const Graph& graph, const Partitioner& partitioner,
                                 NodeOrder order) {
  const Substructures found = find_substructures(graph, partitioner, order);
  const std::vector<std::uint64_t> blocks = block_fingerprints(graph, found.partition);
  return {blocks.begin(), blocks.end()};
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

// SPDX-License-Identifier: MIT
#include "sgood/experiments/explanations.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include "sgood/core/threads.h"
#include "sgood/detectors/model.h"
#include "sgood/suites/motif.h"
#include "sgood/suites/suite.h"

namespace sgood {
namespace {

using NewNodes = std::vector<std::vector<std::int32_t>>;

/// Sums over graphs.
struct Falls {
  double first = 0, random = 0;       // of scores
  double first_new = 0, any_new = 0;  // first substructures that are new; shares of new ones
  std::int64_t graphs = 0;

  void add(const Falls& other) {
    first += other.first;
    random += other.random;
    first_new += other.first_new;
    any_new += other.any_new;
    graphs += other.graphs;
  }
};

/// Whether most of the nodes are among `wanted`, which ascend.
bool mostly_in(const std::vector<std::int32_t>& nodes, const std::vector<std::int32_t>& wanted) {
  const auto inside = std::ranges::count_if(
      nodes, [&](std::int32_t v) { return std::ranges::binary_search(wanted, v); });
  return 2 * inside > std::ssize(nodes);
}

/// `unit`: what a fall is measured in.
Falls falls_of(const Model& model, const GraphSet& graphs, double unit, const NewNodes* new_nodes) {
  Falls sum;
  for (const Graph& graph : graphs.graphs) {
    const Reasons reasons = model.explain(graph, 1);
    if (reasons.substructures.size() < 2) continue;
    const auto count = static_cast<double>(reasons.substructures.size());
    ++sum.graphs;
    sum.first += *reasons.substructures[0].fall / unit;
    for (const SubstructureReason& reason : reasons.substructures) {
      sum.random += *reason.fall / unit / count;
      if (new_nodes == nullptr) continue;
      const bool fresh =
          mostly_in(reason.nodes, (*new_nodes)[static_cast<std::size_t>(graph.row())]);
      sum.any_new += fresh ? 1 / count : 0;
      if (&reason == &reasons.substructures[0]) sum.first_new += fresh ? 1 : 0;
    }
  }
  return sum;
}

double deviation(const std::vector<Decision>& decisions) {
  double mean = 0, square = 0;
  for (const Decision& d : decisions) mean += d.score / static_cast<double>(decisions.size());
  for (const Decision& d : decisions) square += (d.score - mean) * (d.score - mean);
  return std::sqrt(square / static_cast<double>(decisions.size() - 1));
}

struct BothFalls {
  Falls id, ood;
};

BothFalls measure(const SuiteData& data, const std::string& method, std::uint64_t seed,
                  const RunControl& control, const NewNodes* new_nodes) {
  const OodSuite suite = split_suite(data, seed);
  ModelSettings settings;
  settings.method = method;
  FitContext fit;
  fit.seed = seed;
  fit.control.stop = control.stop;
  const Model model = Model::fit(suite.id_train, settings, fit, &suite.id_val);
  const double unit = deviation(model.score(suite.id_test));
  return {falls_of(model, suite.id_test, unit, nullptr),
          falls_of(model, suite.ood_test, unit, new_nodes)};
}

nlohmann::ordered_json row_of(const std::string& suite, const std::string& method,
                              const BothFalls& sum, bool planted) {
  const auto share = [](double value, const Falls& falls) {
    return value / static_cast<double>(std::max<std::int64_t>(falls.graphs, 1));
  };
  nlohmann::ordered_json row = {{"suite", suite},
                                {"method", method},
                                {"OOD graphs", sum.ood.graphs},
                                {"first deleted", share(sum.ood.first, sum.ood)},
                                {"random deleted", share(sum.ood.random, sum.ood)},
                                {"ID graphs", sum.id.graphs},
                                {"ID: first deleted", share(sum.id.first, sum.id)},
                                {"ID: random deleted", share(sum.id.random, sum.id)}};
  row["first is new, %"] = nullptr;
  row["by chance, %"] = nullptr;
  if (planted) {
    row["first is new, %"] = 100 * share(sum.ood.first_new, sum.ood);
    row["by chance, %"] = 100 * share(sum.ood.any_new, sum.ood);
  }
  return row;
}

}  // namespace

nlohmann::ordered_json run_explanations(const ExperimentContext& context) {
  const std::vector<std::string> names =
      context.suites.empty() ? std::vector<std::string>{"motif", "enzymes", "imdb-m", "imdb-b",
                                                        "bace",  "bbbp",    "drugood"}
                             : context.suites;
  const NewNodes planted = make_motif_data({}).new_nodes;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const auto total = static_cast<std::int64_t>(names.size()) * 2 * context.seeds;
  std::int64_t done = 0;
  for (const std::string& name : names) {
    const SuiteData data = load_suite(name, context.data_root, context.jobs);
    const NewNodes* new_nodes = name == "motif" ? &planted : nullptr;
    for (const char* method : {"sgood", "wl-density"}) {
      BothFalls sum;
      std::mutex mutex;
      parallel_for(context.seeds, context.jobs, [&](std::int64_t seed) {
        const BothFalls falls =
            measure(data, method, static_cast<std::uint64_t>(seed), context.control, new_nodes);
        const std::lock_guard lock(mutex);
        sum.id.add(falls.id);
        sum.ood.add(falls.ood);
        context.control.report(name, ++done, total);
      });
      rows.push_back(row_of(name, method, sum, new_nodes != nullptr));
    }
  }
  return rows;
}

}  // namespace sgood

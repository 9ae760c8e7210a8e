// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sgood/core/rng.h"
#include "sgood/detectors/wl_density.h"
#include "sgood/graph/graph_builder.h"

namespace sgood::testing {

using Options = std::vector<std::pair<std::string, std::string>>;

inline GraphSet set_of(std::vector<Graph> graphs) {
  GraphSet set;
  set.graphs = std::move(graphs);
  return set;
}

inline WlDensityDetector fitted(const GraphSet& train, const Options& options = {},
                                std::uint64_t seed = 0) {
  WlDensityDetector detector;
  for (const auto& [name, value] : options) detector.options().set(name, value);
  FitContext context;
  context.seed = seed;
  detector.fit(train, context);
  return detector;
}

inline std::vector<double> scores(const Detector& detector, const GraphSet& graphs) {
  std::vector<double> values;
  for (const GraphScore& s : detector.score(graphs)) values.push_back(s.score);
  return values;
}

inline std::vector<double> batch_scores(const Detector& detector, const GraphSet& graphs,
                                        int threads = 1) {
  std::vector<double> values;
  for (const GraphScore& s : detector.score_batch(graphs, threads, {}))
    values.push_back(s.batch_score.value());
  return values;
}

inline Graph ring(std::int32_t nodes, std::vector<std::int32_t> labels = {},
                  std::int32_t columns = 0, std::int32_t bond = -1) {
  GraphBuilder builder(nodes);
  for (std::int32_t v = 0; v < nodes; ++v) {
    const std::vector<std::int32_t> bonds(bond < 0 ? 0 : 1, bond);
    builder.add_edge(v, (v + 1) % nodes, bonds);
  }
  return builder.set_node_labels(std::move(labels), columns).build();
}

/// Random graphs with two node columns (named "element" and "chirality") and one edge label.
inline GraphSet random_molecules(int count, std::uint64_t seed) {
  Rng rng(seed);
  GraphSet set;
  set.node_label_names = {"element", "chirality"};
  for (int i = 0; i < count; ++i) {
    const auto n = static_cast<std::int32_t>(3 + rng.below(12));
    std::vector<std::int32_t> labels;
    for (std::int32_t v = 0; v < n; ++v) {
      labels.push_back(static_cast<std::int32_t>(rng.below(6) / 4));
      labels.push_back(static_cast<std::int32_t>(rng.below(8) / 7));
    }
    GraphBuilder builder(n);
    for (std::int32_t e = 0; e < n + 3; ++e) {
      const std::vector<std::int32_t> bond = {static_cast<std::int32_t>(rng.below(4) / 3)};
      builder.add_edge(static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(n))),
                       static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(n))), bond);
    }
    set.graphs.push_back(
        builder.set_node_labels(std::move(labels), 2).set_id(fmt::format("g{}", i)).build());
  }
  return set;
}

}  // namespace sgood::testing

// SPDX-License-Identifier: MIT
// The detector wl-density: graph to score against the training graphs of a suite, fitting, and how
// both grow with the number of training graphs (generated: rings with branches, like molecules).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>

#include "bench/support/suite_batches.h"
#include "bench/support/with_data.h"
#include "sgood/core/rng.h"
#include "sgood/detectors/wl_density.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/suites/suite.h"

namespace {

using namespace sgood;
using namespace sgood::bench;

std::int32_t draw(std::uint64_t bound, Rng& rng) {
  return static_cast<std::int32_t>(rng.below(bound));
}

/// Two to four rings of five or six nodes joined by bonds, with up to twelve branches.
Graph generated_graph(Rng& rng) {
  struct Edge {
    std::int32_t u, v;
  };
  std::vector<Edge> edges;
  std::int32_t nodes = 0;
  for (std::int32_t rings = 2 + draw(3, rng); rings > 0; --rings) {
    const std::int32_t size = 5 + draw(2, rng);
    if (nodes > 0) edges.push_back({draw(static_cast<std::uint64_t>(nodes), rng), nodes});
    for (std::int32_t i = 0; i < size; ++i) edges.push_back({nodes + i, nodes + (i + 1) % size});
    nodes += size;
  }
  for (std::int32_t branches = 2 + draw(11, rng); branches > 0; --branches, ++nodes)
    edges.push_back({draw(static_cast<std::uint64_t>(nodes), rng), nodes});

  constexpr std::array kElements = {0, 0, 0, 0, 0, 0, 0, 1, 1, 2};
  std::vector<std::int32_t> labels;
  for (std::int32_t v = 0; v < nodes; ++v) {
    labels.push_back(kElements[rng.below(kElements.size())]);
    labels.push_back(draw(4, rng) / 3);
  }
  GraphBuilder builder(nodes);
  for (const auto& [u, v] : edges) {
    const std::array<std::int32_t, 1> bond = {draw(4, rng) / 3};
    builder.add_edge(u, v, bond);
  }
  return builder.set_node_labels(std::move(labels), 2).build();
}

GraphSet generated_graphs(std::int64_t count, std::uint64_t seed) {
  Rng rng(seed);
  GraphSet set;
  for (std::int64_t i = 0; i < count; ++i) set.graphs.push_back(generated_graph(rng));
  return set;
}

void score_all(benchmark::State& state, const WlDensityDetector& detector, const GraphSet& graphs) {
  for (auto _ : state) benchmark::DoNotOptimize(detector.score(graphs));
  state.SetItemsProcessed(state.iterations() * std::ssize(graphs.graphs));
}

void density_score(benchmark::State& state, const char* suite) {
  with_data(state, [&] {
    WlDensityDetector detector;
    detector.fit(training_graphs(suite), {});
    const OodSuite parts = split_suite(load_suite(suite, data_root()), 0);
    GraphSet tested = parts.id_test;
    tested.graphs.insert(tested.graphs.end(), parts.ood_test.graphs.begin(),
                         parts.ood_test.graphs.end());
    score_all(state, detector, tested);
  });
}

void density_fit(benchmark::State& state, const char* suite) {
  with_data(state, [&] {
    const GraphSet& train = training_graphs(suite);
    for (auto _ : state) {
      WlDensityDetector detector;
      detector.fit(train, {});
    }
  });
}

void density_score_generated(benchmark::State& state) {
  WlDensityDetector detector;
  detector.fit(generated_graphs(state.range(0), 1), {});
  score_all(state, detector, generated_graphs(256, 2));
}

void density_fit_generated(benchmark::State& state) {
  const GraphSet train = generated_graphs(state.range(0), 1);
  for (auto _ : state) {
    WlDensityDetector detector;
    detector.fit(train, {});
  }
}

BENCHMARK_CAPTURE(density_score, enzymes, "enzymes")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(density_score, imdb_m, "imdb-m")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(density_score, imdb_b, "imdb-b")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(density_score, bace, "bace")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(density_score, hiv, "hiv")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(density_fit, hiv, "hiv")->Unit(benchmark::kMillisecond);
BENCHMARK(density_score_generated)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(26000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(density_fit_generated)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(26000)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond);

}  // namespace

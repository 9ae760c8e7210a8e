// SPDX-License-Identifier: MIT
// What is done once per graph before any network sees it, a graph at a time over the training
// graphs of a suite; igraph's greedy modularity (with and without making its graph) beside ours.
#include <benchmark/benchmark.h>

#include <deque>

#include "bench/support/igraph_graph.h"
#include "bench/support/suite_batches.h"
#include "bench/support/with_data.h"
#include "sgood/substructure/canonical_order.h"
#include "sgood/substructure/modularity.h"

namespace {

using namespace sgood;
using namespace sgood::bench;

/// Calls `work(graph)` for one graph after the other.
template <typename Graphs, typename Work>
void each_graph(benchmark::State& state, const Graphs& graphs, Work&& work) {
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(work(graphs[next++ % graphs.size()]));
  state.SetItemsProcessed(state.iterations());
}

void canonical(benchmark::State& state, const std::string& suite) {
  with_data(state, [&] { each_graph(state, training_graphs(suite).graphs, canonical_order); });
}

void partition(benchmark::State& state, const std::string& suite) {
  with_data(state, [&] {
    each_graph(state, training_graphs(suite).graphs,
               [](const Graph& graph) { return ModularityPartitioner().partition(graph); });
  });
}

void igraph_partition(benchmark::State& state, const std::string& suite) {
  with_data(state, [&] {
    std::deque<IgraphGraph> graphs;
    for (const Graph& graph : training_graphs(suite).graphs)
      if (graph.num_edges() > 0) graphs.emplace_back(graph);
    each_graph(state, graphs, [](const IgraphGraph& graph) { return graph.partition(); });
  });
}

void igraph_make_and_partition(benchmark::State& state, const std::string& suite) {
  with_data(state, [&] {
    each_graph(state, training_graphs(suite).graphs,
               [](const Graph& graph) { return IgraphGraph(graph).partition(); });
  });
}

/// Canonical order, partition, features and packing.
void prepare(benchmark::State& state, const std::string& suite) {
  with_data(state, [&] {
    const GraphSet& train = training_graphs(suite);
    const FeatureEncoder encoder = FeatureEncoder::fit(train, FeatureKind::kAuto);
    const ModularityPartitioner partitioner;
    each_graph(state, train.graphs, [&](const Graph& graph) {
      const Substructures found = find_substructures(graph, partitioner, NodeOrder::kCanonical);
      return pack_graph(graph, found.partition, found.order, encoder.encode(graph));
    });
  });
}

using Stage = void (*)(benchmark::State&, const std::string&);

void add(const std::string& name, Stage stage, const std::string& suite) {
  benchmark::RegisterBenchmark((name + "/" + suite).c_str(), stage, suite)
      ->Unit(benchmark::kMicrosecond);
}

const int kRegistered = [] {
  for (const std::string suite : {"enzymes", "imdb-m", "bace", "reddit-binary"}) {
    add("canonical_order", canonical, suite);
    add("partition", partition, suite);
    add("prepare", prepare, suite);
    if (suite == "reddit-binary") continue;
    add("igraph_partition", igraph_partition, suite);
    add("igraph_make_and_partition", igraph_make_and_partition, suite);
  }
  return 0;
}();

}  // namespace

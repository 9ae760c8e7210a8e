// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <deque>

#include "bench/ratios/parts.h"
#include "bench/support/igraph_graph.h"
#include "bench/support/measure.h"
#include "bench/support/suite_batches.h"
#include "sgood/chem/molecule_reader.h"
#include "sgood/core/error.h"
#include "sgood/io/tu_reader.h"
#include "sgood/substructure/canonical_order.h"
#include "sgood/substructure/modularity.h"

namespace sgood::bench {
namespace {

/// Both sides on the same graphs; igraph's are made beforehand.
struct Opponents {
  std::vector<Graph> ours;
  std::deque<IgraphGraph> theirs;
};

Opponents opponents(const std::string& suite) {
  Opponents result;
  for (const Graph& graph : training_graphs(suite).graphs) {
    if (graph.num_edges() == 0) continue;  // modularity is not defined there
    result.ours.push_back(graph);
    result.theirs.emplace_back(graph);
  }
  return result;
}

nlohmann::ordered_json mean_modularity(const Opponents& graphs) {
  double ours = 0, theirs = 0;
  for (std::size_t i = 0; i < graphs.ours.size(); ++i) {
    const Graph& graph = graphs.ours[i];
    ours += modularity(graph, ModularityPartitioner().partition(graph));
    theirs += modularity(graph, graphs.theirs[i].partition());
  }
  const auto count = static_cast<double>(graphs.ours.size());
  return {{"modularity_ours", ours / count}, {"modularity_igraph", theirs / count}};
}

/// CPU seconds of canonical order and partition of all graphs.
Row preparation_row(const std::string& name, const std::vector<Graph>& graphs, double most) {
  double order = 0, partition = 0, slowest = 0;
  for (const Graph& graph : graphs) {
    const double own = timed(Clock::kThreadCpu, [&] { canonical_order(graph); });
    const double both = timed(Clock::kThreadCpu, [&] {
      find_substructures(graph, ModularityPartitioner(), NodeOrder::kCanonical);
    });
    order += own;
    partition += both;
    slowest = std::max(slowest, both);
  }
  return {
      .part = "f",
      .name = fmt::format("canonical order and partition, all of {}", name),
      .ours = partition,
      .unit = "s",
      .n = 1,
      .target = at_most(most),
      .more = {
          {"graphs", graphs.size()}, {"canonical_order_s", order}, {"slowest_graph_s", slowest}}};
}

}  // namespace

void measure_partitions(const Context& context) {
  for (const char* suite : {"enzymes", "imdb-m", "bace"}) {
    const Opponents graphs = opponents(suite);
    const ModularityPartitioner partitioner;
    const auto ours = [&](std::size_t) {
      for (const Graph& graph : graphs.ours) partitioner.partition(graph);
    };
    const auto theirs = [&](std::size_t) {
      for (const IgraphGraph& graph : graphs.theirs) graph.partition();
    };
    const auto theirs_with_graph = [&](std::size_t) {
      for (const Graph& graph : graphs.ours) IgraphGraph(graph).partition();
    };
    const Rounds rounds{context.runs(30), 1, 1};
    const Sides bare = alternate(Clock::kThreadCpu, rounds, ours, theirs);
    const Sides with_graph = alternate(Clock::kThreadCpu, rounds, ours, theirs_with_graph);
    const double scale = 1e6 / static_cast<double>(graphs.ours.size());
    context.report->add({.part = "d",
                         .name = fmt::format("greedy modularity: igraph / ours, {}", suite),
                         .ours = scale * bare.ours,
                         .theirs = scale * bare.theirs,
                         .ratio = bare.theirs / bare.ours,
                         .unit = "us/graph",
                         .n = rounds.rounds,
                         .target = at_least(2),
                         .more = mean_modularity(graphs)});
    context.report->add({.part = "d",
                         .name = fmt::format("the same, igraph making its graph, {}", suite),
                         .ours = scale * with_graph.ours,
                         .theirs = scale * with_graph.theirs,
                         .ratio = with_graph.theirs / with_graph.ours,
                         .unit = "us/graph",
                         .n = rounds.rounds});
  }
}

void measure_preparation(const Context& context) {
  if (context.quick) return context.report->skip("f", "not in a quick run");
  context.report->add(preparation_row("hiv", molecules_to_graphs(molecule_table("HIV")).graphs, 3));
  const std::filesystem::path reddit = data_root() / "REDDIT-BINARY";
  if (!std::filesystem::is_directory(reddit))
    throw Unavailable(fmt::format("reddit-binary needs the folder {}", reddit.string()));
  context.report->add(preparation_row("reddit-binary", read_tu(reddit).graphs, 20));
}

}  // namespace sgood::bench

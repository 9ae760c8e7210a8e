// SPDX-License-Identifier: MIT
#include "src/torch/pooling.h"

#include <ATen/ATen.h>

#include "src/torch/gather_sum.h"

namespace sgood {
namespace {

/// The nodes that keep_top_nodes() keeps, ascending.
at::Tensor top_nodes(const GraphTensors& graphs, const at::Tensor& score, double ratio) {
  // By descending score within each graph: the second sort keeps the order of the first.
  const at::Tensor by_score = at::argsort(score.detach(), /*stable=*/true, 0, /*descending=*/true);
  const at::Tensor graph_of = graphs.graph.index_select(0, by_score);
  const at::Tensor sorted = by_score.index_select(0, at::argsort(graph_of, /*stable=*/true, 0));

  const at::Tensor size = graphs.size.squeeze(1).to(at::kDouble);
  const at::Tensor first = (size.cumsum(0) - size).index_select(0, graphs.graph);
  const at::Tensor rank = at::arange(graphs.num_nodes, first.options()) - first;
  // Rounding in the product must not make a whole number one more.
  const at::Tensor kept = (size * ratio - 1e-9).ceil().index_select(0, graphs.graph);
  return std::get<0>(sorted.masked_select(rank < kept).sort());
}

GraphTensors induced(const GraphTensors& graphs, const at::Tensor& nodes) {
  GraphTensors result;
  result.num_graphs = graphs.num_graphs;
  result.num_nodes = nodes.size(0);
  const at::Tensor new_node = at::full({graphs.num_nodes}, -1, nodes.options())
                                  .index_copy(0, nodes, at::arange(nodes.size(0), nodes.options()));
  const at::Tensor source = new_node.index_select(0, graphs.source);
  const at::Tensor target = new_node.index_select(0, graphs.target);
  const at::Tensor both_kept = (source >= 0).logical_and(target >= 0);
  result.source = source.masked_select(both_kept);
  result.target = target.masked_select(both_kept);
  const auto count = [&](const at::Tensor& index, std::int64_t num_rows) {
    return at::bincount(index, {}, num_rows).to(graphs.size.options()).unsqueeze(1);
  };
  result.degree = count(result.target, result.num_nodes);
  result.graph = graphs.graph.index_select(0, nodes);
  result.size = count(result.graph, result.num_graphs);
  result.label = graphs.label;
  return result;
}

}  // namespace

PooledGraphs keep_top_nodes(const GraphTensors& graphs, const at::Tensor& h,
                            const at::Tensor& score, double ratio) {
  const at::Tensor nodes = top_nodes(graphs, score, ratio);
  return {induced(graphs, nodes), gather_rows(h, nodes)};
}

at::Tensor max_and_mean(const GraphTensors& graphs, const at::Tensor& h) {
  return at::cat(
      {max_rows(h, graphs.graph, graphs.num_graphs), mean_rows(h, graphs.graph, graphs.num_graphs)},
      1);
}

}  // namespace sgood

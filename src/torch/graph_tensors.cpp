// SPDX-License-Identifier: MIT
#include "src/torch/graph_tensors.h"

#include <ATen/ATen.h>

#include <vector>

#include "sgood/graph/batch_writer.h"
#include "src/torch/gather_sum.h"

namespace sgood {
namespace {

at::Tensor indices(const std::vector<std::int64_t>& values, const at::TensorOptions& options) {
  return at::tensor(values, at::kLong).to(options.device());
}

/// [num_rows, 1] how many entries of `index` have each value.
at::Tensor count_rows(const at::Tensor& index, std::int64_t num_rows,
                      const at::TensorOptions& options) {
  return at::bincount(index, {}, num_rows).to(options).unsqueeze(1);
}

}  // namespace

GraphTensors make_graph_tensors(const PackedBatch& batch, const GraphModelSpec& spec,
                                const at::TensorOptions& options) {
  const std::int64_t n = batch.num_nodes;
  std::vector<std::int64_t> source, target, graph, size;
  for (std::int32_t v = 0; v < n; ++v) {
    const std::vector<std::int32_t> list = batch.neighbors(v);
    source.insert(source.end(), list.begin(), list.end());
    target.insert(target.end(), list.size(), v);
  }
  for (std::int32_t g = 0; g < batch.num_graphs; ++g) {
    size.push_back(batch.graph_node(g + 1) - batch.graph_node(g));
    graph.insert(graph.end(), static_cast<std::size_t>(size.back()), g);
  }
  const at::Tensor codes =
      indices({batch.codes.begin(), batch.codes.end()}, options).view({n, spec.code_columns});
  const at::Tensor one_hot = at::zeros({n, spec.vocabulary}, options)
                                 .scatter_add(1, codes, at::ones(codes.sizes(), options));
  const at::Tensor reals = at::tensor(batch.dense, at::kFloat).view({n, spec.num_dense});

  GraphTensors result;
  result.num_graphs = batch.num_graphs;
  result.num_nodes = n;
  result.x = at::cat({one_hot, reals.to(options)}, 1);
  result.source = indices(source, options);
  result.target = indices(target, options);
  result.degree = at::tensor(batch.degrees(), at::kInt).to(options).unsqueeze(1);
  result.graph = indices(graph, options);
  result.size = indices(size, options).to(options).unsqueeze(1);
  return result;
}

GraphTensors make_graph_tensors(std::span<const PackedGraph* const> graphs,
                                const GraphModelSpec& spec, const at::TensorOptions& options) {
  PackedBatch batch;
  BatchWriter writer(batch, spec.code_columns, spec.num_dense, /*super_self_loops=*/false);
  std::vector<std::int64_t> label;
  for (const PackedGraph* graph : graphs) {
    writer.append(*graph);
    label.push_back(graph->label.value_or(-1));
  }
  writer.finish();
  GraphTensors result = make_graph_tensors(batch, spec, options);
  result.label = indices(label, options);
  result.graphs = graphs;
  return result;
}

at::Tensor sum_rows(const at::Tensor& x, const at::Tensor& index, std::int64_t num_rows) {
  return gather_sum(x, {}, index, num_rows);
}

at::Tensor mean_rows(const at::Tensor& x, const at::Tensor& index, std::int64_t num_rows) {
  return sum_rows(x, index, num_rows) / count_rows(index, num_rows, x.options()).clamp_min(1);
}

at::Tensor max_rows(const at::Tensor& x, const at::Tensor& index, std::int64_t num_rows) {
  if (x.size(0) == 0) return at::zeros({num_rows, x.size(1)}, x.options());
  if (x.is_cpu()) {
    const at::Tensor largest = largest_rows(x, index, num_rows);
    return x.gather(0, largest.clamp_min(0)).masked_fill(largest < 0, 0);
  }
  const at::Tensor where = index.unsqueeze(1).expand_as(x);
  return at::zeros({num_rows, x.size(1)}, x.options())
      .scatter_reduce(0, where, x, "amax", /*include_self=*/false);
}

at::Tensor sum_neighbors(const GraphTensors& graphs, const at::Tensor& h) {
  return gather_sum(h, graphs.source, graphs.target, graphs.num_nodes);
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
// What LibTorch models do with all nodes of a batch, forward and backward: through our loops and as
// LibTorch's own operators.
#include <ATen/ATen.h>
#include <benchmark/benchmark.h>

#include <functional>

#include "src/torch/batch_norm_relu.h"
#include "src/torch/layers.h"
#include "src/torch/one_thread.h"
#include "src/torch/row_norms.h"
#include "src/torch/stacked_linear.h"

namespace {

using namespace sgood;

constexpr std::int64_t kGraphs = 128, kNodesEach = 32, kRows = kGraphs * kNodesEach;

at::Tensor leaf(at::IntArrayRef sizes) { return at::randn(sizes).requires_grad_(); }

GraphTensors equal_graphs() {
  GraphTensors graphs;
  graphs.num_graphs = kGraphs;
  graphs.num_nodes = kRows;
  graphs.graph = at::arange(kGraphs, at::kLong).repeat_interleave(kNodesEach);
  return graphs;
}

void run(benchmark::State& state, const std::function<at::Tensor()>& operation) {
  use_one_thread();
  const at::Tensor gradient = at::randn(operation().sizes());
  for (auto _ : state) operation().backward(gradient);
}

void unit_rows_of(benchmark::State& state, at::Tensor (*operation)(const at::Tensor&)) {
  const at::Tensor x = leaf({kRows, 256});
  run(state, [&] { return operation(x); });
}

void graph_norm(benchmark::State& state, decltype(&graph_norm_relu) operation) {
  const GraphTensors graphs = equal_graphs();
  const at::Tensor x = leaf({kRows, 32}), share = leaf({1, 32}), weight = leaf({1, 32});
  run(state, [&] { return operation(graphs, x, share, weight); });
}

at::Tensor plain_normalise_relu(torch::nn::BatchNorm1d& norm, const at::Tensor& x) {
  return normalise(norm, x).relu();
}

void batch_norm(benchmark::State& state, decltype(&normalise_relu) operation) {
  torch::nn::BatchNorm1d norm(48);
  const at::Tensor x = leaf({kRows, 48});
  run(state, [&] { return operation(norm, x); });
}

void maps(benchmark::State& state, at::Tensor (*operation)(const at::Tensor&, const at::Tensor&)) {
  const at::Tensor x = leaf({7, kRows, 32}), weight = leaf({7, 32, 32});
  run(state, [&] { return operation(x, weight); });
}

BENCHMARK_CAPTURE(unit_rows_of, ours, unit_rows)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(unit_rows_of, plain, plain::unit_rows)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(graph_norm, ours, graph_norm_relu)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(graph_norm, plain, plain::graph_norm_relu)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(batch_norm, ours, normalise_relu)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(batch_norm, plain, plain_normalise_relu)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(maps, ours, stacked_linear)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(maps, plain, at::bmm)->Unit(benchmark::kMicrosecond);

}  // namespace

// SPDX-License-Identifier: MIT
// One fine-tuning step in LibTorch on rotating batches of real graphs: as a user would write it,
// and by the reference engine (which also turns packed batches into tensors).
#include <benchmark/benchmark.h>

#include "bench/support/suite_batches.h"
#include "bench/support/with_data.h"
#include "bench/torch/plain_torch_step.h"
#include "sgood/nn/adam.h"
#include "sgood/torch/torch_engine.h"

namespace {

using namespace sgood;
using namespace sgood::bench;

constexpr std::size_t kBatches = 20;
constexpr int kSteps = 40;  // even in a short run: single steps differ much

void plain_torch_step(benchmark::State& state, const char* suite, RowSum row_sum) {
  with_data(state, [&] {
    const PreparedSuite& data = prepared_suite(suite);
    const ParameterLayout layout(data.shape);
    PlainTorchStep step(layout, layout.initial_parameters(Rng(1)), row_sum);
    for (const StepBatches& batches : make_step_batches(data, kBatches)) step.add(batches.step());
    std::size_t next = 0;
    // LibTorch's first steps are slower.
    while (next < 5) step.run(next++);
    for (auto _ : state) benchmark::DoNotOptimize(step.run(next++ % kBatches));
  });
}

void reference_engine_step(benchmark::State& state, const char* suite) {
  with_data(state, [&] {
    const PreparedSuite& data = prepared_suite(suite);
    const ParameterLayout layout(data.shape);
    const auto engine = make_torch_engine(data.shape);
    std::vector<float> parameters = layout.initial_parameters(Rng(1));
    std::vector<float> gradient(parameters.size());
    Adam adam(layout.num_parameters());
    const std::vector<StepBatches> batches = make_step_batches(data, kBatches);
    std::size_t next = 0;
    for (auto _ : state) {
      engine->loss_and_gradient(batches[next++ % kBatches].step(), parameters, gradient);
      adam.step(parameters, gradient, 0.001);
    }
  });
}

BENCHMARK_CAPTURE(plain_torch_step, enzymes_index_add, "enzymes", RowSum::kIndexAdd)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(kSteps);
BENCHMARK_CAPTURE(plain_torch_step, enzymes_scatter_add, "enzymes", RowSum::kScatterAdd)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(kSteps);
BENCHMARK_CAPTURE(plain_torch_step, imdb_m_index_add, "imdb-m", RowSum::kIndexAdd)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(kSteps);
BENCHMARK_CAPTURE(plain_torch_step, bace_index_add, "bace", RowSum::kIndexAdd)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(kSteps);
BENCHMARK_CAPTURE(reference_engine_step, enzymes, "enzymes")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(kSteps);
BENCHMARK_CAPTURE(reference_engine_step, imdb_m, "imdb-m")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(kSteps);
BENCHMARK_CAPTURE(reference_engine_step, bace, "bace")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(kSteps);

}  // namespace

// SPDX-License-Identifier: MIT
// The fast engine on rotating batches of real graphs: a fine-tuning step with its update, with and
// without folding nodes, and scoring by the frozen network in blocks of 64 graphs.
#include <benchmark/benchmark.h>

#include "bench/support/suite_batches.h"
#include "bench/support/with_data.h"
#include "sgood/graph/batch_writer.h"
#include "sgood/nn/adam.h"
#include "sgood/nn/cpu_engine.h"
#include "src/nn/cpu_engine_step.h"

namespace {

using namespace sgood;
using namespace sgood::bench;

constexpr std::size_t kBatches = 60;

void suite_step(benchmark::State& state, const char* suite, cpu::Folding folding) {
  with_data(state, [&] {
    const PreparedSuite& data = prepared_suite(suite);
    const ParameterLayout layout(data.shape);
    const auto engine = cpu::make_engine_with(data.shape, kernels::vector_kernels(), folding);
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

void frozen_encoding(benchmark::State& state, const char* suite) {
  with_data(state, [&] {
    const PreparedSuite& data = prepared_suite(suite);
    const ParameterLayout layout(data.shape);
    const std::vector<double> statistics(static_cast<std::size_t>(layout.num_statistics()), 1.0);
    const auto network =
        make_cpu_engine(data.shape)->freeze(layout.initial_parameters(Rng(1)), statistics);
    constexpr std::int32_t kBlock = 64;
    const auto population = static_cast<std::int32_t>(data.graphs.size());
    std::vector<PackedBatch> blocks;
    Rng rng(1);
    for (std::size_t i = 0; i < kBatches; ++i)
      blocks.push_back(pack_batch(data.graphs, rng.sample(population, kBlock),
                                  data.shape.code_columns, data.shape.num_dense, true));
    std::size_t next = 0;
    for (auto _ : state) benchmark::DoNotOptimize(network->encode(blocks[next++ % kBatches]));
    state.SetItemsProcessed(state.iterations() * kBlock);
  });
}

constexpr auto kFolded = cpu::Folding::kEqualNodes, kNotFolded = cpu::Folding::kNone;
BENCHMARK_CAPTURE(suite_step, enzymes, "enzymes", kFolded)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(suite_step, imdb_m, "imdb-m", kFolded)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(suite_step, bace, "bace", kFolded)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(suite_step, enzymes_not_folded, "enzymes", kNotFolded)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(suite_step, imdb_m_not_folded, "imdb-m", kNotFolded)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(suite_step, bace_not_folded, "bace", kNotFolded)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(frozen_encoding, enzymes, "enzymes")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frozen_encoding, imdb_m, "imdb-m")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(frozen_encoding, bace, "bace")->Unit(benchmark::kMicrosecond);

}  // namespace

// SPDX-License-Identifier: MIT
// One fine-tuning step (original and two views, both losses) and the scoring of a batch, on random
// graphs of the size of ENZYMES. Batches rotate: with a single one the branch predictor would learn
// it.
#include <benchmark/benchmark.h>

#include "sgood/nn/reference_engine.h"
#include "src/nn/cpu_engine_step.h"
#include "tests/nn/random_batch.h"

namespace {

using namespace sgood;

constexpr std::int32_t kGraphs = 128;
constexpr std::size_t kBatches = 16;

struct Step {
  PackedBatch original, view0, view1;
  std::vector<std::int32_t> labels;
  TrainingStep get() const { return {&original, labels, &view0, &view1, 0.1, 0.2}; }
};

NetworkShape enzymes_shape(Backbone backbone) {
  NetworkShape shape;
  shape.backbone = backbone;
  shape.vocabulary = 4;
  shape.num_classes = 6;
  return shape;
}

std::vector<Step> make_steps(const NetworkShape& shape) {
  Rng rng(1);
  std::vector<Step> steps(kBatches);
  for (Step& step : steps) {
    std::vector<PackedGraph> graphs;
    for (int g = 0; g < kGraphs; ++g)
      graphs.push_back(
          testing::random_graph(rng, shape, 9 + static_cast<std::int32_t>(rng.below(49)), 1.88));
    step.original = testing::batch_of(graphs, shape);
    step.view0 = testing::view_of(rng, graphs, shape);
    step.view1 = testing::batch_of(graphs, shape);
    for (const PackedGraph& graph : graphs) step.labels.push_back(*graph.label);
  }
  return steps;
}

const kernels::KernelTable<float>* kernels_at(std::size_t i) {
  const auto vectors = kernels::supported_vector_kernels();
  if (i == 0) return &kernels::plain_kernels<float>();
  return i <= vectors.size() ? vectors[i - 1] : nullptr;
}

void training_step(benchmark::State& state) {
  const NetworkShape shape = enzymes_shape(static_cast<Backbone>(state.range(0)));
  const auto* table = kernels_at(static_cast<std::size_t>(state.range(1)));
  if (table == nullptr) return state.SkipWithError("this machine has no such instructions");
  const std::vector<Step> steps = make_steps(shape);
  const auto engine = cpu::make_engine_with(shape, *table, cpu::Folding::kEqualNodes);
  const std::vector<float> parameters = testing::noisy_parameters(ParameterLayout(shape), 1);
  std::vector<float> gradient(parameters.size());
  std::size_t next = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        engine->loss_and_gradient(steps[next++ % kBatches].get(), parameters, gradient));
  state.SetLabel(std::string(backbone_name(shape.backbone)) + " " + table->name);
}
BENCHMARK(training_step)
    ->ArgsProduct({{0}, {0, 1, 2, 3}})
    ->Args({1, 3})
    ->Args({2, 3})
    ->Unit(benchmark::kMillisecond);

void scoring(benchmark::State& state) {
  const NetworkShape shape = enzymes_shape(Backbone::kGin);
  const auto* table = kernels_at(static_cast<std::size_t>(state.range(0)));
  if (table == nullptr) return state.SkipWithError("this machine has no such instructions");
  const std::vector<Step> steps = make_steps(shape);
  const ParameterLayout layout(shape);
  const std::vector<float> parameters = testing::noisy_parameters(layout, 1);
  std::vector<double> statistics(static_cast<std::size_t>(layout.num_statistics()), 1.0);
  const auto network = cpu::make_engine_with(shape, *table, cpu::Folding::kEqualNodes)
                           ->freeze(parameters, statistics);
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(network->encode(steps[next++ % kBatches].original));
  state.SetItemsProcessed(state.iterations() * kGraphs);
  state.SetLabel(std::string("gin ") + table->name);
}
BENCHMARK(scoring)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

}  // namespace

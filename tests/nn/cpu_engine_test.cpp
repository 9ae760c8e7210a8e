// SPDX-License-Identifier: MIT
#include "sgood/nn/cpu_engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sgood/core/error.h"
#include "sgood/nn/reference_engine.h"
#include "src/nn/cpu_engine_step.h"
#include "tests/nn/random_batch.h"

namespace sgood {
namespace {

using testing::batch_of;
using testing::noisy_parameters;
using testing::random_graphs;
using testing::view_of;

/// Random graphs as one training step.
struct Problem {
  NetworkShape shape;
  std::vector<float> parameters;
  PackedBatch original, view0, view1;
  std::vector<std::int32_t> labels;

  Problem(const NetworkShape& network, std::uint64_t seed, std::int32_t num_graphs = 40,
          bool self_loops = true)
      : shape(network), parameters(noisy_parameters(ParameterLayout(network), seed)) {
    Rng rng(seed);
    const auto graphs = random_graphs(rng, shape, num_graphs, 20, true);
    original = batch_of(graphs, shape, self_loops);
    view0 = view_of(rng, graphs, shape, self_loops);
    view1 = view_of(rng, graphs, shape, self_loops);
    for (const PackedGraph& graph : graphs) labels.push_back(*graph.label);
  }
  TrainingStep step() const { return {&original, labels, &view0, &view1, 0.5, 0.2}; }
};

struct Result {
  StepLoss loss;
  std::vector<float> gradient;
};

Result run(Engine& engine, const Problem& problem) {
  Result result;
  result.gradient.resize(problem.parameters.size());
  result.loss = engine.loss_and_gradient(problem.step(), problem.parameters, result.gradient);
  return result;
}

void expect_close_to_double(const Problem& problem, const Result& result) {
  const std::vector<double> exact(problem.parameters.begin(), problem.parameters.end());
  std::vector<double> gradient(exact.size());
  const StepLoss loss = reference_loss_and_gradient(problem.shape, problem.step(), exact, gradient);
  EXPECT_NEAR(result.loss.cross_entropy, loss.cross_entropy, 1e-5 * loss.cross_entropy);
  EXPECT_NEAR(result.loss.contrastive, loss.contrastive, 1e-5 * std::abs(loss.contrastive));
  EXPECT_NEAR(result.loss.total, loss.total, 1e-5 * std::abs(loss.total));
  const ParameterLayout layout(problem.shape);
  for (const Slot& slot : layout.slots()) {
    double largest = 0, worst = 0;
    for (auto i = static_cast<std::size_t>(slot.offset);
         i < static_cast<std::size_t>(slot.offset + slot.size()); ++i) {
      largest = std::max(largest, std::abs(gradient[i]));
      worst = std::max(worst, std::abs(gradient[i] - static_cast<double>(result.gradient[i])));
    }
    EXPECT_LE(worst, 1e-3 * largest + 1e-9) << slot.name;
  }
}

NetworkShape shape_of(Backbone backbone, bool super_graph, std::int32_t width) {
  NetworkShape shape;
  shape.backbone = backbone;
  shape.super_graph = super_graph;
  shape.width = width;
  shape.vocabulary = 21;
  shape.code_columns = 3;
  shape.num_dense = 5;
  shape.num_classes = 6;
  return shape;
}

TEST(CpuEngine, AgreesWithDoubleLoopsOnEveryMachineBackboneAndWidth) {
  for (const auto* table : kernels::supported_vector_kernels())
    for (const Backbone backbone : {Backbone::kGin, Backbone::kGcn, Backbone::kSage})
      for (const bool super_graph : {true, false})
        for (const std::int32_t width : {16, 32}) {
          SCOPED_TRACE(fmt::format("{} {} super={} width={}", table->name, backbone_name(backbone),
                                   super_graph, width));
          // At some seeds a unit stands at the kink of ReLU, where gradients jump.
          const Problem problem(shape_of(backbone, super_graph, width), 18);
          const auto engine = cpu::make_engine_with(problem.shape, *table, cpu::Folding::kNone);
          expect_close_to_double(problem, run(*engine, problem));
        }
}

TEST(CpuEngine, AgreesWithDoubleLoopsWithoutSelfLoops) {
  for (const Backbone backbone : {Backbone::kGin, Backbone::kGcn, Backbone::kSage}) {
    const Problem problem(shape_of(backbone, true, 16), 23, 40, false);
    expect_close_to_double(problem, run(*make_cpu_engine(problem.shape), problem));
  }
}

TEST(CpuEngine, TakesAnyWidth) {
  const Problem problem(shape_of(Backbone::kGin, true, 5), 29);
  expect_close_to_double(problem, run(*make_cpu_engine(problem.shape), problem));
}

TEST(CpuEngine, TakesFeaturesOfOneKindAlone) {
  NetworkShape codes = shape_of(Backbone::kGin, true, 16);
  codes.num_dense = 0;
  NetworkShape dense = shape_of(Backbone::kGin, true, 16);
  dense.vocabulary = dense.code_columns = 0;
  for (const NetworkShape& shape : {codes, dense}) {
    const Problem problem(shape, 31);
    expect_close_to_double(problem, run(*make_cpu_engine(problem.shape), problem));
  }
}

TEST(CpuEngine, MachinesWithFusedProductsGiveEqualBits) {
  for (const Backbone backbone : {Backbone::kGin, Backbone::kGcn, Backbone::kSage}) {
    const Problem problem(shape_of(backbone, true, 16), 37);
    std::vector<Result> results;
    for (const auto* table : kernels::supported_vector_kernels())
      if (std::string_view(table->name) != "baseline")
        results.push_back(
            run(*cpu::make_engine_with(problem.shape, *table, cpu::Folding::kNone), problem));
    for (const Result& result : results) {
      EXPECT_EQ(result.loss.total, results.front().loss.total);
      EXPECT_EQ(result.gradient, results.front().gradient);
    }
  }
}

TEST(CpuEngine, GivesTheSameBitsWhateverRanBefore) {
  const Problem large(shape_of(Backbone::kGin, true, 16), 41, 60);
  const Problem small(shape_of(Backbone::kGin, true, 16), 43, 7);
  const auto engine = make_cpu_engine(large.shape);
  const Result first = run(*engine, small);
  run(*engine, large);
  const Result again = run(*engine, small);
  EXPECT_EQ(first.loss.total, again.loss.total);
  EXPECT_EQ(first.gradient, again.gradient);
}

TEST(CpuEngine, ContrastiveGradientIsProportionalToItsWeight) {
  const Problem problem(shape_of(Backbone::kGin, true, 16), 47);
  const auto engine = make_cpu_engine(problem.shape);
  TrainingStep step{nullptr, {}, &problem.view0, &problem.view1, 1.0, 0.2};
  std::vector<float> whole(problem.parameters.size()), tenth(whole.size());
  const StepLoss a = engine->loss_and_gradient(step, problem.parameters, whole);
  step.contrastive_weight = 0.1;
  const StepLoss b = engine->loss_and_gradient(step, problem.parameters, tenth);
  EXPECT_EQ(a.contrastive, b.contrastive);
  EXPECT_DOUBLE_EQ(b.total, 0.1 * a.total);
  const float top = *std::max_element(whole.begin(), whole.end());
  for (std::size_t i = 0; i < whole.size(); ++i)
    EXPECT_NEAR(0.1F * whole[i], tenth[i], 1e-5F * top);
}

TEST(CpuEngine, ABatchInTwoPartsCountsAsItsCopy) {
  Problem problem(shape_of(Backbone::kGin, true, 16), 61);
  const PackedBatch copies[2] = {problem.original, problem.original};
  const auto engine = make_cpu_engine(problem.shape);
  const PackedBatch *a = &problem.original, *b = &problem.view1;
  const std::array<const PackedBatch*, 3> wanted[] = {
      {a, a, b}, {a, b, a}, {a, a, a}, {nullptr, b, b}};
  for (const auto& [original, view0, view1] : wanted) {
    TrainingStep step = problem.step();
    if (original == nullptr) step.labels = {};
    std::vector<float> shared(problem.parameters.size()), apart(shared.size());
    step.original = original, step.view0 = view0, step.view1 = view1;
    const StepLoss once = engine->loss_and_gradient(step, problem.parameters, shared);
    const PackedBatch copy_of_b = *b;
    if (view0 == a) step.view0 = &copies[0];
    if (view1 == a) step.view1 = &copies[1];
    if (view0 == view1 && view0 == b) step.view1 = &copy_of_b;
    const StepLoss thrice = engine->loss_and_gradient(step, problem.parameters, apart);
    EXPECT_EQ(once.total, thrice.total);
    const float top = *std::max_element(apart.begin(), apart.end());
    for (std::size_t i = 0; i < apart.size(); ++i) ASSERT_NEAR(shared[i], apart[i], 1e-5F * top);
  }
}

TEST(CpuEngine, CodesInATableGiveTheSameLossAndGradient) {
  for (const Backbone backbone : {Backbone::kGin, Backbone::kGcn, Backbone::kSage}) {
    NetworkShape shape = shape_of(backbone, true, 16);
    shape.code_columns = 3;
    Rng rng(67);
    std::vector<PackedGraph> graphs = random_graphs(rng, shape, 40, 20, true);
    const auto run_on = [&](const CodeTable* table, std::int32_t columns) {
      NetworkShape narrow = shape;
      narrow.code_columns = columns;
      PackedBatch batch = batch_of(graphs, narrow);
      batch.code_table = table;
      std::vector<std::int32_t> labels;
      for (const PackedGraph& graph : graphs) labels.push_back(*graph.label);
      const auto parameters = noisy_parameters(ParameterLayout(shape), 5);
      Result result;
      result.gradient.resize(parameters.size());
      result.loss = make_cpu_engine(shape)->loss_and_gradient(
          {&batch, labels, &batch, &batch, 0.5, 0.2}, parameters, result.gradient);
      return result;
    };
    const Result plain = run_on(nullptr, 3);
    const auto table = tabulate_codes(graphs, 3);
    ASSERT_TRUE(table);
    const Result tabulated = run_on(&*table, 1);
    EXPECT_EQ(plain.loss.total, tabulated.loss.total);
    const float top = *std::max_element(plain.gradient.begin(), plain.gradient.end());
    for (std::size_t i = 0; i < plain.gradient.size(); ++i)
      ASSERT_NEAR(plain.gradient[i], tabulated.gradient[i], 1e-5F * top);
  }
}

TEST(CpuEngine, TheLowestTemperatureNeitherUnderflowsNorOverflows) {
  const Problem problem(shape_of(Backbone::kGin, true, 16), 53);
  TrainingStep step{nullptr, {}, &problem.view0, &problem.view1, 1.0, kSmallestTemperature};
  const std::vector<double> exact(problem.parameters.begin(), problem.parameters.end());
  std::vector<double> expected(exact.size());
  const StepLoss loss = reference_loss_and_gradient(problem.shape, step, exact, expected);
  std::vector<float> gradient(exact.size());
  const StepLoss fast =
      make_cpu_engine(problem.shape)->loss_and_gradient(step, problem.parameters, gradient);
  EXPECT_NEAR(fast.total, loss.total, 1e-4 * std::abs(loss.total));
  for (const float g : gradient) ASSERT_TRUE(std::isfinite(g));
  step.temperature = 0.99 * kSmallestTemperature;
  EXPECT_THROW(
      make_cpu_engine(problem.shape)->loss_and_gradient(step, problem.parameters, gradient),
      InvalidArgument);
}

TEST(CpuEngine, BatchStatisticsAreMeanAndBiasedVarianceOfTheFirstMessages) {
  // One dense column and weight 1 everywhere: the first message of an isolated node is its feature.
  NetworkShape shape;
  shape.vocabulary = shape.code_columns = 0;
  shape.num_dense = 1;
  shape.width = 16;
  const ParameterLayout layout(shape);
  std::vector<float> parameters = layout.initial_parameters(Rng(1));
  const Slot& weight = layout.slot("node.0.linear1.weight");
  std::fill_n(parameters.begin() + weight.offset, weight.size(), 1.0F);
  Rng rng(2);
  PackedGraph graph = testing::random_graph(rng, shape, 4, 0.0);
  graph.dense = {1, 2, 3, 1002};
  std::vector<double> statistics(static_cast<std::size_t>(layout.num_statistics()));
  make_cpu_engine(shape)->batch_statistics(batch_of({graph}, shape), parameters, statistics);
  EXPECT_NEAR(statistics[static_cast<std::size_t>(layout.statistic("node.0.bn1.mean").offset)],
              252.0, 1e-4);
  EXPECT_NEAR(statistics[static_cast<std::size_t>(layout.statistic("node.0.bn1.var").offset)],
              187500.5, 0.1);
}

TEST(CpuEngine, RefusesStepsThatCannotBeComputed) {
  const Problem problem(shape_of(Backbone::kGin, true, 16), 59, 6);
  const auto engine = make_cpu_engine(problem.shape);
  std::vector<float> gradient(problem.parameters.size());
  const auto run_step = [&](const TrainingStep& step) {
    engine->loss_and_gradient(step, problem.parameters, gradient);
  };
  EXPECT_THROW(run_step({}), InvalidArgument);
  Rng rng(1);
  const std::vector<PackedGraph> one = {testing::random_graph(rng, problem.shape, 4)};
  const PackedBatch single = batch_of(one, problem.shape);
  EXPECT_THROW(run_step({nullptr, {}, &single, &single, 1, 0.2}), InvalidArgument);
  EXPECT_THROW(run_step({nullptr, {}, &problem.view0, nullptr, 1, 0.2}), InvalidArgument);
  EXPECT_THROW(run_step({nullptr, {}, &problem.view0, &single, 1, 0.2}), InvalidArgument);
  EXPECT_THROW(run_step({nullptr, {}, &problem.view0, &problem.view1, 1, 0}), InvalidArgument);
  const std::vector<std::int32_t> high = {6}, few = {};
  EXPECT_THROW(run_step({&single, high, nullptr, nullptr, 1, 0.2}), InvalidArgument);
  EXPECT_THROW(run_step({&single, few, nullptr, nullptr, 1, 0.2}), InvalidArgument);
  NetworkShape other = problem.shape;
  other.num_dense = 1;
  const PackedBatch wrong = batch_of({testing::random_graph(rng, other, 4)}, other);
  const std::vector<std::int32_t> label = {0};
  EXPECT_THROW(run_step({&wrong, label, nullptr, nullptr, 1, 0.2}), InvalidArgument);
}

}  // namespace
}  // namespace sgood

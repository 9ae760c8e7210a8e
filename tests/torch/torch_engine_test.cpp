// SPDX-License-Identifier: MIT
#include "sgood/torch/torch_engine.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "sgood/core/error.h"
#include "tests/torch/random_graphs.h"

namespace sgood {
namespace {

using testing::Stage;

constexpr TorchOptions kDouble = {TorchPrecision::kDouble, TorchDevice::kCpu};

void expect_near(std::span<const double> actual, std::span<const double> expected,
                 double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], tolerance * std::max(1.0, std::abs(expected[i])))
        << "element " << i;
}

void expect_near(const Encoding& actual, const Encoding& expected, double tolerance) {
  expect_near(actual.node_sum.values, expected.node_sum.values, tolerance);
  expect_near(actual.super_sum.values, expected.super_sum.values, tolerance);
  expect_near(actual.logits.values, expected.logits.values, tolerance);
}

struct Golden {
  nlohmann::json json;

  Golden() {
    std::ifstream file(SGOOD_TEST_FOLDER "/golden/torch_forward.json");
    json = nlohmann::json::parse(file);
  }

  PackedBatch batch(const char* names) const {
    std::vector<PackedGraph> graphs;
    for (const auto& name : json.at(names)) {
      const auto& entry = json.at("graphs").at(name.get<std::string>());
      GraphBuilder builder(entry.at("nodes"));
      for (const auto& edge : entry.at("edges")) builder.add_edge(edge[0], edge[1]);
      std::vector<std::int32_t> order(entry.at("nodes").get<std::size_t>());
      std::iota(order.begin(), order.end(), 0);
      graphs.push_back(pack_graph(builder.build(), Partition(entry.at("blocks")), order,
                                  {entry.at("codes"), entry.at("dense")}));
    }
    NetworkShape columns;
    columns.num_dense = 1;
    return testing::pack_all(graphs, columns);
  }

  static NetworkShape shape(const nlohmann::json& entry) {
    return {.backbone = parse_backbone(entry.at("backbone").get<std::string>()),
            .vocabulary = 2,
            .code_columns = 1,
            .num_dense = 1,
            .node_layers = 2,
            .super_layers = 1,
            .width = 2,
            .num_classes = 2,
            .super_graph = entry.at("super_graph")};
  }
};

TEST(TorchEngine, ReproducesTheNumpyNetwork) {
  const Golden golden;
  const PackedBatch original = golden.batch("original");
  const PackedBatch view0 = golden.batch("view0"), view1 = golden.batch("view1");
  const std::vector<std::int32_t> labels = golden.json.at("labels");
  TrainingStep step{&original, labels, &view0, &view1};
  step.temperature = golden.json.at("temperature");
  step.contrastive_weight = golden.json.at("contrastive_weight");

  for (const auto& entry : golden.json.at("cases")) {
    SCOPED_TRACE(entry.at("backbone").get<std::string>());
    const auto engine = make_torch_engine(Golden::shape(entry), kDouble);
    const std::vector<float> parameters = entry.at("parameters");
    std::vector<float> gradient(parameters.size());
    const StepLoss loss = engine->loss_and_gradient(step, parameters, gradient);
    EXPECT_NEAR(loss.cross_entropy, entry.at("cross_entropy").get<double>(), 1e-12);
    EXPECT_NEAR(loss.contrastive, entry.at("contrastive").get<double>(), 1e-12);
    EXPECT_NEAR(loss.total, entry.at("total").get<double>(), 1e-12);

    const std::vector<double> expected = entry.at("statistics");
    std::vector<double> statistics(expected.size());
    engine->batch_statistics(original, parameters, statistics);
    expect_near(statistics, expected, 1e-12);

    const Encoding encoding = engine->freeze(parameters, statistics)->encode(view1);
    const auto& frozen = entry.at("frozen");
    expect_near(encoding.node_sum.values, frozen.at("node_sum").get<std::vector<double>>(), 1e-11);
    expect_near(encoding.super_sum.values, frozen.at("super_sum").get<std::vector<double>>(),
                1e-11);
    expect_near(encoding.logits.values, frozen.at("logits").get<std::vector<double>>(), 1e-11);
  }
}

class TorchEngineOf : public ::testing::TestWithParam<std::tuple<Backbone, bool>> {
 protected:
  const NetworkShape shape_ =
      testing::small_shape(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const ParameterLayout layout_{shape_};
  Rng rng_{11};
  const std::vector<PackedGraph> graphs_ = testing::odd_graphs(shape_, rng_);
  const std::vector<float> parameters_ = testing::random_parameters(layout_, rng_);
  const std::vector<double> statistics_ = testing::random_statistics(layout_, rng_);
};

TEST_P(TorchEngineOf, FrozenEncodingOfAGraphDoesNotDependOnItsBatch) {
  std::vector<PackedGraph> many;
  for (int i = 0; i < 90; ++i) many.insert(many.end(), graphs_.begin(), graphs_.end());
  const auto frozen = make_torch_engine(shape_)->freeze(parameters_, statistics_);
  const Encoding all = frozen->encode(testing::pack_all(many, shape_));
  ASSERT_EQ(all.node_sum.rows, 630);
  const auto active = std::count_if(all.node_sum.values.begin(), all.node_sum.values.end(),
                                    [](double x) { return x != 0; });
  EXPECT_GT(active, 630 * shape_.node_width() / 4);
  for (std::size_t g = 0; g < many.size(); g += 37) {
    const Encoding one = frozen->encode(testing::pack_all({many[g]}, shape_));
    const auto row = static_cast<std::int64_t>(g);
    expect_near(all.node_sum.row(row), one.node_sum.row(0), 1e-13);
    expect_near(all.super_sum.row(row), one.super_sum.row(0), 1e-13);
    expect_near(all.logits.row(row), one.logits.row(0), 1e-13);
  }
}

TEST_P(TorchEngineOf, EmptyGraphsAndEmptyBatchesAreEncoded) {
  const auto frozen = make_torch_engine(shape_)->freeze(parameters_, statistics_);
  const Encoding none = frozen->encode(testing::pack_all({}, shape_));
  EXPECT_EQ(none.node_sum.rows, 0);
  EXPECT_EQ(none.super_sum.cols, shape_.super_width());

  const PackedGraph empty;
  const Encoding one = frozen->encode(testing::pack_all({empty}, shape_));
  expect_near(one.node_sum.values, std::vector<double>(one.node_sum.values.size()), 0);
  const Slot& bias = layout_.slot("classifier.bias");
  for (std::int64_t c = 0; c < shape_.num_classes; ++c)
    EXPECT_EQ(one.logits(0, c), parameters_[static_cast<std::size_t>(bias.offset + c)]);

  std::vector<double> statistics(statistics_.size(), -1);
  make_torch_engine(shape_)->batch_statistics(testing::pack_all({empty}, shape_), parameters_,
                                              statistics);
  expect_near(statistics, std::vector<double>(statistics.size()), 0);
}

TEST_P(TorchEngineOf, FreezingWithABatchsOwnStatisticsGivesThatBatchsLogits) {
  Rng rng(12);
  const testing::StepData data(graphs_, shape_, rng);
  const auto engine = make_torch_engine(shape_, kDouble);
  std::vector<double> statistics(statistics_.size());
  engine->batch_statistics(data.original, parameters_, statistics);
  const Encoding encoding = engine->freeze(parameters_, statistics)->encode(data.original);
  double expected = 0;
  for (std::int64_t g = 0; g < encoding.logits.rows; ++g) {
    double sum = 0;
    for (const double logit : encoding.logits.row(g)) sum += std::exp(logit);
    expected += std::log(sum) - encoding.logits(g, data.labels[static_cast<std::size_t>(g)]);
  }
  std::vector<float> gradient(parameters_.size());
  const StepLoss loss =
      engine->loss_and_gradient(data.step(Stage::kClassification), parameters_, gradient);
  EXPECT_NEAR(loss.total, expected / static_cast<double>(encoding.logits.rows), 1e-12);
}

TEST_P(TorchEngineOf, EncodesFromSeveralThreadsAtOnce) {
  const auto frozen = make_torch_engine(shape_)->freeze(parameters_, statistics_);
  const PackedBatch batch = testing::pack_all(graphs_, shape_);
  const Encoding expected = frozen->encode(batch);
  std::vector<Encoding> results(4);
  {
    std::vector<std::jthread> threads;
    for (Encoding& result : results)
      threads.emplace_back([&] {
        for (int i = 0; i < 10; ++i) result = frozen->encode(batch);
      });
  }
  for (const Encoding& result : results) expect_near(result, expected, 0);
}

TEST_P(TorchEngineOf, FloatAndDoubleAgreeAndRepeatBitForBit) {
  Rng rng(13);
  const testing::StepData data(graphs_, shape_, rng);
  const TrainingStep step = data.step(Stage::kFineTuning);
  const auto single = make_torch_engine(shape_);
  std::vector<float> first(parameters_.size()), second(parameters_.size()),
      exact(parameters_.size());
  const StepLoss loss = single->loss_and_gradient(step, parameters_, first);
  EXPECT_EQ(single->loss_and_gradient(step, parameters_, second).total, loss.total);
  EXPECT_EQ(first, second);
  EXPECT_NEAR(make_torch_engine(shape_, kDouble)->loss_and_gradient(step, parameters_, exact).total,
              loss.total, 1e-4);
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(first[i], exact[i], 1e-3);
}

TEST_P(TorchEngineOf, CudaAgreesWithTheCpuOrIsUnavailable) {
  const TorchOptions cuda = {TorchPrecision::kDouble, TorchDevice::kCuda};
  if (!at::hasCUDA()) {
    EXPECT_THROW(make_torch_engine(shape_, cuda), Unavailable);
    return;
  }
  Rng rng(14);
  const testing::StepData data(graphs_, shape_, rng);
  const TrainingStep step = data.step(Stage::kFineTuning);
  std::vector<float> on_cpu(parameters_.size()), on_cuda(parameters_.size());
  const auto cpu_engine = make_torch_engine(shape_, kDouble);
  const auto cuda_engine = make_torch_engine(shape_, cuda);
  EXPECT_NEAR(cuda_engine->loss_and_gradient(step, parameters_, on_cuda).total,
              cpu_engine->loss_and_gradient(step, parameters_, on_cpu).total, 1e-10);
  for (std::size_t i = 0; i < on_cpu.size(); ++i) EXPECT_NEAR(on_cuda[i], on_cpu[i], 1e-6);
  expect_near(cuda_engine->freeze(parameters_, statistics_)->encode(data.original),
              cpu_engine->freeze(parameters_, statistics_)->encode(data.original), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(AllNetworks, TorchEngineOf,
                         ::testing::Combine(::testing::ValuesIn(testing::kBackbones),
                                            ::testing::Bool()));

TEST(TorchEngine, ListsWithoutSuperSelfLoopsGiveAnotherEncodingExceptForGcn) {
  for (const Backbone backbone : testing::kBackbones) {
    const NetworkShape shape = testing::small_shape(backbone, true);
    const ParameterLayout layout(shape);
    Rng rng(15);
    const std::vector<PackedGraph> graphs = testing::odd_graphs(shape, rng);
    const std::vector<float> parameters = testing::random_parameters(layout, rng);
    const auto frozen =
        make_torch_engine(shape)->freeze(parameters, testing::random_statistics(layout, rng));
    const Encoding with = frozen->encode(testing::pack_all(graphs, shape, true));
    const Encoding without = frozen->encode(testing::pack_all(graphs, shape, false));
    double difference = 0;
    for (std::size_t i = 0; i < with.super_sum.values.size(); ++i)
      difference =
          std::max(difference, std::abs(with.super_sum.values[i] - without.super_sum.values[i]));
    // GCN adds the self-loop itself when the lists lack it.
    if (backbone == Backbone::kGcn)
      EXPECT_LT(difference, 1e-12);
    else
      EXPECT_GT(difference, 1e-3);
  }
}

TEST(TorchEngine, BatchesThatDoNotFitTheNetworkAreRefused) {
  const NetworkShape shape = testing::small_shape(Backbone::kGin, true);
  const ParameterLayout layout(shape);
  Rng rng(16);
  const std::vector<float> parameters = testing::random_parameters(layout, rng);
  const std::vector<double> statistics = testing::random_statistics(layout, rng);
  const auto engine = make_torch_engine(shape);
  const auto frozen = engine->freeze(parameters, statistics);
  const auto refused = [&](auto change) {
    NetworkShape other = shape;
    change(other);
    const std::vector<PackedGraph> graphs = {testing::random_graph(other, 40, 20, 2, rng)};
    EXPECT_THROW(frozen->encode(testing::pack_all(graphs, other)), InvalidArgument);
  };
  refused([](NetworkShape& other) { other.code_columns = 1; });
  refused([](NetworkShape& other) { other.num_dense = 3; });
  refused([](NetworkShape& other) { other.vocabulary = 50; });
  EXPECT_THROW(engine->freeze(std::span(parameters).first(3), statistics), InvalidArgument);
  EXPECT_THROW(engine->freeze(parameters, std::span(statistics).first(3)), InvalidArgument);
}

}  // namespace
}  // namespace sgood

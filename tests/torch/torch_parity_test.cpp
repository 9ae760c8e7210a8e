// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

#include "sgood/nn/cpu_engine.h"
#include "sgood/nn/reference_engine.h"
#include "sgood/torch/torch_engine.h"
#include "src/torch/torch_network.h"
#include "tests/torch/random_graphs.h"

namespace sgood {
namespace {

using testing::Stage;

/// Largest difference of two arrays, relative to the largest element.
template <typename T>
double difference(const std::vector<T>& a, const std::vector<T>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0, scale = 1e-3;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    scale = std::max(scale, std::abs(static_cast<double>(b[i])));
  }
  return largest / scale;
}

/// The CPU engine computes in float, the LibTorch engine here in double.
class TorchParity : public ::testing::TestWithParam<std::tuple<Backbone, bool, std::int32_t>> {
 protected:
  static NetworkShape make_shape() {
    const auto [backbone, super_graph, width] = GetParam();
    NetworkShape shape = testing::small_shape(backbone, super_graph);
    shape.width = width;
    shape.node_layers = 3;
    return shape;
  }
  static std::vector<PackedGraph> make_graphs(const NetworkShape& shape, Rng& rng) {
    std::vector<PackedGraph> graphs = testing::odd_graphs(shape, rng);
    for (int i = 0; i < 25; ++i)
      graphs.push_back(testing::random_graph(shape, 20 + 2 * (i % 7), 40, 1 + i % 6, rng));
    return graphs;
  }

  const NetworkShape shape_ = make_shape();
  const ParameterLayout layout_{shape_};
  Rng rng_{31};
  const std::vector<PackedGraph> graphs_ = make_graphs(shape_, rng_);
  const testing::StepData data_{graphs_, shape_, rng_};
  const std::vector<float> parameters_ = testing::random_parameters(layout_, rng_);
  const std::unique_ptr<Engine> torch_ =
      make_torch_engine(shape_, {TorchPrecision::kDouble, TorchDevice::kCpu});
  const std::unique_ptr<Engine> cpu_ = make_cpu_engine(shape_);
};

TEST_P(TorchParity, PlainLoopsInDoubleAgreeToRounding) {
  double largest = 0;
  for (const Stage stage : {Stage::kPreTraining, Stage::kFineTuning, Stage::kClassification}) {
    const TrainingStep step = data_.step(stage);
    const std::vector<double> parameters(parameters_.begin(), parameters_.end());
    const at::Tensor leaf = at::tensor(parameters, at::kDouble).requires_grad_();
    const TorchLoss expected = training_loss(TorchNetwork(layout_, leaf), step);
    expected.total.backward();
    std::vector<double> actual(parameters.size());
    const StepLoss loss = reference_loss_and_gradient(shape_, step, parameters, actual);
    EXPECT_NEAR(loss.cross_entropy, expected.cross_entropy.item<double>(), 1e-10);
    EXPECT_NEAR(loss.contrastive, expected.contrastive.item<double>(), 1e-10);
    EXPECT_NEAR(loss.total, expected.total.item<double>(), 1e-10);
    const double* gradient = leaf.grad().data_ptr<double>();
    largest = std::max(largest,
                       difference(actual, std::vector<double>(gradient, gradient + actual.size())));
  }
  EXPECT_LT(largest, 1e-9);
  RecordProperty("largest_relative_difference", fmt::format("{:.1e}", largest));
}

TEST_P(TorchParity, LossesAndGradientsOfTheCpuEngineAgree) {
  double largest = 0;
  for (const Stage stage : {Stage::kPreTraining, Stage::kFineTuning, Stage::kClassification}) {
    const TrainingStep step = data_.step(stage);
    std::vector<float> expected(parameters_.size()), actual(parameters_.size());
    const StepLoss reference = torch_->loss_and_gradient(step, parameters_, expected);
    const StepLoss loss = cpu_->loss_and_gradient(step, parameters_, actual);
    EXPECT_NEAR(loss.cross_entropy, reference.cross_entropy,
                1e-4 * (1 + std::abs(reference.cross_entropy)));
    EXPECT_NEAR(loss.contrastive, reference.contrastive,
                1e-4 * (1 + std::abs(reference.contrastive)));
    EXPECT_NEAR(loss.total, reference.total, 1e-4 * (1 + std::abs(reference.total)));
    for (const Slot& slot : layout_.slots()) {
      const auto part = [&](const std::vector<float>& all) {
        return std::vector<float>(all.begin() + slot.offset,
                                  all.begin() + slot.offset + slot.size());
      };
      const double relative = difference(part(actual), part(expected));
      EXPECT_LT(relative, 3e-4) << slot.name;
      largest = std::max(largest, relative);
    }
  }
  RecordProperty("largest_relative_difference", fmt::format("{:.1e}", largest));
}

TEST_P(TorchParity, BatchStatisticsAndFrozenEncodingsOfTheCpuEngineAgree) {
  std::vector<double> expected(static_cast<std::size_t>(layout_.num_statistics()));
  std::vector<double> actual(expected.size());
  torch_->batch_statistics(data_.original, parameters_, expected);
  cpu_->batch_statistics(data_.original, parameters_, actual);
  EXPECT_LT(difference(actual, expected), 1e-5);

  for (const bool super_self_loops : {true, false}) {
    const PackedBatch batch = testing::pack_all(graphs_, shape_, super_self_loops);
    const Encoding reference = torch_->freeze(parameters_, expected)->encode(batch);
    const Encoding encoding = cpu_->freeze(parameters_, expected)->encode(batch);
    EXPECT_LT(difference(encoding.node_sum.values, reference.node_sum.values), 1e-5);
    EXPECT_LT(difference(encoding.super_sum.values, reference.super_sum.values), 1e-5);
    EXPECT_LT(difference(encoding.logits.values, reference.logits.values), 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(AllNetworks, TorchParity,
                         ::testing::Combine(::testing::ValuesIn(testing::kBackbones),
                                            ::testing::Bool(), ::testing::Values(5, 16)));

}  // namespace
}  // namespace sgood

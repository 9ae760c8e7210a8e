// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "sgood/nn/cpu_engine.h"
#include "sgood/torch/torch_engine.h"
#include "tests/torch/random_graphs.h"

namespace sgood {
namespace {

using testing::Stage;

constexpr Stage kStages[] = {Stage::kPreTraining, Stage::kFineTuning, Stage::kClassification};

/// |actual - expected| / |expected|, Euclidean lengths.
template <typename T>
double relative_error(at::ArrayRef<T> actual, at::ArrayRef<T> expected) {
  const at::Tensor reference = at::tensor(expected, at::kDouble);
  const at::Tensor error = at::tensor(actual, at::kDouble) - reference;
  return (error.norm() / reference.norm().clamp_min(1e-3)).template item<double>();
}

/// A batch of the size that users train on.
class TorchCuda : public ::testing::TestWithParam<Backbone> {
 protected:
  void SetUp() override {
    if (!at::hasCUDA()) GTEST_SKIP() << "needs a CUDA device";
  }

  static NetworkShape make_shape() {
    NetworkShape shape = testing::small_shape(GetParam(), true);
    shape.width = 16;
    shape.node_layers = 3;
    return shape;
  }
  static std::vector<PackedGraph> make_graphs(const NetworkShape& shape, Rng& rng) {
    std::vector<PackedGraph> graphs = testing::odd_graphs(shape, rng);
    while (graphs.size() < 128)
      graphs.push_back(testing::random_graph(shape, 20 + testing::random_below(rng, 20), 40,
                                             1 + testing::random_below(rng, 6), rng));
    return graphs;
  }
  std::unique_ptr<Engine> torch_engine(TorchPrecision precision, TorchDevice device) const {
    return make_torch_engine(shape_, {precision, device});
  }

  const NetworkShape shape_ = make_shape();
  const ParameterLayout layout_{shape_};
  Rng rng_{41};
  const std::vector<PackedGraph> graphs_ = make_graphs(shape_, rng_);
  const testing::StepData data_{graphs_, shape_, rng_};
  const std::vector<float> parameters_ = testing::random_parameters(layout_, rng_);
};

TEST_P(TorchCuda, LossesAndEveryGradientAgreeWithTheCpuInDouble) {
  const auto cpu = torch_engine(TorchPrecision::kDouble, TorchDevice::kCpu);
  const auto cuda = torch_engine(TorchPrecision::kDouble, TorchDevice::kCuda);
  double largest = 0;
  for (const Stage stage : kStages) {
    std::vector<float> expected(parameters_.size()), actual(parameters_.size());
    const StepLoss reference = cpu->loss_and_gradient(data_.step(stage), parameters_, expected);
    const StepLoss loss = cuda->loss_and_gradient(data_.step(stage), parameters_, actual);
    EXPECT_NEAR(loss.cross_entropy, reference.cross_entropy, 1e-10);
    EXPECT_NEAR(loss.contrastive, reference.contrastive, 1e-10);
    EXPECT_NEAR(loss.total, reference.total, 1e-10);
    for (const Slot& slot : layout_.slots()) {
      const auto part = [&](const std::vector<float>& all) {
        return at::ArrayRef<float>(all).slice(static_cast<std::size_t>(slot.offset),
                                              static_cast<std::size_t>(slot.size()));
      };
      const double error = relative_error(part(actual), part(expected));
      EXPECT_LT(error, 1e-6) << slot.name;
      largest = std::max(largest, error);
    }
  }
  RecordProperty("largest_relative_error", fmt::format("{:.1e}", largest));
}

TEST_P(TorchCuda, TrainingInFloatAgreesWithBothCpuEngines) {
  const auto cuda = torch_engine(TorchPrecision::kFloat, TorchDevice::kCuda);
  const auto torch = torch_engine(TorchPrecision::kFloat, TorchDevice::kCpu);
  const auto fused = make_cpu_engine(shape_);
  double largest = 0;
  for (Engine* cpu : {torch.get(), fused.get()})
    for (const Stage stage : kStages) {
      std::vector<float> expected(parameters_.size()), actual(parameters_.size());
      const StepLoss reference = cpu->loss_and_gradient(data_.step(stage), parameters_, expected);
      const StepLoss loss = cuda->loss_and_gradient(data_.step(stage), parameters_, actual);
      EXPECT_NEAR(loss.total, reference.total, 1e-5 * (1 + std::abs(reference.total)));
      largest = std::max(largest, relative_error<float>(actual, expected));
    }
  // Rounding may push a ReLU over its kink, which moves the gradient by far more than rounding.
  EXPECT_LT(largest, 1e-3);
  RecordProperty("largest_relative_error", fmt::format("{:.1e}", largest));
}

TEST_P(TorchCuda, BatchStatisticsAndFrozenEncodingsAgreeWithTheCpu) {
  const auto cuda = torch_engine(TorchPrecision::kFloat, TorchDevice::kCuda);
  const auto cpu = make_cpu_engine(shape_);
  std::vector<double> actual(static_cast<std::size_t>(layout_.num_statistics()));
  std::vector<double> expected(actual.size());
  cuda->batch_statistics(data_.original, parameters_, actual);
  cpu->batch_statistics(data_.original, parameters_, expected);
  EXPECT_LT(relative_error<double>(actual, expected), 1e-5);

  const Encoding encoding = cuda->freeze(parameters_, expected)->encode(data_.original);
  const Encoding reference = cpu->freeze(parameters_, expected)->encode(data_.original);
  const auto error = [](const Matrix& a, const Matrix& b) {
    return relative_error<double>(a.values, b.values);
  };
  EXPECT_LT(error(encoding.node_sum, reference.node_sum), 1e-5);
  EXPECT_LT(error(encoding.super_sum, reference.super_sum), 1e-5);
  EXPECT_LT(error(encoding.logits, reference.logits), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Backbones, TorchCuda, ::testing::ValuesIn(testing::kBackbones));

}  // namespace
}  // namespace sgood

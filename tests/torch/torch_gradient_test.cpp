// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "src/torch/torch_network.h"
#include "tests/torch/random_graphs.h"

namespace sgood {
namespace {

using testing::Stage;

struct Case {
  Backbone backbone;
  bool super_graph;
  Stage stage;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Backbone backbone : testing::kBackbones)
    for (const bool super_graph : {true, false})
      for (const Stage stage : {Stage::kPreTraining, Stage::kFineTuning, Stage::kClassification})
        cases.push_back({backbone, super_graph, stage});
  return cases;
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  static const char* const kStages[] = {"PreTraining", "FineTuning", "Classification"};
  return std::string(backbone_name(info.param.backbone)) +
         (info.param.super_graph ? "TwoLevel" : "Flat") +
         kStages[static_cast<std::size_t>(info.param.stage)];
}

class TorchGradient : public ::testing::TestWithParam<Case> {};

// Along a random direction inside each tensor, so every element takes part in one number.
TEST_P(TorchGradient, AgreesWithCentralDifferencesForEveryTensor) {
  const auto [backbone, super_graph, stage] = GetParam();
  const NetworkShape shape = testing::small_shape(backbone, super_graph);
  const ParameterLayout layout(shape);
  Rng rng(17);
  const testing::StepData data(testing::odd_graphs(shape, rng), shape, rng);
  const TrainingStep step = data.step(stage);
  const std::vector<float> values = testing::random_parameters(layout, rng);
  const at::Tensor leaf = at::tensor(values, at::kFloat).to(at::kDouble).requires_grad_();
  training_loss(TorchNetwork(layout, leaf), step).total.backward();

  const at::NoGradGuard no_gradients;
  const auto loss_at = [&](const at::Tensor& parameters) {
    return training_loss(TorchNetwork(layout, parameters), step).total.item<double>();
  };
  constexpr double kStep = 1e-6;
  double largest = 0;
  for (const Slot& slot : layout.slots()) {
    at::Tensor direction = at::zeros({layout.num_parameters()}, at::kDouble);
    for (std::int64_t i = slot.offset; i < slot.offset + slot.size(); ++i)
      direction[i] = rng.uniform(-1, 1);
    const double expected =
        (loss_at(leaf + kStep * direction) - loss_at(leaf - kStep * direction)) / (2 * kStep);
    const double actual = leaf.grad().dot(direction).item<double>();
    EXPECT_NEAR(actual, expected, 1e-6 * std::abs(expected) + 1e-8) << slot.name;
    largest = std::max(largest, std::abs(actual - expected) / (std::abs(expected) + 1e-2));

    const bool head = slot.name.starts_with("classifier") || slot.name.starts_with("projection");
    const bool used =
        !head || (slot.name.starts_with("classifier") ? stage != Stage::kPreTraining
                                                      : stage != Stage::kClassification);
    EXPECT_EQ(actual != 0, used) << slot.name;
  }
  RecordProperty("largest_relative_error", fmt::format("{:.1e}", largest));
}

INSTANTIATE_TEST_SUITE_P(AllNetworks, TorchGradient, ::testing::ValuesIn(all_cases()), case_name);

}  // namespace
}  // namespace sgood

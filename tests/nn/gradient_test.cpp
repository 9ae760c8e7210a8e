// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "sgood/nn/reference_engine.h"
#include "tests/nn/random_batch.h"

namespace sgood {
namespace {

using testing::batch_of;
using testing::noisy_parameters;
using testing::random_graphs;
using testing::view_of;

struct Case {
  Backbone backbone;
  bool super_graph;
  bool self_loops;
  std::int32_t super_layers;
};

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  return std::string(backbone_name(info.param.backbone)) +
         (info.param.super_graph ? "_two_level" : "_flat") +
         (info.param.self_loops ? "" : "_no_loops") + "_" + std::to_string(info.param.super_layers);
}

class Gradient : public ::testing::TestWithParam<Case> {};

/// Every tensor of `shape` against central differences.
void expect_true_gradient(const NetworkShape& shape, const TrainingStep& step) {
  const ParameterLayout layout(shape);
  const std::vector<float> start = noisy_parameters(layout, 7);
  std::vector<double> parameters(start.begin(), start.end());
  std::vector<double> gradient(parameters.size()), unused(parameters.size());
  const StepLoss loss = reference_loss_and_gradient(shape, step, parameters, gradient);
  EXPECT_TRUE(std::isfinite(loss.total));

  constexpr double kStep = 1e-6;
  for (const Slot& slot : layout.slots()) {
    double largest = 0, worst = 0;
    for (std::int64_t i = slot.offset; i < slot.offset + slot.size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double value = parameters[at];
      const auto loss_at = [&](double moved) {
        parameters[at] = moved;
        return reference_loss_and_gradient(shape, step, parameters, unused).total;
      };
      const double slope = (loss_at(value + kStep) - loss_at(value - kStep)) / (2 * kStep);
      parameters[at] = value;
      largest = std::max(largest, std::abs(slope));
      worst = std::max(worst, std::abs(slope - gradient[at]));
    }
    EXPECT_LE(worst, 1e-5 * largest + 1e-8) << slot.name << " of magnitude " << largest;
    const bool every_tensor_counts = step.view0 != nullptr && step.original != nullptr;
    EXPECT_TRUE(largest > 0 || !every_tensor_counts) << slot.name;
  }
}

TEST_P(Gradient, EqualsFiniteDifferencesInEveryTensor) {
  const Case& c = GetParam();
  NetworkShape shape;
  shape.backbone = c.backbone;
  shape.super_graph = c.super_graph;
  shape.super_layers = c.super_layers;
  shape.vocabulary = 5;
  shape.code_columns = 2;
  shape.num_dense = 2;
  shape.node_layers = 2;
  shape.width = 4;
  shape.num_classes = 3;
  Rng rng(11);
  const auto graphs = random_graphs(rng, shape, 7, 8, true);
  const PackedBatch original = batch_of(graphs, shape, c.self_loops);
  const PackedBatch view0 = view_of(rng, graphs, shape, c.self_loops);
  const PackedBatch view1 = view_of(rng, graphs, shape, c.self_loops);
  std::vector<std::int32_t> labels;
  for (const PackedGraph& graph : graphs) labels.push_back(*graph.label);

  TrainingStep step{&original, labels, &view0, &view1, 0.7, 0.3};
  expect_true_gradient(shape, step);
}

INSTANTIATE_TEST_SUITE_P(
    All, Gradient,
    ::testing::Values(Case{Backbone::kGin, true, true, 2}, Case{Backbone::kGin, true, false, 1},
                      Case{Backbone::kGin, true, true, 0}, Case{Backbone::kGin, false, true, 2},
                      Case{Backbone::kGcn, true, true, 2}, Case{Backbone::kGcn, true, false, 2},
                      Case{Backbone::kGcn, false, true, 2}, Case{Backbone::kSage, true, true, 2},
                      Case{Backbone::kSage, true, false, 2}, Case{Backbone::kSage, false, true, 2}),
    name_of);

TEST(Gradient, HoldsForEachLossAlone) {
  NetworkShape shape;
  shape.vocabulary = 3;
  shape.node_layers = 1;
  shape.width = 3;
  Rng rng(3);
  const auto graphs = random_graphs(rng, shape, 6, 6, false);
  const PackedBatch original = batch_of(graphs, shape);
  const PackedBatch view0 = view_of(rng, graphs, shape);
  const std::vector<std::int32_t> labels = {0, 1, 1, 0, 1, 0};
  expect_true_gradient(shape, {&original, labels, nullptr, nullptr, 1.0, 0.2});
  expect_true_gradient(shape, {nullptr, {}, &view0, &original, 0.5, 0.2});
}

TEST(Gradient, HoldsForMatricesOfOneRow) {
  for (const Backbone backbone : {Backbone::kGin, Backbone::kGcn, Backbone::kSage}) {
    NetworkShape shape;
    shape.backbone = backbone;
    shape.vocabulary = 3;
    shape.node_layers = 2;
    shape.super_graph = false;
    shape.width = 1;
    Rng rng(8);
    const auto graphs = random_graphs(rng, shape, 8, 6, false);
    const PackedBatch original = batch_of(graphs, shape);
    const std::vector<std::int32_t> labels = {0, 1, 1, 0, 1, 0, 0, 1};
    expect_true_gradient(shape, {&original, labels, nullptr, nullptr, 1.0, 0.2});
  }
}

TEST(Gradient, HoldsForOneNodeWhoseBatchVarianceIsZero) {
  NetworkShape shape;
  shape.vocabulary = 3;
  shape.node_layers = 1;
  shape.super_layers = 1;
  shape.width = 3;
  Rng rng(5);
  const std::vector<PackedGraph> graphs = {testing::random_graph(rng, shape, 1)};
  const PackedBatch original = batch_of(graphs, shape);
  const std::vector<std::int32_t> labels = {1};
  expect_true_gradient(shape, {&original, labels, nullptr, nullptr, 1.0, 0.2});
}

}  // namespace
}  // namespace sgood

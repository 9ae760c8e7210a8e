// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sgood/core/error.h"
#include "sgood/nn/cpu_engine.h"
#include "sgood/torch/torch_engine.h"
#include "tests/torch/random_graphs.h"

namespace sgood {
namespace {

double difference(const Matrix& a, const Matrix& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  double largest = 0, scale = 1e-3;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    largest = std::max(largest, std::abs(a.values[i] - b.values[i]));
    scale = std::max(scale, std::abs(b.values[i]));
  }
  return largest / scale;
}

/// Both engines on one frozen network.
struct Fixture {
  NetworkShape shape;
  std::vector<PackedGraph> graphs;
  std::unique_ptr<FrozenNetwork> cpu, torch;

  explicit Fixture(const NetworkShape& given) : shape(given) {
    Rng rng(17);
    graphs = testing::odd_graphs(shape, rng);
    const ParameterLayout layout(shape);
    const std::vector<float> parameters = testing::random_parameters(layout, rng);
    const std::vector<double> statistics = testing::random_statistics(layout, rng);
    cpu = make_cpu_engine(shape)->freeze(parameters, statistics);
    torch = make_torch_engine(shape, {})->freeze(parameters, statistics);
  }
  PackedBatch batch() const { return testing::pack_all(graphs, shape); }
};

NetworkShape on_reals(Backbone backbone, bool super_graph, std::int32_t num_dense = 6) {
  NetworkShape shape = testing::small_shape(backbone, super_graph);
  shape.vocabulary = 0;
  shape.code_columns = 0;
  shape.num_dense = num_dense;
  return shape;
}

TEST(TorchInputGradient, EqualsThatOfPlainLoops) {
  for (const Backbone backbone : testing::kBackbones)
    for (const auto& [super_graph, num_dense] : {std::pair{false, 6}, {true, 6}, {false, 1}})
      for (const double temperature : {1.0, 1000.0}) {
        const Fixture f(on_reals(backbone, super_graph, num_dense));
        const Matrix expected = f.torch->input_gradient(f.batch(), temperature);
        EXPECT_NE(expected.values, std::vector<double>(expected.values.size()));
        Matrix own = f.cpu->input_gradient(f.batch(), temperature);
        Matrix scaled = expected;  // T = 1000 makes all gradients small
        for (Matrix* m : {&own, &scaled})
          for (double& x : m->values) x *= temperature;
        EXPECT_LT(difference(own, scaled), 1e-11) << backbone_name(backbone);
      }
}

TEST(TorchInputGradient, IsTheSlopeOfTheLoss) {
  for (const Backbone backbone : testing::kBackbones) {
    const Fixture f(on_reals(backbone, false));
    PackedBatch batch = f.batch();
    const Matrix gradient = f.torch->input_gradient(batch, 1);
    const Matrix logits = f.torch->encode(batch).logits;
    const auto loss = [&] {
      const Matrix now = f.torch->encode(batch).logits;
      double total = 0;
      for (std::int64_t g = 0; g < now.rows; ++g) {
        const auto best = std::ranges::max_element(logits.row(g)) - logits.row(g).begin();
        double sum = 0;
        for (const double logit : now.row(g)) sum += std::exp(logit - now(g, best));
        total += std::log(sum);
      }
      return total;
    };
    for (std::size_t i = 0; i < batch.dense.size(); ++i) {
      constexpr float kStep = 1.0F / (1 << 14);  // adds to a float of ordinary size almost exactly
      const float x = batch.dense[i], up = x + kStep, down = x - kStep;
      batch.dense[i] = up;
      const double above = loss();
      batch.dense[i] = down;
      const double below = loss();
      batch.dense[i] = x;
      const double slope = (above - below) / (static_cast<double>(up) - static_cast<double>(down));
      EXPECT_NEAR(gradient.values[i], slope, 1e-4 * (1 + std::abs(slope)));
    }
  }
}

TEST(TorchNodeRepresentations, EqualThoseOfTheCpuEngine) {
  for (const Backbone backbone : testing::kBackbones)
    for (const bool super_graph : {false, true}) {
      const Fixture f(testing::small_shape(backbone, super_graph));
      EXPECT_LT(difference(f.cpu->node_representations(f.batch()),
                           f.torch->node_representations(f.batch())),
                1e-5);
    }
}

TEST(TorchInputGradient, NeedsRealsAndATemperature) {
  const Fixture codes(testing::small_shape(Backbone::kGin, false));
  EXPECT_THROW(codes.torch->input_gradient(codes.batch(), 1), InvalidArgument);
  const Fixture reals(on_reals(Backbone::kGin, false));
  EXPECT_THROW(reals.torch->input_gradient(reals.batch(), 0), InvalidArgument);
}

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sgood/core/error.h"
#include "sgood/nn/cpu_engine.h"
#include "tests/nn/random_batch.h"

namespace sgood {
namespace {

constexpr double kTemperature = 3;

NetworkShape shape_of(Backbone backbone, bool super_graph, std::int32_t width,
                      std::int32_t num_dense = 5) {
  NetworkShape shape;
  shape.backbone = backbone;
  shape.super_graph = super_graph;
  shape.width = width;
  shape.vocabulary = 0;
  shape.code_columns = 0;
  shape.num_dense = num_dense;
  shape.num_classes = 3;
  return shape;
}

struct Fixture {
  NetworkShape shape;
  std::vector<PackedGraph> graphs;
  std::unique_ptr<FrozenNetwork> network;

  explicit Fixture(const NetworkShape& given) : shape(given) {
    const ParameterLayout layout(shape);
    Rng rng(4);
    graphs = testing::random_graphs(rng, shape, 12, 8, true);
    const auto engine = make_cpu_engine(shape);
    const std::vector<float> parameters = testing::noisy_parameters(layout, 3);
    std::vector<double> statistics(static_cast<std::size_t>(layout.num_statistics()));
    engine->batch_statistics(testing::batch_of(graphs, shape), parameters, statistics);
    network = engine->freeze(parameters, statistics);
  }
};

/// Sum over graphs of CE(logits / T, class), with the class fixed by `classes`.
double loss(const Matrix& logits, const std::vector<std::int64_t>& classes) {
  double total = 0;
  for (std::int64_t g = 0; g < logits.rows; ++g) {
    double sum = 0;
    const double own = logits(g, classes[static_cast<std::size_t>(g)]);
    for (const double logit : logits.row(g)) sum += std::exp((logit - own) / kTemperature);
    total += std::log(sum);
  }
  return total;
}

std::vector<std::int64_t> most_probable(const Matrix& logits) {
  std::vector<std::int64_t> classes;
  for (std::int64_t g = 0; g < logits.rows; ++g)
    classes.push_back(std::ranges::max_element(logits.row(g)) - logits.row(g).begin());
  return classes;
}

TEST(InputGradient, IsTheSlopeOfTheLoss) {
  for (const Backbone backbone : {Backbone::kGin, Backbone::kGcn, Backbone::kSage})
    for (const bool super_graph : {false, true})
      for (const auto& [width, num_dense] : {std::pair{16, 5}, {5, 5}, {16, 1}}) {
        const Fixture f(shape_of(backbone, super_graph, width, num_dense));
        PackedBatch batch = testing::batch_of(f.graphs, f.shape);
        const Matrix gradient = f.network->input_gradient(batch, kTemperature);
        ASSERT_EQ(gradient.rows, batch.num_nodes);
        ASSERT_EQ(gradient.cols, f.shape.num_dense);
        const auto classes = most_probable(f.network->encode(batch).logits);
        const double scale = std::abs(
            *std::ranges::max_element(gradient.values, {}, [](double x) { return std::abs(x); }));
        ASSERT_GT(scale, 1e-3);
        // Encodings are in float, and a step may cross a kink: most must agree, and closely.
        std::vector<double> errors;
        for (std::size_t i = 0; i < batch.dense.size(); ++i) {
          constexpr float kStep = 1.0F / 1024;
          const float x = batch.dense[i];
          batch.dense[i] = x + kStep;
          const double above = loss(f.network->encode(batch).logits, classes);
          batch.dense[i] = x - kStep;
          const double below = loss(f.network->encode(batch).logits, classes);
          batch.dense[i] = x;
          errors.push_back(std::abs((above - below) / (2.0 * kStep) - gradient.values[i]) / scale);
        }
        std::ranges::sort(errors);
        EXPECT_LT(errors[errors.size() * 3 / 4], 1e-2) << backbone_name(backbone) << width;
        EXPECT_LT(errors.back(), 0.5) << backbone_name(backbone) << width;
      }
}

TEST(InputGradient, AndNodeRepresentationsHaveTheSameBitsInAnyBatch) {
  for (const Backbone backbone : {Backbone::kGin, Backbone::kGcn, Backbone::kSage}) {
    const Fixture f(shape_of(backbone, false, 16));
    const PackedBatch all = testing::batch_of(f.graphs, f.shape);
    const Matrix gradient = f.network->input_gradient(all, kTemperature);
    const Matrix nodes = f.network->node_representations(all);
    std::vector<double> gradient_alone, nodes_alone;
    for (const PackedGraph& graph : f.graphs) {
      const PackedBatch one = testing::batch_of({graph}, f.shape);
      const auto append = [](std::vector<double>& to, const Matrix& part) {
        to.insert(to.end(), part.values.begin(), part.values.end());
      };
      append(gradient_alone, f.network->input_gradient(one, kTemperature));
      append(nodes_alone, f.network->node_representations(one));
    }
    EXPECT_EQ(gradient_alone, gradient.values);
    EXPECT_EQ(nodes_alone, nodes.values);
  }
}

TEST(NodeRepresentations, AddUpToThoseOfTheirGraph) {
  for (const bool super_graph : {false, true}) {
    const Fixture f(shape_of(Backbone::kGin, super_graph, 16));
    const PackedBatch batch = testing::batch_of(f.graphs, f.shape);
    const Matrix nodes = f.network->node_representations(batch);
    const Encoding encoding = f.network->encode(batch);
    ASSERT_EQ(nodes.rows, batch.num_nodes);
    ASSERT_EQ(nodes.cols, 48);
    for (std::int32_t g = 0; g < batch.num_graphs; ++g)
      for (std::int64_t c = 0; c < nodes.cols; ++c) {
        double sum = 0;
        for (std::int32_t v = batch.graph_node(g); v < batch.graph_node(g + 1); ++v)
          sum += nodes(v, c);
        EXPECT_NEAR(encoding.node_sum(g, c), sum, 1e-5 * (1 + std::abs(sum)));
      }
  }
}

TEST(InputGradient, NeedsClassesRealsAndATemperature) {
  NetworkShape shape = shape_of(Backbone::kGin, false, 16);
  const Fixture f(shape);
  const PackedBatch batch = testing::batch_of(f.graphs, shape);
  EXPECT_THROW(f.network->input_gradient(batch, 0), InvalidArgument);
  shape.num_classes = 0;
  const Fixture without_classes(shape);
  EXPECT_THROW(without_classes.network->input_gradient(batch, 1), InvalidArgument);
  shape.num_classes = 3;
  shape.vocabulary = 4;
  shape.code_columns = 1;
  const Fixture with_codes(shape);
  EXPECT_THROW(with_codes.network->input_gradient(testing::batch_of(with_codes.graphs, shape), 1),
               InvalidArgument);
}

}  // namespace
}  // namespace sgood

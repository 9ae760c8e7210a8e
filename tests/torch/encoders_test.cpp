// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sgood/torch/torch_models.h"
#include "src/torch/models/models.h"
#include "tests/torch/random_graphs.h"

namespace sgood {
namespace {

using Json = nlohmann::ordered_json;

/// An encoder and options of it; those that all share are added.
struct Case {
  std::string name, model;
  Json options;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"SagPool",
       "sagpool",
       {{"variant", "hierarchical"}, {"layers", 2}, {"width", 4}, {"ratio", 0.5}}},
      {"SagPoolGlobal",
       "sagpool",
       {{"variant", "global"}, {"layers", 2}, {"width", 3}, {"ratio", 0.6}}},
      {"TopKPool", "topkpool", {{"layers", 3}, {"width", 4}, {"ratio", 0.6}}},
      {"DiffPool",
       "diffpool",
       {{"width", 3},
        {"head_width", 4},
        {"assign_ratio", 0.25},
        {"max_clusters", 50},
        {"link_weight", 0.7},
        {"entropy_weight", 0.3}}},
      {"Ngnn", "ngnn", {{"hops", 2}, {"max_per_hop", 3}, {"width", 4}}},
      {"GnnAk", "gnn-ak+", {{"hops", 2}, {"max_per_hop", 3}, {"layers", 2}, {"width", 3}}},
  };
  return all;
}

GraphModelSpec make_spec(const std::string& model, Json options) {
  GraphModelSpec spec;
  spec.model = model;
  spec.options = {{"epochs", 3}, {"batch_size", 4}, {"learning_rate", 0.01}, {"dropout", 0.4}};
  spec.options.update(options);
  spec.vocabulary = 3;
  spec.num_dense = 1;
  spec.num_classes = 2;
  spec.max_nodes = 12;
  return spec;
}

std::vector<PackedGraph> labelled_odd_graphs(std::uint64_t seed) {
  NetworkShape shape;
  shape.vocabulary = 3;
  shape.num_dense = 1;
  Rng rng(seed);
  std::vector<PackedGraph> graphs = testing::odd_graphs(shape, rng);
  for (std::size_t g = 0; g < graphs.size(); ++g)
    graphs[g].label = static_cast<std::int32_t>(g % 2);
  return graphs;
}

std::vector<const PackedGraph*> pointers(const std::vector<PackedGraph>& graphs) {
  std::vector<const PackedGraph*> result;
  for (const PackedGraph& graph : graphs) result.push_back(&graph);
  return result;
}

PackedGraph golden_graph(const Json& entry) {
  GraphBuilder builder(entry.at("nodes"));
  for (const auto& edge : entry.at("edges")) builder.add_edge(edge[0], edge[1]);
  std::vector<std::int32_t> order(entry.at("nodes").get<std::size_t>());
  std::iota(order.begin(), order.end(), 0);
  return pack_graph(builder.build(), Partition(std::vector<std::int32_t>(order.size(), 0)), order,
                    {entry.at("codes"), entry.at("dense")});
}

void expect_near(std::span<const double> actual, const Json& expected, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double value = expected[i];
    EXPECT_NEAR(actual[i], value, 1e-9 * std::max(1.0, std::abs(value))) << what << ", " << i;
  }
}

TEST(Encoders, RepresentationsAndLogitsAgreeWithNumPyNodeByNode) {
  std::ifstream file(SGOOD_TEST_FOLDER "/golden/torch_encoders.json");
  const Json json = Json::parse(file);
  for (const Json& entry : json.at("cases")) {
    GraphModelSpec spec = make_spec(entry.at("model"), entry.at("options"));
    spec.vocabulary = json.at("vocabulary");
    spec.num_dense = json.at("num_dense");
    spec.num_classes = json.at("num_classes");
    spec.max_nodes = json.at("max_nodes");
    TensorFile tensors;
    for (const auto& [name, tensor] : entry.at("parameters").items()) {
      const std::vector<double> values = tensor.at("values");
      tensors.tensors["model." + name] =
          Tensor::of(std::span<const double>(values), tensor.at("shape"));
    }
    const auto model = make_torch_model(spec);
    model->load(tensors);
    for (std::size_t g = 0; g < json.at("graphs").size(); ++g) {
      const PackedGraph graph = golden_graph(json.at("graphs")[g]);
      const GraphModelOutput output = model->evaluate(std::span(&graph, 1));
      const std::string what =
          fmt::format("{} {} of graph {}", spec.model, entry.at("options").dump(), g);
      expect_near(output.representation.values, entry.at("representation")[g], what);
      expect_near(output.logits.values, entry.at("logits")[g], what);
    }
  }
}

class EachEncoder : public ::testing::TestWithParam<Case> {
 protected:
  const GraphModelSpec spec_ = make_spec(GetParam().model, GetParam().options);
};

TEST_P(EachEncoder, GradientsAgreeWithCentralDifferencesForEveryTensor) {
  const auto net = make_graph_net(spec_);
  net->to(at::kDouble);
  Rng rng(3);
  {
    const at::NoGradGuard no_gradients;
    at::Generator generator = make_generator(Rng(4));
    // Everything random, biases too, so that no ReLU sits on its kink.
    for (at::Tensor& parameter : net->parameters()) parameter.uniform_(-0.6, 0.9, generator);
  }
  const std::vector<PackedGraph> graphs = labelled_odd_graphs(5);
  const auto list = pointers(graphs);
  const GraphTensors batch =
      make_graph_tensors(list, spec_, at::TensorOptions().dtype(at::kDouble));
  const auto loss = [&] {
    at::Generator generator = make_generator(Rng(6));
    return net->loss(0, batch, generator);
  };
  loss().backward();

  const at::NoGradGuard no_gradients;
  constexpr double kStep = 1e-6;
  for (auto& item : net->named_parameters()) {
    at::Tensor& parameter = item.value();
    const at::Tensor direction = at::zeros_like(parameter);
    for (std::int64_t i = 0; i < direction.numel(); ++i)
      direction.view({-1})[i] = rng.uniform(-1, 1);
    const at::Tensor start = parameter.clone();
    const auto loss_at = [&](double step) {
      parameter.copy_(start + step * direction);
      return loss().item<double>();
    };
    const double expected = (loss_at(kStep) - loss_at(-kStep)) / (2 * kStep);
    parameter.copy_(start);
    const double actual = (parameter.grad() * direction).sum().item<double>();
    EXPECT_NEAR(actual, expected, 1e-5 * std::abs(expected) + 1e-8) << item.key();
    EXPECT_NE(actual, 0) << item.key();
  }
}

TEST_P(EachEncoder, TrainsOnOddGraphsAndEncodesThemAloneAsTogether) {
  std::vector<PackedGraph> graphs = labelled_odd_graphs(7);
  for (PackedGraph& graph : labelled_odd_graphs(8)) graphs.push_back(std::move(graph));
  const auto model = make_torch_model(spec_);
  const GraphModelTraining training = model->fit(graphs, Rng(1), {});
  EXPECT_EQ(training.stages[0].epochs, 3);
  EXPECT_TRUE(std::isfinite(training.stages[0].last_loss));
  const GraphModelOutput all = model->evaluate(graphs);
  for (std::int64_t g = 0; g < std::ssize(graphs); ++g) {
    const GraphModelOutput one =
        model->evaluate(std::span(graphs).subspan(static_cast<std::size_t>(g), 1));
    for (std::int64_t c = 0; c < one.representation.cols; ++c) {
      ASSERT_TRUE(std::isfinite(one.representation(0, c)));
      EXPECT_NEAR(one.representation(0, c), all.representation(g, c),
                  1e-10 * std::max(1.0, std::abs(one.representation(0, c))));
    }
    for (const double logit : one.logits.values) EXPECT_TRUE(std::isfinite(logit));
  }
}

TEST_P(EachEncoder, LearnsToTellTwoKindsOfGraphsApart) {
  NetworkShape shape;
  shape.vocabulary = 3;
  shape.num_dense = 1;
  Rng rng(9);
  std::vector<PackedGraph> graphs;
  for (int g = 0; g < 40; ++g) {
    graphs.push_back(testing::random_graph(shape, 10, g % 2 == 0 ? 9 : 30, 1, rng));
    graphs.back().label = g % 2;
  }
  GraphModelSpec spec = spec_;
  spec.options.update({{"epochs", 60}, {"batch_size", 20}, {"dropout", 0.0}});
  const auto model = make_torch_model(spec);
  model->fit(graphs, Rng(1), {});
  const Matrix logits = model->evaluate(graphs).logits;
  int right = 0;
  for (std::int64_t g = 0; g < logits.rows; ++g)
    right += (logits(g, 1) > logits(g, 0)) == (g % 2 == 1) ? 1 : 0;
  EXPECT_GE(right, 34);
}

TEST_P(EachEncoder, ModelsOfOneSeedAreEqualToTheLastBitAndOfTwoSeedsDiffer) {
  const std::vector<PackedGraph> graphs = labelled_odd_graphs(2);
  const auto trained = [&](std::uint64_t seed) {
    const auto model = make_torch_model(spec_);
    model->fit(graphs, Rng(seed), {});
    TensorFile file;
    model->save(file);
    return file;
  };
  EXPECT_EQ(trained(1), trained(1));
  EXPECT_NE(trained(1), trained(2));
}

INSTANTIATE_TEST_SUITE_P(AllEncoders, EachEncoder, ::testing::ValuesIn(cases()),
                         [](const auto& row) { return row.param.name; });

TEST(DiffPool, TheLinkLossIsTheDistanceOfAdjacencyAndAssignmentOverAllPairs) {
  // With one cluster every entry of S S^T is 1, so |A - S S^T|^2 counts the pairs without an edge.
  const auto loss_with = [&](double weight) {
    GraphModelSpec spec = make_spec("diffpool", {{"width", 3},
                                                 {"head_width", 4},
                                                 {"assign_ratio", 0.01},
                                                 {"max_clusters", 50},
                                                 {"link_weight", weight},
                                                 {"entropy_weight", 0.0}});
    const auto net = make_graph_net(spec);
    net->to(at::kDouble);
    const at::NoGradGuard no_gradients;
    at::Generator generator = make_generator(Rng(4));
    for (at::Tensor& parameter : net->parameters()) parameter.uniform_(-0.6, 0.9, generator);
    const std::vector<PackedGraph> graphs = labelled_odd_graphs(5);
    const auto list = pointers(graphs);
    const GraphTensors batch =
        make_graph_tensors(list, spec, at::TensorOptions().dtype(at::kDouble));
    return net->loss(0, batch, generator).item<double>();
  };
  double pairs = 0, without_edge = 0;
  for (const PackedGraph& graph : labelled_odd_graphs(5)) {
    pairs += std::pow(graph.num_nodes(), 2);
    without_edge += std::pow(graph.num_nodes(), 2) - static_cast<double>(graph.col.size());
  }
  EXPECT_NEAR(loss_with(1) - loss_with(0), std::sqrt(without_edge) / pairs, 1e-12);
}

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
// The models of the graph-level baselines: values, gradients, odd graphs.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "sgood/core/error.h"
#include "sgood/detectors/detector.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/torch/torch_models.h"
#include "src/torch/k_means.h"
#include "src/torch/local_outlier_factor.h"
#include "src/torch/models/models.h"
#include "src/torch/random_walk.h"
#include "tests/torch/random_graphs.h"

namespace sgood {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kModels = {"ocgin",  "ocgtl",   "glocalkd",
                                          "good-d", "graphde", "aagod"};
constexpr std::uint64_t kTwoTo32 = 1ULL << 32;

/// The same numbers as parameter() of tests/golden/graph_models.py.
std::vector<double> formula(const std::string& name, std::int64_t count) {
  std::uint64_t key = 0;
  for (const char c : name) key += static_cast<unsigned char>(c);
  key *= 3266489917ULL;
  double offset = -0.5;
  for (const char* positive : {"running_var", "density", "deviation"})
    if (name.ends_with(positive)) offset = 0.5;
  std::vector<double> values;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i)
    values.push_back(
        static_cast<double>((i * i * 2246822519ULL + i * 2654435761ULL + key) % kTwoTo32) /
            static_cast<double>(kTwoTo32) +
        offset);
  return values;
}

GraphModelSpec make_spec(const std::string& model, const Json& options, std::int32_t classes = 2) {
  GraphModelSpec spec;
  spec.model = model;
  spec.options = make_detector(model)->options().values();
  spec.options.update(options);
  spec.vocabulary = 2;
  spec.num_dense = 1;
  spec.num_classes = classes;
  return spec;
}

/// Small networks for graphs drawn at random.
GraphModelSpec small_spec(const std::string& model, bool published = false,
                          std::int32_t classes = 2) {
  Json options = {{"epochs", 3}, {"batch_size", 4}};
  const Json all = make_detector(model)->options().values();
  const Json small = {{"width", 4},           {"outputs", 3},  {"layers", 2},
                      {"pretrain_epochs", 2}, {"clusters", 2}, {"published", published}};
  for (const auto& [name, value] : small.items())
    if (all.contains(name)) options[name] = value;
  return make_spec(model, options, classes);
}

Json golden() {
  std::ifstream in(std::string(SGOOD_TEST_FOLDER) + "/golden/graph_models.json");
  return Json::parse(in);
}

PackedGraph make_graph(std::int32_t nodes, const std::vector<std::pair<int, int>>& edges,
                       std::vector<std::int32_t> codes, std::vector<float> dense,
                       std::optional<std::int32_t> label = {}) {
  GraphBuilder builder(nodes);
  for (const auto& [u, v] : edges) builder.add_edge(u, v);
  std::vector<std::int32_t> order(static_cast<std::size_t>(nodes)), block(order.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  PackedGraph packed = pack_graph(builder.build(), Partition(std::move(block)), order,
                                  {std::move(codes), std::move(dense)});
  packed.label = label;
  return packed;
}

std::vector<PackedGraph> golden_graphs(const Json& json) {
  std::vector<PackedGraph> graphs;
  for (const Json& g : json.at("graphs"))
    graphs.push_back(make_graph(g.at("nodes"), g.at("edges"), g.at("codes"), g.at("dense"),
                                g.at("label").get<std::int32_t>()));
  return graphs;
}

/// Graphs of every odd kind, twice, with labels.
std::vector<PackedGraph> odd_graphs() {
  NetworkShape shape;
  shape.vocabulary = 2;
  shape.code_columns = 1;
  shape.num_dense = 1;
  Rng rng(7);
  std::vector<PackedGraph> graphs = testing::odd_graphs(shape, rng);
  for (PackedGraph& graph : testing::odd_graphs(shape, rng)) graphs.push_back(std::move(graph));
  graphs.push_back(
      make_graph(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}, {1, 1, 1, 1}, {0, 0, 0, 0}));
  for (std::size_t g = 0; g < graphs.size(); ++g)
    graphs[g].label = static_cast<std::int32_t>(g % 2);
  return graphs;
}

std::vector<double> scores_one_by_one(const GraphModel& model,
                                      const std::vector<PackedGraph>& graphs) {
  std::vector<double> scores;
  for (std::size_t g = 0; g < graphs.size(); ++g)
    scores.push_back(model.evaluate(std::span(graphs).subspan(g, 1)).score(0, 0));
  return scores;
}

std::string case_name(const Json& item) {
  return item.at("model").get<std::string>() + item.at("options").dump();
}

TEST(Models, WhatIsKeptOfTheTeacherIsWhatItSaysOfABatch) {
  const GraphModelSpec spec = small_spec("glocalkd");
  const std::shared_ptr<GraphNet> net = make_graph_net(spec);
  at::Generator generator = make_generator(Rng(1));
  const std::vector<PackedGraph> graphs = odd_graphs();
  TrainingGraphs training(graphs, spec, at::TensorOptions().dtype(at::kFloat));
  {
    const at::NoGradGuard no_gradients;
    initialise(*net, generator);
    net->initialise_specially(generator);
    net->begin_stage(0, training, generator);
  }
  const std::vector<std::int32_t> positions = {5, 0, 3, 13, 6};
  GraphTensors batch = training.batch(positions);
  const at::Tensor kept = net->loss(0, batch, generator);
  batch.position = {};
  EXPECT_NEAR(kept.item<double>(), net->loss(0, batch, generator).item<double>(), 1e-7);
  EXPECT_GT(kept.item<double>(), 1e-4);
}

TEST(Models, ScoresEqualAnIndependentComputation) {
  const Json json = golden();
  const std::vector<PackedGraph> graphs = golden_graphs(json);
  for (const Json& item : json.at("cases")) {
    const auto model = make_torch_model(make_spec(item.at("model"), item.at("options")));
    TensorFile file;
    model->save(file);
    for (auto& [name, tensor] : file.tensors) {
      const std::string own = name.substr(std::string("model.").size());
      if (item.at("shapes").contains(own))
        tensor.shape = item.at("shapes").at(own).get<std::vector<std::int64_t>>();
      const std::int64_t count = std::accumulate(tensor.shape.begin(), tensor.shape.end(),
                                                 std::int64_t{1}, std::multiplies<>());
      std::vector<double> values = formula(own, count);
      if (own == "largest") values = {4};
      tensor = Tensor::of(std::span<const double>(values), tensor.shape);
    }
    model->load(file);
    const std::vector<double> scores = scores_one_by_one(*model, graphs);
    const auto expected = item.at("scores").get<std::vector<double>>();
    for (std::size_t g = 0; g < scores.size(); ++g)
      EXPECT_NEAR(scores[g], expected[g], 1e-9 * std::max(1.0, std::abs(expected[g])))
          << case_name(item) << " graph " << g;
  }
}

/// A net in double precision whose tensors follow formula(), and what its losses need.
struct Training {
  std::vector<PackedGraph> graphs;
  GraphModelSpec spec;
  std::shared_ptr<GraphNet> net;
  std::vector<std::int32_t> all;
  TrainingGraphs training;

  Training(std::vector<PackedGraph> given, const GraphModelSpec& of)
      : graphs(std::move(given)),
        spec(of),
        net(make_graph_net(spec)),
        all(graphs.size()),
        training(graphs, spec, at::TensorOptions().dtype(at::kDouble)) {
    std::iota(all.begin(), all.end(), 0);
    const at::NoGradGuard no_gradients;
    net->to(at::kDouble);
    for (auto& item : net->named_parameters()) fill(item.key(), item.value());
    for (auto& item : net->named_buffers())
      if (item.value().is_floating_point()) fill(item.key(), item.value());
  }

  static void fill(const std::string& name, at::Tensor& tensor) {
    tensor.copy_(at::tensor(formula(name, tensor.numel()), at::kDouble).view(tensor.sizes()));
  }

  void begin(std::size_t stage) {
    const at::NoGradGuard no_gradients;
    at::Generator generator = make_generator(Rng(5));
    net->train();
    net->begin_stage(stage, training, generator);
    net->begin_epoch(stage, 0, training, generator);
  }

  at::Tensor loss(std::size_t stage) {
    at::Generator generator = make_generator(Rng(6));
    return net->loss(stage, training.batch(all), generator);
  }
};

TEST(Models, LossesEqualAnIndependentComputation) {
  const Json json = golden();
  for (const Json& item : json.at("cases")) {
    Training t(golden_graphs(json), make_spec(item.at("model"), item.at("options")));
    const std::size_t stage = item.at("stage");
    {
      const at::NoGradGuard no_gradients;
      for (auto& parameter : t.net->named_parameters())
        // No noise reaches a weight whose logit is so low: all edges weigh nothing.
        if (parameter.key() == "amplifier.second.bias") parameter.value().fill_(-60);
    }
    t.begin(stage);
    // begin_stage() puts the centre where training graphs are.
    if (auto* centre = t.net->named_buffers().find("centre")) Training::fill("centre", *centre);
    const double expected = item.at("loss");
    EXPECT_NEAR(t.loss(stage).item<double>(), expected, 1e-9 * std::max(1.0, std::abs(expected)))
        << case_name(item);
  }
}

TEST(Models, GradientsAgreeWithCentralDifferences) {
  for (const std::string& model : kModels) {
    const GraphModelSpec spec = small_spec(model);
    const std::size_t stages = make_graph_net(spec)->stages().size();
    for (std::size_t stage = 0; stage < stages; ++stage) {
      Training t(odd_graphs(), spec);
      t.begin(stage);
      const std::vector<at::Tensor> trained = t.net->trained_in(stage);
      ASSERT_FALSE(trained.empty());
      t.loss(stage).backward();
      Rng rng(11);
      double sum = 0;
      for (std::size_t p = 0; p < trained.size(); ++p) {
        const at::NoGradGuard no_gradients;
        at::Tensor parameter = trained[p];
        at::Tensor direction = at::zeros_like(parameter);
        double* const numbers = direction.data_ptr<double>();
        for (std::int64_t i = 0; i < direction.numel(); ++i) numbers[i] = rng.uniform(-1, 1);
        constexpr double kStep = 1e-6;
        parameter.add_(direction, kStep);
        const double above = t.loss(stage).item<double>();
        parameter.add_(direction, -2 * kStep);
        const double below = t.loss(stage).item<double>();
        parameter.add_(direction, kStep);
        const double expected = (above - below) / (2 * kStep);
        const double actual =
            parameter.grad().defined() ? (parameter.grad() * direction).sum().item<double>() : 0;
        EXPECT_NEAR(actual, expected, 1e-5 * std::abs(expected) + 1e-6)
            << model << " stage " << stage << " tensor " << p;
        sum += std::abs(actual);
      }
      EXPECT_GT(sum, 1e-4) << model << " stage " << stage;
    }
  }
}

TEST(Models, TrainOnOddGraphsAndScoreThemFinitely) {
  for (const std::string& model : kModels)
    for (const bool published : {false, true})
      for (const std::int32_t classes : {0, 2}) {
        const std::vector<PackedGraph> graphs = odd_graphs();
        const auto trained = make_torch_model(small_spec(model, published, classes));
        trained->fit(graphs, Rng(3), {});
        for (const double score : scores_one_by_one(*trained, graphs))
          EXPECT_TRUE(std::isfinite(score)) << model << published << classes;
        const GraphModelOutput together = trained->evaluate(graphs);
        EXPECT_EQ(together.score.rows, std::ssize(graphs));
        for (const double score : together.score.values) EXPECT_TRUE(std::isfinite(score)) << model;
      }
}

TEST(Models, KeepTheLocalOutlierFactorOfTheirTrainingGraphs) {
  GraphModelSpec spec = small_spec("aagod");
  spec.options["outlier_score"] = "lof";
  const std::vector<PackedGraph> graphs = odd_graphs();
  const auto trained = make_torch_model(spec), loaded = make_torch_model(spec);
  trained->fit(graphs, Rng(3), {});
  TensorFile file;
  trained->save(file);
  loaded->load(file);
  const std::vector<double> scores = scores_one_by_one(*trained, graphs);
  EXPECT_EQ(scores, scores_one_by_one(*loaded, graphs));
  for (const double score : scores) EXPECT_TRUE(std::isfinite(score) && score > 0);
}

TEST(Models, TrainOnGraphsThatAreAllAlike) {
  for (const std::string& model : kModels)
    for (const bool edges : {false, true}) {
      const std::vector<std::pair<int, int>> list =
          edges ? std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {0, 2}}
                : std::vector<std::pair<int, int>>{};
      std::vector<PackedGraph> graphs;
      for (int g = 0; g < 5; ++g)
        graphs.push_back(make_graph(3, list, {0, 0, 0}, {0, 0, 0}, g % 2));
      const auto trained = make_torch_model(small_spec(model));
      trained->fit(graphs, Rng(3), {});
      for (const double score : scores_one_by_one(*trained, graphs))
        EXPECT_TRUE(std::isfinite(score)) << model;
    }
}

TEST(Models, TrainWithoutEpochs) {
  for (const std::string& model : kModels) {
    GraphModelSpec spec = small_spec(model);
    spec.options["epochs"] = 0;
    const std::vector<PackedGraph> graphs = odd_graphs();
    const auto trained = make_torch_model(spec);
    trained->fit(graphs, Rng(3), {});
    for (const double score : scores_one_by_one(*trained, graphs))
      EXPECT_TRUE(std::isfinite(score)) << model;
  }
}

TEST(Models, ScoreWhatIsObviouslyUnlikeTrainingHigher) {
  // Training: paths of 0s that end in 1s. The others: stars where every edge joins a 0 and a 1.
  const auto path = [](int nodes) {
    std::vector<std::pair<int, int>> edges;
    for (int v = 1; v < nodes; ++v) edges.emplace_back(v - 1, v);
    std::vector<std::int32_t> codes(static_cast<std::size_t>(nodes), 0);
    std::fill(codes.end() - nodes / 2, codes.end(), 1);
    return make_graph(nodes, edges, codes, std::vector<float>(codes.size(), 0));
  };
  const auto star = [](int nodes) {
    std::vector<std::pair<int, int>> edges;
    for (int v = 1; v < nodes; ++v) edges.emplace_back(0, v);
    std::vector<std::int32_t> codes(static_cast<std::size_t>(nodes), 1);
    codes[0] = 0;
    return make_graph(nodes, edges, codes, std::vector<float>(codes.size(), 0));
  };
  std::vector<PackedGraph> training, paths, stars;
  for (int g = 0; g < 24; ++g) training.push_back(path(5 + g % 5));
  for (int nodes = 5; nodes < 10; ++nodes) {
    paths.push_back(path(nodes));
    stars.push_back(star(nodes + 4));
  }
  for (const std::string& model : kModels) {
    if (model == "graphde") continue;  // learns what edges join: below
    GraphModelSpec spec = small_spec(model, false, 0);
    spec.options["epochs"] = 40;
    if (model == "glocalkd")
      spec.options.update(Json{{"learning_rate", 0.01}, {"width", 32}, {"batch_size", 24}});
    const auto trained = make_torch_model(spec);
    trained->fit(training, Rng(2), {});
    const std::vector<double> low = scores_one_by_one(*trained, paths);
    const std::vector<double> high = scores_one_by_one(*trained, stars);
    EXPECT_GT(*std::min_element(high.begin(), high.end()),
              *std::max_element(low.begin(), low.end()))
        << model;
  }
}

TEST(Models, GraphdeScoresLikeNodesWithoutEdgesAsUnusual) {
  // Trained on two groups of like nodes with edges inside, a graph that joins the groups instead is
  // the unlikely one.
  const std::vector<std::pair<int, int>> inside = {{0, 1}, {2, 3}}, across = {{0, 2}, {1, 3}};
  std::vector<PackedGraph> graphs;
  for (int g = 0; g < 8; ++g)
    graphs.push_back(make_graph(4, inside, {0, 0, 1, 1}, {0, 0, 0, 0}, g % 2));
  GraphModelSpec spec = small_spec("graphde");
  spec.options["epochs"] = 60;
  const auto trained = make_torch_model(spec);
  trained->fit(graphs, Rng(1), {});
  graphs.push_back(make_graph(4, across, {0, 0, 1, 1}, {0, 0, 0, 0}, 0));
  const std::vector<double> scores = scores_one_by_one(*trained, graphs);
  EXPECT_GT(scores[8], scores[0] + 0.1);
}

TEST(Models, WithEqualFeaturesGraphdeOnlyTellsCompleteGraphsFromOthers) {
  const auto model = make_torch_model(make_spec("graphde", {{"epochs", 0}}));
  const std::vector<PackedGraph> graphs = {
      make_graph(3, {{0, 1}, {1, 2}, {0, 2}}, {0, 0, 0}, {0, 0, 0}),
      make_graph(3, {{0, 1}, {1, 2}}, {0, 0, 0}, {0, 0, 0}),
      make_graph(5, {{0, 1}, {3, 4}}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0})};
  model->fit(odd_graphs(), Rng(1), {});
  const std::vector<double> scores = scores_one_by_one(*model, graphs);
  EXPECT_NEAR(scores[0], 0, 1e-3);
  EXPECT_NEAR(scores[1], 0.5 * std::log(1e4), 1e-3);
  EXPECT_NEAR(scores[2], 0.5 * std::log(1e4), 1e-3);
}

TEST(LocalOutlierFactor, EqualsScikitLearns) {
  std::ifstream in(std::string(SGOOD_TEST_FOLDER) + "/golden/torch_local_outlier_factor.json");
  for (const Json& item : Json::parse(in)) {
    const auto matrix = [&](const char* name) {
      const auto rows = item.at(name).get<std::vector<std::vector<double>>>();
      std::vector<double> flat;
      for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
      return at::tensor(flat, at::kDouble).view({std::ssize(rows), std::ssize(rows[0])});
    };
    const at::Tensor score = LocalOutlierFactor::fit(matrix("points")).score(matrix("queries"));
    const auto expected = item.at("scores").get<std::vector<double>>();
    ASSERT_EQ(score.size(0), std::ssize(expected));
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(score[static_cast<std::int64_t>(i)].item<double>() / expected[i], 1, 1e-9);
  }
}

TEST(KMeans, FindsClustersThatAreFarApart) {
  const at::Tensor points = at::tensor({0.0, 0.1, 0.2, 9.0, 9.2, -7.0}, at::kDouble).view({6, 1});
  at::Generator generator = make_generator(Rng(1));
  const Clusters found = k_means(points, 3, 20, 5, generator);
  const auto sorted = std::get<0>(found.centroid.squeeze(1).sort());
  EXPECT_NEAR(sorted[0].item<double>(), -7.0, 1e-12);
  EXPECT_NEAR(sorted[1].item<double>(), 0.1, 1e-12);
  EXPECT_NEAR(sorted[2].item<double>(), 9.1, 1e-12);
  EXPECT_EQ(found.cluster[0].item<std::int64_t>(), found.cluster[2].item<std::int64_t>());
  EXPECT_NE(found.cluster[0].item<std::int64_t>(), found.cluster[3].item<std::int64_t>());
  EXPECT_NEAR(found.distance[4].item<double>(), 0.1, 1e-12);
}

TEST(KMeans, TakesNoMoreClustersThanPoints) {
  at::Generator generator = make_generator(Rng(1));
  const Clusters found = k_means(at::zeros({2, 3}, at::kDouble), 5, 20, 5, generator);
  EXPECT_EQ(found.centroid.size(0), 2);
  EXPECT_TRUE(found.centroid.isfinite().all().item<bool>());
}

TEST(RandomWalk, ReturnsOfAPathAndOfATriangle) {
  const auto path =
      walk_return_probabilities(make_graph(3, {{0, 1}, {1, 2}}, {0, 0, 0}, {0, 0, 0}), 4);
  EXPECT_EQ(path, (std::vector<float>{0, 0.5F, 0, 0.5F, 0, 1, 0, 1, 0, 0.5F, 0, 0.5F}));
  const auto triangle =
      walk_return_probabilities(make_graph(3, {{0, 1}, {1, 2}, {0, 2}}, {0, 0, 0}, {0, 0, 0}), 3);
  for (std::size_t v = 0; v < 3; ++v) {
    EXPECT_EQ(triangle[3 * v], 0);
    EXPECT_EQ(triangle[3 * v + 1], 0.5F);
    EXPECT_EQ(triangle[3 * v + 2], 0.25F);
  }
  EXPECT_EQ(walk_return_probabilities(make_graph(1, {}, {0}, {0}), 2), (std::vector<float>{0, 0}));
}

}  // namespace
}  // namespace sgood

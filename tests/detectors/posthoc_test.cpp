// SPDX-License-Identifier: MIT
// Formulas of the post-hoc scores; the golden numbers are those of
// tests/golden/detectors_posthoc.py.
#include "sgood/detectors/posthoc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "sgood/core/error.h"
#include "sgood/detectors/array_model.h"
#include "sgood/detectors/classifier_detectors.h"
#include "sgood/graph/feature_encoder.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/metrics/ood_metrics.h"
#include "sgood/nn/network.h"

namespace sgood {
namespace {

using nlohmann::json;

json golden() {
  std::ifstream file(SGOOD_TEST_FOLDER "/golden/detectors_posthoc.json");
  return json::parse(file);
}

TEST(PostHoc, ConfidentNetworksKeepDifferentScores) {
  EXPECT_NEAR(max_softmax_score(std::vector<double>{0, 0, 0}), std::log(3), 1e-15);
  const double sure = max_softmax_score(std::vector<double>{40, 0});
  const double surer = max_softmax_score(std::vector<double>{41, 0});
  EXPECT_GT(sure, surer);
  EXPECT_GE(surer, 0);
  EXPECT_EQ(max_softmax_score(std::vector<double>{1e300, -1e300}), 0);
}

TEST(PostHoc, EnergyFollowsAShiftOfAllLogits) {
  EXPECT_NEAR(energy_score(std::vector<double>{1, 2}), -std::log(std::exp(1) + std::exp(2)), 1e-15);
  const double energy = energy_score(std::vector<double>{1, 2, -3}, 5);
  EXPECT_NEAR(energy_score(std::vector<double>{1001, 1002, 997}, 5), energy - 1000, 1e-12);
}

TEST(PostHoc, AGuessIsTheFirstOfTheMostProbableClasses) {
  const ClassGuess guess = guess_class(std::vector<double>{-1000, 2, 2});
  EXPECT_EQ(guess.predicted, 1);
  EXPECT_DOUBLE_EQ(guess.probability, 0.5);
}

Graph golden_graph(const json& graph) {
  const auto labels = graph["labels"].get<std::vector<std::int32_t>>();
  GraphBuilder builder(static_cast<std::int32_t>(labels.size()));
  for (const json& edge : graph["edges"]) builder.add_edge(edge[0], edge[1]);
  return builder.set_node_labels(labels, 1).build();
}

/// What a detector would have saved if training had found the parameters of `network`.
TensorFile model_file(const json& all, const json& network) {
  GraphSet labels;  // the alphabet 0, 1, 2
  labels.graphs.push_back(
      GraphBuilder(3).set_node_labels(std::vector<std::int32_t>{0, 1, 2}, 1).build());
  NetworkShape shape;
  shape.backbone = parse_backbone(network["backbone"].get<std::string>());
  shape.vocabulary = all["labels"].get<std::int32_t>() + 1;
  shape.node_layers = all["node_layers"];
  shape.width = all["width"];
  shape.num_classes = all["classes"];
  shape.super_graph = false;

  TensorFile file;
  file.metadata["sgood.encoder"] =
      FeatureEncoder::fit(labels, FeatureKind::kLabels).to_json().dump();
  file.metadata["sgood.num_classes"] = std::to_string(shape.num_classes);
  file.metadata["sgood.summary"] = "{}";
  const ParameterLayout layout(shape);
  for (const Slot& slot : layout.slots()) {
    std::vector<float> values(static_cast<std::size_t>(slot.size()));  // the projection: unused
    if (!slot.name.starts_with("projection"))
      values = network["parameters"].at(slot.name).get<std::vector<float>>();
    file.tensors["network." + slot.name] =
        Tensor::of(std::span<const float>(values), {slot.rows, slot.cols});
  }
  for (const Slot& slot : layout.statistics()) {
    const auto values = network["parameters"].at(slot.name).get<std::vector<double>>();
    file.tensors["statistics." + slot.name] =
        Tensor::of(std::span<const double>(values), {slot.rows, slot.cols});
  }
  const auto matrix = [&](const char* name, const json& rows) {
    std::vector<double> values;
    for (const json& row : rows) values.insert(values.end(), row.begin(), row.end());
    const auto count = static_cast<std::int64_t>(rows.size());
    file.tensors[name] = Tensor::of(std::span<const double>(values),
                                    {count, count == 0 ? 0 : std::ssize(values) / count});
  };
  file.metadata["sgood.mahalanobis.aggregation"] = "0";
  file.tensors["mahalanobis.classes"] = Tensor::of(std::vector<std::int32_t>{0, 1, 2});
  file.tensors["mahalanobis.centre"] =
      Tensor::of(network["mahalanobis"]["centre"].get<std::vector<double>>());
  matrix("mahalanobis.whitening", network["mahalanobis"]["whitening"]);
  matrix("mahalanobis.means", network["mahalanobis"]["means"]);
  matrix("mahalanobis.background", json::array());
  file.metadata["sgood.references.ids"] = "[]";
  file.tensors["references.positions"] = Tensor::of(std::vector<std::int32_t>());
  file.tensors["references.whitened"] =
      Tensor::of(std::span<const float>(), {0, file.tensors["mahalanobis.whitening"].shape[1]});
  return file;
}

TEST(PostHoc, ScoresOfGivenNetworksAreThoseOfNumPy) {
  const json all = golden();
  GraphSet graphs;
  for (const json& graph : all["graphs"]) graphs.graphs.push_back(golden_graph(graph));
  for (const json& network : all["networks"])
    for (const auto& [method, expected] : network["scores"].items()) {
      SCOPED_TRACE(method + " " + network["backbone"].get<std::string>());
      const auto detector = make_detector(method);
      const OptionTable options = detector->options();
      for (const char* name : {"temperature", "epsilon", "alpha", "propagation_steps"})
        for (const OptionEntry& entry : options.entries())
          if (entry.name == name) options.set(name, all[name].dump());
      options.set("backbone", network["backbone"].get<std::string>());
      options.set("node_layers", all["node_layers"].dump());
      options.set("width", all["width"].dump());
      detector->load(model_file(all, network));
      const std::vector<GraphScore> scores = detector->score(graphs);
      for (std::size_t g = 0; g < scores.size(); ++g) {
        const double value = expected[g];
        EXPECT_NEAR(scores[g].score, value, 2e-6 * (1 + std::abs(value))) << g;
        const auto logits = network["logits"][g].get<std::vector<double>>();
        EXPECT_EQ(scores[g].predicted, guess_class(logits).predicted);
        EXPECT_NEAR(*scores[g].probability, guess_class(logits).probability, 1e-5);
      }
    }
}

TEST(PostHoc, GnnSafeWithoutPropagationAveragesNodeEnergies) {
  const json all = golden();
  const auto detector = make_detector("gnnsafe");
  const OptionTable options = detector->options();
  options.set("node_layers", all["node_layers"].dump());
  options.set("width", all["width"].dump());
  detector->load(model_file(all, all["networks"][0]));
  GraphSet loose;  // without edges nothing spreads: every node keeps its energy
  loose.graphs.push_back(
      GraphBuilder(4).set_node_labels(std::vector<std::int32_t>{0, 1, 2, 1}, 1).build());
  const double spread = detector->score(loose)[0].score;
  options.set("propagation_steps", "0");
  EXPECT_EQ(detector->score(loose)[0].score, spread);
}

Matrix matrix_of(const json& rows) {
  Matrix matrix(static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size()));
  matrix.values.clear();
  for (const json& row : rows) matrix.values.insert(matrix.values.end(), row.begin(), row.end());
  return matrix;
}

ArraySettings settings_of(const json& arrays, const std::string& method) {
  ArraySettings settings;
  settings.method = method;
  if (method == "knn")
    settings.options = {{"k", arrays["k"].dump()}};
  else if (method.ends_with("mahalanobis"))
    settings.options = {{"shrinkage", arrays["shrinkage"].dump()}};
  else
    settings.options = {{"temperature", arrays["temperature"].dump()}};
  return settings;
}

TEST(ArrayModel, ScoresAndPValuesAreThoseOfNumPyAndScikitLearn) {
  const json arrays = golden()["arrays"];
  const Matrix train = matrix_of(arrays["train"]), test = matrix_of(arrays["test"]);
  const Matrix calibration = matrix_of(arrays["calibration"]);
  const auto classes = arrays["classes"].get<std::vector<std::int64_t>>();
  for (const auto& [method, expected] : arrays["expected"].items()) {
    SCOPED_TRACE(method);
    const ArrayModel model =
        ArrayModel::fit(train, classes, settings_of(arrays, method), &calibration);
    for (std::int64_t r = 0; r < test.rows; ++r) {
      const Decision decision = model.score(test.row(r));
      const auto at = static_cast<std::size_t>(r);
      EXPECT_NEAR(decision.score, expected["scores"][at].get<double>(), 1e-9);
      EXPECT_NEAR(decision.p_value, expected["p_values"][at].get<double>(), 1e-12);
      EXPECT_EQ(decision.predicted.has_value(), method == "msp" || method == "energy");
    }
  }
}

TEST(ArrayModel, EveryMethodTellsBlobsApart) {
  Rng rng(3);
  const auto blob = [&](double largest) {  // logits: one class is clear when `largest` is large
    Matrix rows(200, 3);
    for (std::int64_t r = 0; r < rows.rows; ++r) {
      for (double& value : rows.row(r)) value = 0.5 * rng.normal();
      rows(r, r % 3) += largest;
    }
    return rows;
  };
  const Matrix train = blob(9), id = blob(9), ood = blob(0);
  std::vector<std::int64_t> classes;
  for (std::int64_t r = 0; r < train.rows; ++r) classes.push_back(r % 3);
  for (const ArrayMethod& method : array_methods()) {
    SCOPED_TRACE(method.name);
    ArraySettings settings;
    settings.method = method.name;
    const ArrayModel model = ArrayModel::fit(train, classes, settings);
    std::vector<double> id_scores, ood_scores;
    std::int64_t alarms = 0;
    for (std::int64_t r = 0; r < id.rows; ++r) {
      id_scores.push_back(model.score(id.row(r)).score);
      ood_scores.push_back(model.score(ood.row(r)).score);
      alarms += model.score(id.row(r)).is_ood ? 1 : 0;
    }
    EXPECT_GT(ood_metrics(id_scores, ood_scores).auroc, method.name == "knn" ? 0.95 : 0.99);
    EXPECT_LT(alarms, 40);
  }
}

TEST(ArrayModel, ADefectIsNamed) {
  const json arrays = golden()["arrays"];
  Matrix train = matrix_of(arrays["train"]);
  const auto classes = arrays["classes"].get<std::vector<std::int64_t>>();
  const auto error = [&](const std::string& method, std::span<const std::int64_t> of_rows) {
    ArraySettings settings;
    settings.method = method;
    try {
      ArrayModel::fit(train, of_rows, settings);
    } catch (const InvalidArgument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_THAT(error("k-nn", classes), ::testing::HasSubstr("no method 'k-nn'"));
  EXPECT_THAT(error("mahalanobis", {}), ::testing::HasSubstr("needs the class"));
  EXPECT_EQ(error("knn", {}), "");
  EXPECT_THAT(error("knn", std::span(classes).first(5)), ::testing::HasSubstr("5 classes"));
  const ArrayModel model = ArrayModel::fit(train, classes, {});
  EXPECT_THROW(model.score(std::vector<double>{1, 2}), InvalidArgument);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(model.score(std::vector<double>{1, 2, nan, 3}), InvalidArgument);
  train(4, 1) = nan;
  EXPECT_THAT(error("knn", {}), ::testing::HasSubstr("row 4"));
}

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
// The detectors that learn nothing: size, stats-knn and wl-knn.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sgood/core/error.h"
#include "sgood/detectors/size.h"
#include "sgood/detectors/stats_knn.h"
#include "sgood/detectors/wl_knn.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/graph/graph_statistics.h"
#include "sgood/io/tu_reader.h"
#include "tests/detectors/toy_data.h"

namespace sgood {
namespace {

using testing::relabelled;
using testing::toy_ood;
using testing::toy_set;
using Json = nlohmann::json;
using Options = std::vector<std::pair<std::string, std::string>>;

GraphSet set_of(std::vector<Graph> graphs) {
  GraphSet set;
  set.graphs = std::move(graphs);
  return set;
}

std::vector<double> scores(const Detector& detector, const GraphSet& graphs) {
  std::vector<double> values;
  for (const GraphScore& s : detector.score(graphs)) {
    EXPECT_FALSE(s.predicted || s.probability);
    values.push_back(s.score);
  }
  return values;
}

std::vector<double> fit_and_score(const std::string& name, const Options& options,
                                  const GraphSet& train, const GraphSet& graphs) {
  const auto detector = make_detector(name);
  for (const auto& [option, value] : options) detector->options().set(option, value);
  detector->fit(train, {});
  return scores(*detector, graphs);
}

/// A path of `nodes` nodes, all of which have label `label`.
Graph path(std::int32_t nodes, std::int32_t label = 0) {
  GraphBuilder builder(nodes);
  for (std::int32_t v = 1; v < nodes; ++v) builder.add_edge(v - 1, v);
  builder.set_node_labels(std::vector<std::int32_t>(static_cast<std::size_t>(nodes), label), 1);
  return builder.build();
}

Graph golden_graph(const Json& json) {
  GraphBuilder builder(json["nodes"].get<std::int32_t>());
  const Json& edges = json["edges"];
  for (std::size_t e = 0; e < edges.size(); e += 2) builder.add_edge(edges[e], edges[e + 1]);
  const auto labels = json["labels"].get<std::vector<std::int32_t>>();
  return builder.set_node_labels(labels, labels.empty() ? 0 : 1).build();
}

class Golden : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ifstream file(SGOOD_TEST_FOLDER "/golden/detectors_untrained.json");
    cases_ = Json::parse(file)["cases"];
    ASSERT_EQ(cases_.size(), 2u);
  }

  /// The first 30 graphs of a case train, the other 20 are scored.
  static void expect_scores(const std::string& method, const Options& options, const Json& data,
                            const Json& expected) {
    GraphSet train, rest;
    for (const Json& graph : data["graphs"])
      (train.graphs.size() < 30 ? train : rest).graphs.push_back(golden_graph(graph));
    const std::vector<double> actual = fit_and_score(method, options, train, rest);
    ASSERT_EQ(actual.size(), 20u);
    for (std::size_t i = 0; i < actual.size(); ++i)
      EXPECT_NEAR(actual[i], expected.at(i).get<double>(), 1e-9)
          << method << ", " << data["name"] << ", graph " << i;
  }

  Json cases_;
};

TEST_F(Golden, StatisticsAreThoseOfNetworkX) {
  const auto partitioner = make_partitioner("modularity-networkx");
  for (const Json& data : cases_)
    for (std::size_t g = 0; g < data["graphs"].size(); ++g) {
      const Graph graph = golden_graph(data["graphs"][g]);
      const auto actual = graph_statistics(graph, partitioner->partition(graph));
      for (std::size_t i = 0; i < actual.size(); ++i)
        EXPECT_NEAR(actual[i], data["statistics"][g][i].get<double>(), 1e-12)
            << kGraphStatistics[i] << " of graph " << g << " of " << data["name"];
    }
}

TEST_F(Golden, SizeHasSciPysRanks) {
  for (const Json& data : cases_)
    for (const auto& [statistic, expected] : data["size"].items())
      expect_scores("size", {{"statistic", statistic}}, data, expected);
}

TEST_F(Golden, StatsKnnHasScikitLearnsDistances) {
  for (const Json& data : cases_)
    for (const auto& [k, expected] : data["stats-knn"].items())
      expect_scores("stats-knn",
                    {{"k", k}, {"partitioner", "modularity-networkx"}, {"order", "input"}}, data,
                    expected);
}

TEST_F(Golden, WlKnnHasScikitLearnsDistancesOfNetworkXsColours) {
  for (const Json& data : cases_)
    for (const auto& [iterations, expected] : data["wl-knn"].items())
      expect_scores("wl-knn", {{"iterations", iterations}}, data, expected);
}

TEST(Size, ScoresBothTailsAlikeAndTheMiddleZero) {
  const GraphSet train = set_of({path(1), path(2), path(2), path(3)});
  const GraphSet graphs = set_of({Graph(), path(1), path(2), path(3), path(9)});
  EXPECT_EQ(fit_and_score("size", {}, train, graphs), (std::vector{1.0, 0.75, 0.0, 0.75, 1.0}));
  EXPECT_EQ(fit_and_score("size", {{"tail", "upper"}}, train, graphs),
            (std::vector<double>{0, 1, 2, 3, 9}));
  EXPECT_EQ(fit_and_score("size", {{"tail", "lower"}, {"statistic", "edges"}}, train, graphs),
            (std::vector<double>{-0.0, -0.0, -1, -2, -8}));
}

TEST(NearestNeighbours, FewerTrainingGraphsThanKAreAllUsed) {
  const GraphSet train = set_of({path(3), path(5)});
  for (const char* method : {"stats-knn", "wl-knn"})
    EXPECT_EQ(fit_and_score(method, {{"k", "2"}}, train, toy_ood(4, 1)),
              fit_and_score(method, {{"k", "1000"}}, train, toy_ood(4, 1)));
}

TEST(NearestNeighbours, AreAtDistanceZeroExactlyWhenTheyAreEqual) {
  GraphSet train = toy_set(20, 1);
  for (int copies = 0; copies < 5; ++copies) train.graphs.push_back(train.graphs[7].with_label(0));
  for (const char* method : {"stats-knn", "wl-knn"}) {
    EXPECT_EQ(fit_and_score(method, {}, train, train.subset({7})), std::vector{0.0});
    EXPECT_GT(fit_and_score(method, {{"k", "25"}}, train, train.subset({7}))[0], 0);
  }
}

TEST(StatsKnn, IsTheMeanDistanceInStandardisedFeatures) {
  const GraphSet train = set_of({path(2), path(4)}), query = set_of({path(8)});
  const auto raw = [](const Graph& graph) {
    return graph_statistics(graph, Partition(std::vector<std::int32_t>(
                                       static_cast<std::size_t>(graph.num_nodes()), 0)));
  };
  const auto a = raw(train.graphs[0]), b = raw(train.graphs[1]), q = raw(query.graphs[0]);
  double to_a = 0, to_b = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double scale = a[i] == b[i] ? 1 : std::abs(a[i] - b[i]) / 2;
    to_a += std::pow((q[i] - a[i]) / scale, 2);
    to_b += std::pow((q[i] - b[i]) / scale, 2);
  }
  const Options options = {{"partitioner", "none"}, {"labels", "none"}};
  EXPECT_NEAR(fit_and_score("stats-knn", options, train, query)[0],
              (std::sqrt(to_a) + std::sqrt(to_b)) / 2, 1e-12);
}

TEST(StatsKnn, AValueThatTrainingNeverShowedCountsAsOneFeature) {
  const GraphSet train = set_of({path(3, 1), path(3, 1), path(3, 1)});
  // Constant features keep their unit: share 1 moves from value 1 to the unknown value.
  EXPECT_EQ(fit_and_score("stats-knn", {}, train, set_of({path(3, 1), path(3, 2), path(3, 9)})),
            (std::vector{0.0, std::sqrt(2.0), std::sqrt(2.0)}));
  EXPECT_EQ(fit_and_score("stats-knn", {{"labels", "none"}}, train, set_of({path(3, 2)})),
            std::vector{0.0});
}

TEST(WlKnn, GraphsWithoutACommonColourAreAtDistanceOne) {
  const GraphSet train = set_of({path(3, 1), path(4, 1)});
  EXPECT_EQ(fit_and_score("wl-knn", {}, train, set_of({path(3, 2), Graph()})),
            (std::vector{1.0, 1.0}));
  EXPECT_LT(fit_and_score("wl-knn", {{"labels", "none"}}, train, set_of({path(3, 2)}))[0], 1);
  EXPECT_EQ(fit_and_score("wl-knn", {}, set_of({Graph(), Graph()}), set_of({Graph()})),
            std::vector{0.0});
}

TEST(WlKnn, WithoutIterationsComparesLabelCounts) {
  const GraphSet train = set_of({path(2, 1), path(2, 1)});
  const Graph mixed = path(2).with_node_labels({1, 2}, 1);
  EXPECT_DOUBLE_EQ(fit_and_score("wl-knn", {{"iterations", "0"}}, train, set_of({mixed}))[0],
                   1 - 2 / std::sqrt(4.0 * 2.0));
}

TEST(WlKnn, AGraphOfUnlabelledTrainingMayHaveLabels) {
  GraphBuilder a(2), b(3);
  const GraphSet train = set_of({a.add_edge(0, 1).build(), b.add_edge(0, 1).build()});
  EXPECT_EQ(fit_and_score("wl-knn", {{"k", "1"}}, train, set_of({path(2, 7)})), std::vector{0.0});
}

/// Expects that loading fails once `damage` has been done to the saved state.
template <typename Damage>
void expect_refused(const std::string& method, const Damage& damage) {
  const auto detector = make_detector(method);
  detector->fit(toy_set(10, 1), {});
  TensorFile file;
  detector->save(file);
  EXPECT_NO_THROW(make_detector(method)->load(file));
  damage(file);
  EXPECT_THROW(make_detector(method)->load(file), Error) << method;
}

/// Sets the first element of a tensor.
template <typename T>
auto set_first(const std::string& name, T value) {
  return [=](TensorFile& file) {
    Tensor& tensor = file.tensors.at(name);
    auto values = tensor.template values<T>();
    values.at(0) = value;
    tensor = Tensor::of(std::span<const T>(values), tensor.shape);
  };
}

TEST(Untrained, LoadingRefusesNumbersThatNoFitGives) {
  expect_refused("size", set_first("size.training", 1e9));
  expect_refused("size", set_first("size.training", -HUGE_VAL));
  expect_refused("stats-knn", set_first("stats.scales", 0.0));
  expect_refused("stats-knn", set_first("stats.means", double(NAN)));
  expect_refused("stats-knn", set_first("stats.training", HUGE_VAL));
  expect_refused("stats-knn", [](TensorFile& file) { file.metadata["sgood.labels"] = "null"; });
  expect_refused("wl-knn", set_first<std::int64_t>("colours.first", 1));
  expect_refused("wl-knn", set_first<std::int32_t>("colours.graphs", 10));
  expect_refused("wl-knn", set_first<std::int32_t>("colours.graphs", -1));
  expect_refused("wl-knn", set_first<std::int32_t>("colours.counts", 0));
  expect_refused("wl-knn", set_first<std::int64_t>("colours.hashes", -1));
  expect_refused("wl-knn", [](TensorFile& file) { file.metadata["sgood.colours.graphs"] = "3"; });
  expect_refused("wl-knn", [](TensorFile& file) { file.metadata["sgood.label_columns"] = "-1"; });
}

TEST(UntrainedData, ScoresOfRealGraphsDoNotDependOnNodeNumbering) {
  const char* root = std::getenv("SGOOD_DATA");
  if (root == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
  for (const char* name : {"ENZYMES", "IMDB-MULTI"}) {
    const GraphSet set = read_tu(std::filesystem::path(root) / name);
    for (const char* method : {"size", "stats-knn", "wl-knn"}) {
      const auto detector = make_detector(method);
      detector->fit(set, {});
      EXPECT_EQ(scores(*detector, set), scores(*detector, relabelled(set, 1)))
          << method << " on " << name;
    }
  }
}

}  // namespace
}  // namespace sgood

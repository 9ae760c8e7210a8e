// SPDX-License-Identifier: MIT
#include "sgood/detectors/wl_density.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "sgood/core/error.h"
#include "sgood/detectors/model.h"
#include "sgood/graph/graph_builder.h"
#include "tests/detectors/plain_density.h"
#include "tests/detectors/toy_data.h"
#include "tests/detectors/wl_density_data.h"

namespace sgood {
namespace {

using testing::batch_scores;
using testing::fitted;
using testing::Options;
using testing::plain_scores;
using testing::random_molecules;
using testing::relabelled;
using testing::ring;
using testing::scores;
using testing::set_of;
using Json = nlohmann::json;

// --- an independent program --------------------------------------------------------------------

Graph golden_graph(const Json& json) {
  GraphBuilder builder(json["nodes"].get<std::int32_t>());
  const Json &edges = json["edges"], &bonds = json["bonds"];
  for (std::size_t e = 0; e < edges.size(); e += 2) {
    std::vector<std::int32_t> bond;
    if (!bonds.empty()) bond.push_back(bonds[e / 2].get<std::int32_t>());
    builder.add_edge(edges[e], edges[e + 1], bond);
  }
  const auto labels = json["labels"].get<std::vector<std::int32_t>>();
  const auto nodes = json["nodes"].get<std::size_t>();
  return builder.set_node_labels(labels, static_cast<std::int32_t>(labels.size() / nodes)).build();
}

/// "idf=false views=core" as options; "default" as none.
Options options_of(const std::string& text) {
  Options options;
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (const auto equals = word.find('='); equals != word.npos)
      options.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  return options;
}

void expect_near(const std::vector<double>& actual, const Json& expected, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i].get<double>(), 1e-9 * (1 + std::abs(actual[i])))
        << what << ", graph " << i;
}

TEST(WlDensityGolden, DistancesCalibrationAndScoresAreThoseOfSciPyAndNetworkX) {
  std::ifstream file(SGOOD_TEST_FOLDER "/golden/wl_density.json");
  const Json cases = Json::parse(file)["cases"];
  ASSERT_EQ(cases.size(), 3u);
  for (const Json& data : cases) {
    GraphSet train, rest;
    for (const Json& graph : data["graphs"])
      (train.graphs.size() < 30 ? train : rest).graphs.push_back(golden_graph(graph));
    for (const auto& [name, expected] : data["variants"].items()) {
      const std::string what = data["name"].get<std::string>() + ", " + name;
      const WlDensityDetector detector = fitted(train, options_of(name));
      for (const char* moment : {"mean", "deviation"})
        for (const auto& [view, value] : expected[moment].items())
          EXPECT_NEAR(detector.summary()["views"][view][moment].get<double>(), value.get<double>(),
                      1e-9)
              << what << ", " << view;
      expect_near(detector.training_scores(), expected["training"], what + ", training");
      expect_near(scores(detector, rest), expected["scores"], what);
      if (expected.contains("log_ratios")) {
        expect_near(detector.log_ratios(rest, 1, {}), expected["log_ratios"], what + ", ratios");
        expect_near(batch_scores(detector, rest), expected["batch_scores"], what + ", batch");
      }
      if (!expected.contains("distances")) continue;
      for (std::size_t g = 0; g < rest.graphs.size(); ++g)
        for (const ScoreTerm& term : detector.explain(rest.graphs[g], 30).terms) {
          ASSERT_EQ(term.nearest.size(), 30u);
          for (const NearGraph& near : term.nearest)
            EXPECT_NEAR(
                near.distance,
                expected["distances"][term.name][g][std::size_t(near.position)].get<double>(), 1e-9)
                << what << ", " << term.name << ", graph " << g << " to " << near.position;
        }
    }
  }
}

// --- the plain reference -----------------------------------------------------------------------

TEST(WlDensity, IsThePlainFormulaWithEveryOption) {
  const GraphSet train = random_molecules(60, 1), rest = random_molecules(40, 2);
  for (const Options& options : {Options{},
                                 {{"combine", "fisher"}},
                                 {{"idf", "false"}},
                                 {{"depth", "0"}},
                                 {{"depth", "4"}},
                                 {{"views", "core"}},
                                 {{"views", "core+size"}},
                                 {{"views", "whole"}},
                                 {{"tau", "0.3"}},
                                 {{"columns", "first"}},
                                 {{"columns", "none"}, {"edge_labels", "false"}},
                                 {{"columns", "first"}, {"edge_labels", "false"}},
                                 {{"columns", "1"}}}) {
    WlDensityOptions plain;
    std::string name = "default";
    for (const auto& [option, value] : options) {
      plain.table().set(option, value);
      name += " " + option + "=" + value;
    }
    const auto expected = plain_scores(train, rest, plain);
    const auto actual = scores(fitted(train, options), rest);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(actual[i], expected[i], 1e-11 * (1 + std::abs(expected[i]))) << name << ' ' << i;
  }
}

TEST(WlDensity, CopiesOfATrainingGraphCountAsMany) {
  GraphSet train = random_molecules(30, 3);
  for (int copies = 0; copies < 9; ++copies)
    train.graphs.push_back(relabelled(train.subset({4}), std::uint64_t(copies)).graphs[0]);
  const GraphSet rest = random_molecules(20, 4);
  const auto expected = plain_scores(train, rest, {});
  const auto actual = scores(fitted(train), rest);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-10);
  // A graph with ten copies is nearer to the training graphs than one with none.
  const WlDensityDetector detector = fitted(train, {{"views", "whole"}});
  EXPECT_LT(detector.explain(train.graphs[4]).terms[0].value,
            detector.explain(train.graphs[5]).terms[0].value);
}

// --- what is read ------------------------------------------------------------------------------

TEST(WlDensity, ViewsSeeWhatTheyAreCalled) {
  // Equal rings, one of them with a tail; the tail is not in the 2-core.
  GraphBuilder tailed(7);
  for (std::int32_t v = 0; v < 5; ++v) tailed.add_edge(v, (v + 1) % 5);
  tailed.add_edge(0, 5).add_edge(5, 6);
  const GraphSet train = set_of({ring(5), ring(5), ring(6)}), rest = set_of({tailed.build()});
  const auto distance_to_first = [&](const std::string& view) {
    const auto near = fitted(train, {{"views", view}}).explain(rest.graphs[0], 3).terms[0].nearest;
    return std::ranges::find(near, 0, &NearGraph::position)->distance;
  };
  EXPECT_EQ(distance_to_first("core"), 0);
  EXPECT_NEAR(distance_to_first("size"), 2.0 / 7, 1e-15);
  EXPECT_GT(distance_to_first("whole"), 0.2);
}

TEST(WlDensity, OptionsChooseTheLabelsThatAreRead) {
  const auto other = [](std::int32_t first, std::int32_t second, std::int32_t bond) {
    std::vector<std::int32_t> labels;
    for (int v = 0; v < 5; ++v) labels.insert(labels.end(), {first, second});
    return ring(5, labels, 2, bond);
  };
  GraphSet train = set_of({other(0, 0, 0), other(0, 0, 0), other(0, 0, 0)});
  train.node_label_names = {"element", "chirality"};
  const auto changed = [&](const Graph& graph, const Options& options) {
    const WlDensityDetector detector = fitted(train, options);
    return scores(detector, set_of({graph})) != scores(detector, train.subset({0}));
  };
  const Graph element = other(1, 0, 0), chirality = other(0, 1, 0), bond = other(0, 0, 1);
  for (const Graph& graph : {element, chirality, bond}) EXPECT_TRUE(changed(graph, {}));
  EXPECT_FALSE(changed(chirality, {{"columns", "no-chirality"}}));
  EXPECT_FALSE(changed(chirality, {{"columns", "first"}}));
  EXPECT_FALSE(changed(chirality, {{"columns", "0"}}));
  EXPECT_TRUE(changed(chirality, {{"columns", "0-1"}}));
  EXPECT_TRUE(changed(element, {{"columns", "no-chirality"}}));
  EXPECT_FALSE(changed(element, {{"columns", "1"}}));
  EXPECT_FALSE(changed(element, {{"columns", "none"}}));
  EXPECT_TRUE(changed(bond, {{"columns", "none"}}));
  EXPECT_FALSE(changed(bond, {{"edge_labels", "false"}}));
}

TEST(WlDensity, RefusesViewsAndColumnsThatDoNotExist) {
  const GraphSet train = random_molecules(5, 1);
  for (const char* views : {"", "+", "sizes", "whole,core"})
    EXPECT_THROW(fitted(train, {{"views", views}}), InvalidArgument) << views;
  for (const char* columns : {"", "2", "-1", "1-0", "0,,1", "0-2", "a", "0;1"})
    EXPECT_THROW(fitted(train, {{"columns", columns}}), InvalidArgument) << columns;
}

TEST(WlDensity, AGraphWithoutTheLabelsThatAreReadIsAnErrorThatNamesIt) {
  const WlDensityDetector detector = fitted(random_molecules(10, 1));
  for (const Graph& graph : {ring(4), ring(4, std::vector<std::int32_t>(8, 0), 2)}) {
    GraphSet bare = set_of({graph});
    EXPECT_THROW(detector.score(bare), InvalidArgument);
  }
}

// --- small and extreme sets --------------------------------------------------------------------

TEST(WlDensity, TwoTrainingGraphsAreEnough) {
  for (const GraphSet& train : {set_of({ring(5), ring(5)}), set_of({ring(5), ring(9)}),
                                set_of({Graph(), Graph()}), set_of({Graph(), ring(3)})})
    for (const char* combine : {"clip", "fisher"}) {
      const WlDensityDetector detector = fitted(train, {{"combine", combine}});
      const auto values = scores(detector, set_of({ring(5), ring(30), Graph()}));
      for (const double value : values) EXPECT_TRUE(std::isfinite(value));
      EXPECT_EQ(detector.training_scores().size(), 2u);
    }
  const WlDensityDetector detector = fitted(set_of({ring(5), ring(5)}));
  const auto values = scores(detector, set_of({ring(5), ring(6), ring(30)}));
  EXPECT_EQ(values[0], 0);
  EXPECT_GT(values[1], 1);
  EXPECT_GT(values[2], values[1]);
}

TEST(WlDensity, ManyTrainingGraphsAreLeftOutInPart) {
  const GraphSet train = random_molecules(1100, 1);
  const WlDensityDetector detector = fitted(train, {}, 1);
  EXPECT_EQ(detector.training_scores().size(), 1000u);
  EXPECT_EQ(detector.training_scores(), fitted(train, {}, 1).training_scores());
  EXPECT_NE(detector.training_scores(), fitted(train, {}, 2).training_scores());
}

TEST(WlDensity, SameBitsWithAnyNumberOfThreads) {
  const GraphSet train = random_molecules(200, 1), rest = random_molecules(100, 2);
  WlDensityDetector detector;
  FitContext context;
  context.threads = 3;
  detector.fit(train, context);
  EXPECT_EQ(scores(detector, rest), scores(fitted(train), rest));
  EXPECT_EQ(detector.training_scores(), fitted(train).training_scores());
}

// --- the model ---------------------------------------------------------------------------------

TEST(WlDensity, AModelTrainsOnAllGraphsAndCalibratesOnThemOneByOne) {
  ModelSettings settings;
  settings.method = "wl-density";
  settings.alarm_rate = 0.1;
  const GraphSet data = random_molecules(300, 1);
  const Model model = Model::fit(data, settings, {});
  EXPECT_EQ(model.describe()["training"]["train_graphs"], 300);
  auto expected = fitted(data).training_scores();
  std::ranges::sort(expected);
  EXPECT_EQ(model.calibration().scores(), expected);

  double alarms = 0;
  for (const Decision& d : model.score(random_molecules(1000, 2))) alarms += d.is_ood ? 1 : 0;
  EXPECT_NEAR(alarms / 1000, 0.1, 0.05);

  const GraphSet other = random_molecules(40, 3);
  EXPECT_EQ(Model::fit(data, settings, {}, &other).calibration().scores().size(), 40u);
}

TEST(WlDensity, ASavedModelExplainsAlike) {
  const GraphSet train = random_molecules(50, 1), rest = random_molecules(5, 2);
  const WlDensityDetector detector = fitted(train, {{"columns", "0"}});
  TensorFile file;
  detector.save(file);
  WlDensityDetector loaded;
  loaded.options().set("columns", "0");
  loaded.load(file);
  EXPECT_EQ(loaded.summary(), detector.summary());
  EXPECT_EQ(loaded.training_scores(), detector.training_scores());
  for (const Graph& graph : rest.graphs) {
    const Explanation a = detector.explain(graph), b = loaded.explain(graph);
    EXPECT_EQ(a.node_weights, b.node_weights);
    EXPECT_EQ(a.terms[0].nearest[0].id, b.terms[0].nearest[0].id);
  }
}

TEST(WlDensity, LoadingRefusesNumbersThatNoFitGives) {
  const WlDensityDetector detector = fitted(random_molecules(20, 1));
  TensorFile good;
  detector.save(good);
  const auto refused = [&](const std::string& what, const auto& damage) {
    TensorFile file = good;
    damage(file);
    EXPECT_THROW(WlDensityDetector().load(file), Error) << what;
  };
  for (const auto& [name, tensor] : good.tensors) {
    for (const std::int64_t at : {std::int64_t{0}, tensor.shape.back() - 1})
      for (const int value : {-1, 1 << 24}) {
        // A hash and a score may be anything; a size may be large.
        if (name.ends_with(".colours") || name == "density.left_out") continue;
        if (value > 0 && (name == "density.sizes" || name.ends_with(".level_counts"))) continue;
        refused(fmt::format("{}[{}] = {}", name, at, value), [&](TensorFile& file) {
          Tensor& t = file.tensors.at(name);
          if (t.type == TensorType::kI32) {
            auto values = t.values<std::int32_t>();
            values.at(std::size_t(at)) = value;
            t = Tensor::of(std::span<const std::int32_t>(values), t.shape);
          } else {
            auto values = t.values<std::int64_t>();
            values.at(std::size_t(at)) = value;
            t = Tensor::of(std::span<const std::int64_t>(values), t.shape);
          }
        });
      }
    // Fewer columns, or fewer graphs left out, are possible.
    if (name == "density.columns" || name == "density.left_out") continue;
    refused(name + " cut", [&](TensorFile& file) {
      Tensor& t = file.tensors.at(name);
      t.bytes.resize(t.bytes.size() - t.bytes.size() / std::size_t(t.shape.back()));
      t.shape.back() -= 1;
    });
  }
  for (const auto& [name, text] : good.metadata)
    for (const char* value : {"-1", "[]", "x"})
      if (name != "sgood.density.edge_labels" || value == std::string("x"))
        refused(name + " " + value, [&](TensorFile& file) { file.metadata[name] = value; });
}

// --- explanations ------------------------------------------------------------------------------

TEST(WlDensityExplain, TermsAddUpToTheScoreAndPartsToTheNodes) {
  const WlDensityDetector detector = fitted(random_molecules(60, 1));
  for (const Graph& graph : random_molecules(30, 2).graphs) {
    const Explanation e = detector.explain(graph);
    EXPECT_EQ(e.score, detector.score(set_of({graph}))[0].score);
    double sum = 0, raised = 0, parts = 0;
    for (const ScoreTerm& term : e.terms) {
      sum += term.contribution;
      raised += std::max(term.contribution, 0.0);
      EXPECT_EQ(term.nearest.size(), 5u);
    }
    EXPECT_NEAR(sum, e.score, 1e-12 * (1 + std::abs(sum)));
    for (const UnusualPart& part : e.parts) {
      parts += part.weight;
      EXPECT_GT(part.weight, 0);
      EXPECT_FALSE(part.nodes.empty());
      EXPECT_LT(part.in_nearest, std::ssize(part.nodes));
    }
    ASSERT_EQ(std::ssize(e.node_weights), graph.num_nodes());
    const double nodes = std::accumulate(e.node_weights.begin(), e.node_weights.end(), 0.0);
    EXPECT_NEAR(nodes, parts, 1e-9 * (1 + parts));
    EXPECT_NEAR(parts + e.elsewhere, raised, 1e-9 * (1 + raised));
    EXPECT_GE(e.elsewhere, -1e-9);
  }
}

TEST(WlDensityExplain, FindsTheAtomThatTrainingNeverHad) {
  GraphSet train;
  for (int i = 0; i < 40; ++i)
    train.graphs.push_back(
        ring(5 + i % 3, std::vector<std::int32_t>(std::size_t(5 + i % 3), 1), 1));
  const Graph odd = ring(6, {1, 1, 1, 7, 1, 1}, 1);
  const Explanation e = fitted(train).explain(odd);
  EXPECT_EQ(std::ranges::max_element(e.node_weights) - e.node_weights.begin(), 3);
  EXPECT_EQ(e.parts[0].training_graphs, 0);
  const auto unseen = std::ranges::find_if(e.parts, [](const UnusualPart& part) {
    return part.radius == 0 && part.training_graphs == 0;
  });
  ASSERT_NE(unseen, e.parts.end());
  EXPECT_EQ(unseen->nodes, std::vector<std::int32_t>{3});
  EXPECT_THROW(fitted(train).explain(odd, 0), InvalidArgument);
  EXPECT_THROW(WlDensityDetector().explain(odd), NotFitted);
}

}  // namespace
}  // namespace sgood

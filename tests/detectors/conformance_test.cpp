// SPDX-License-Identifier: MIT
// Properties that every row of the registry must have. A new method is tested by being registered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "sgood/core/error.h"
#include "sgood/detectors/detector.h"
#include "sgood/detectors/engines.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/metrics/ood_metrics.h"
#include "tests/detectors/toy_data.h"

namespace sgood {
namespace {

using testing::relabelled;
using testing::toy_ood;
using testing::toy_set;

/// Options that make a method quick, where it has them.
std::unique_ptr<Detector> quick_detector(const std::string& name) {
  auto detector = make_detector(name);
  const OptionTable options = detector->options();
  for (const OptionEntry& entry : options.entries()) {
    if (entry.name == "pretrain_epochs") options.set(entry.name, "3");
    if (entry.name == "finetune_epochs") options.set(entry.name, "10");
    if (entry.name == "epochs") options.set(entry.name, "10");
    if (entry.name == "batch_size") options.set(entry.name, "16");
  }
  return detector;
}

std::vector<double> values(const std::vector<GraphScore>& scores) {
  std::vector<double> result;
  for (const GraphScore& s : scores) result.push_back(s.score);
  return result;
}

std::vector<double> batch_values(const Detector& detector, const GraphSet& set, int threads = 1) {
  std::vector<double> result;
  for (const GraphScore& s : detector.score_batch(set, threads, {}))
    result.push_back(s.batch_score.value());
  return result;
}

std::vector<double> fit_and_score(const std::string& name, std::uint64_t seed) {
  const auto detector = quick_detector(name);
  FitContext context;
  context.seed = seed;
  detector->fit(toy_set(41, 1), context);
  return values(detector->score(toy_ood(10, 2)));
}

GraphSet without_node_labels(GraphSet set) {
  set.node_label_names.clear();
  for (Graph& graph : set.graphs) graph = graph.with_node_labels({}, 0);
  return set;
}

/// The registry's row of a method.
const DetectorInfo& info_of(const std::string& name) {
  return *std::find_if(detectors().begin(), detectors().end(),
                       [&](const DetectorInfo& row) { return row.name == name; });
}

bool has_torch() {
  const auto rows = engines();
  return std::any_of(rows.begin(), rows.end(),
                     [](const EngineInfo& row) { return row.name == "torch" && row.available; });
}

class Conformance : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (info_of(GetParam()).needs_torch && !has_torch()) GTEST_SKIP() << "needs LibTorch";
  }

  /// Fitted once per method: fitting is the slow part.
  static const Detector& fitted(const std::string& name) {
    static std::map<std::string, std::unique_ptr<Detector>> cache;
    auto& slot = cache[name];
    if (!slot) {
      slot = quick_detector(name);
      slot->fit(toy_set(41, 1), {});
    }
    return *slot;
  }
};

TEST_P(Conformance, GivesOneFiniteScorePerGraph) {
  const auto scores = fitted(GetParam()).score(toy_ood(17, 3));
  ASSERT_EQ(scores.size(), 17u);
  for (const GraphScore& s : scores) {
    EXPECT_TRUE(std::isfinite(s.score));
    EXPECT_TRUE(!s.probability || (*s.probability > 0 && *s.probability <= 1));
    EXPECT_TRUE(!s.predicted || *s.predicted == 0 || *s.predicted == 1);
  }
}

TEST_P(Conformance, SameSeedGivesTheSameScoresToTheLastBit) {
  EXPECT_EQ(fit_and_score(GetParam(), 5), fit_and_score(GetParam(), 5));
}

TEST_P(Conformance, AScoreDoesNotDependOnTheOtherGraphs) {
  const Detector& detector = fitted(GetParam());
  const GraphSet all = toy_ood(30, 4);
  const std::vector<double> together = values(detector.score(all));
  for (std::int32_t i = 0; i < 30; ++i)
    EXPECT_EQ(values(detector.score(all.subset({i})))[0], together[static_cast<std::size_t>(i)]);
}

TEST_P(Conformance, AScoreDoesNotDependOnTheOrderOfGraphsOrTheNumberOfThreads) {
  const Detector& detector = fitted(GetParam());
  const GraphSet set = toy_set(150, 5);
  const std::vector<double> forward = values(detector.score(set));
  GraphSet reversed = set;
  std::reverse(reversed.graphs.begin(), reversed.graphs.end());
  std::vector<double> backward = values(detector.score(reversed));
  std::reverse(backward.begin(), backward.end());
  EXPECT_EQ(forward, backward);
  for (const int threads : {2, 3}) EXPECT_EQ(forward, values(detector.score(set, threads, {})));
}

TEST_P(Conformance, AScoreDoesNotDependOnNodeNumbering) {
  const Detector& detector = fitted(GetParam());
  const GraphSet set = toy_set(60, 6);
  const std::vector<double> as_given = values(detector.score(set));
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    EXPECT_EQ(as_given, values(detector.score(relabelled(set, seed))));
}

TEST_P(Conformance, ABatchIsRankedBesideTheScoresOrRefusedWithTheMethodsThatCan) {
  const Detector& detector = fitted(GetParam());
  GraphSet set = toy_set(40, 11);
  for (const Graph& graph : toy_ood(30, 12).graphs) set.graphs.push_back(graph);
  if (!info_of(GetParam()).scores_batches) {
    try {
      detector.score_batch(GraphSet(), 1, {});
      FAIL() << "no error";
    } catch (const InvalidArgument& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(GetParam()));
      for (const DetectorInfo& row : detectors())
        if (row.scores_batches) {
          EXPECT_THAT(error.what(), ::testing::HasSubstr(row.name));
        }
    }
    EXPECT_FALSE(detector.score(set)[0].batch_score);
    return;
  }
  const auto ranked = batch_values(detector, set);
  for (const double value : ranked) EXPECT_TRUE(value > 0 && value < 1) << value;
  EXPECT_EQ(values(detector.score_batch(set, 1, {})), values(detector.score(set)));
  EXPECT_NE(batch_values(detector, set.subset({0, 1, 2, 3})),
            std::vector<double>(ranked.begin(), ranked.begin() + 4));
  EXPECT_TRUE(detector.score_batch(GraphSet(), 1, {}).empty());

  GraphSet reversed = set;
  std::reverse(reversed.graphs.begin(), reversed.graphs.end());
  std::vector<double> backward = batch_values(detector, reversed);
  std::reverse(backward.begin(), backward.end());
  EXPECT_EQ(ranked, backward);
  for (const int threads : {2, 3}) EXPECT_EQ(ranked, batch_values(detector, set, threads));
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    EXPECT_EQ(ranked, batch_values(detector, relabelled(set, seed)));
  std::stop_source stopped;
  stopped.request_stop();
  RunControl control;
  control.stop = stopped.get_token();
  EXPECT_THROW(detector.score_batch(set, 1, control), Cancelled);
}

TEST_P(Conformance, SavedAndLoadedDetectorsScoreAlike) {
  const Detector& detector = fitted(GetParam());
  TensorFile file;
  detector.save(file);
  const auto copy = quick_detector(GetParam());
  copy->load(file);
  EXPECT_EQ(values(detector.score(toy_ood(20, 7))), values(copy->score(toy_ood(20, 7))));
  TensorFile again;
  copy->save(again);
  EXPECT_EQ(file, again);
}

TEST_P(Conformance, LoadingRefusesAFileThatLacksATensor) {
  TensorFile file;
  fitted(GetParam()).save(file);
  for (const auto& [name, tensor] : file.tensors) {
    TensorFile damaged = file;
    damaged.tensors.erase(name);
    EXPECT_THROW(quick_detector(GetParam())->load(damaged), Error) << name;
  }
}

TEST_P(Conformance, ScoringBeforeFittingIsAnError) {
  EXPECT_THROW(make_detector(GetParam())->score(toy_ood(1, 1)), NotFitted);
}

TEST_P(Conformance, TooFewGraphsAreAnError) {
  EXPECT_THROW(quick_detector(GetParam())->fit(toy_set(0, 1), {}), InvalidArgument);
  EXPECT_THROW(quick_detector(GetParam())->fit(toy_set(1, 1), {}), InvalidArgument);
}

TEST_P(Conformance, AnEmptySetToScoreGivesNoScores) {
  EXPECT_TRUE(fitted(GetParam()).score(GraphSet()).empty());
}

TEST_P(Conformance, MissingClassesAreAnErrorThatSaysWhatToDo) {
  GraphSet set = toy_set(20, 1);
  set.graphs[3] = set.graphs[3].with_label(std::nullopt);
  try {
    quick_detector(GetParam())->fit(set, {});
    FAIL() << "no error";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("1 of 20"));
  }
}

TEST_P(Conformance, WorksWithoutClassesAndWithOneClassOrSaysThatItNeedsTwo) {
  for (const bool one_class : {false, true}) {
    GraphSet set = toy_set(20, 1);
    for (Graph& graph : set.graphs)
      graph = graph.with_label(one_class ? std::optional<std::int32_t>(0) : std::nullopt);
    const auto detector = quick_detector(GetParam());
    if (info_of(GetParam()).needs_classes) {
      EXPECT_THROW(detector->fit(set, {}), InvalidArgument);
      EXPECT_THROW(detector->score(set), NotFitted);
      continue;
    }
    detector->fit(set, {});
    for (const GraphScore& s : detector->score(toy_ood(5, 1))) EXPECT_TRUE(std::isfinite(s.score));
  }
}

TEST_P(Conformance, ALastBatchOfOneIsNoObstacle) {
  const auto detector = quick_detector(GetParam());
  detector->fit(toy_set(33, 1), {});  // batches of 16
  for (const GraphScore& s : detector->score(toy_ood(5, 1))) EXPECT_TRUE(std::isfinite(s.score));
}

TEST_P(Conformance, WorksWithoutNodeLabels) {
  const auto detector = quick_detector(GetParam());
  detector->fit(without_node_labels(toy_set(20, 1)), {});
  for (const GraphScore& s : detector->score(without_node_labels(toy_ood(5, 1))))
    EXPECT_TRUE(std::isfinite(s.score));
}

TEST_P(Conformance, AGraphWithoutTheColumnsThatTheMethodReadsIsAnErrorThatNamesIt) {
  const auto bare_fit = quick_detector(GetParam());
  bare_fit->fit(without_node_labels(toy_set(41, 1)), {});
  const bool reads_labels =
      values(bare_fit->score(toy_ood(5, 1))) != values(fitted(GetParam()).score(toy_ood(5, 1)));
  GraphBuilder builder(3);
  builder.add_edge(0, 1).set_id("bare");
  GraphSet bare;
  bare.graphs.push_back(builder.build());
  try {
    fitted(GetParam()).score(bare);
    EXPECT_FALSE(reads_labels) << "no error";
  } catch (const InvalidArgument& error) {
    EXPECT_TRUE(reads_labels) << error.what();
    EXPECT_THAT(error.what(), ::testing::HasSubstr("bare"));
  }
}

TEST_P(Conformance, TinyAndEdgelessGraphsHaveAFiniteScore) {
  GraphSet odd;
  for (const std::int32_t nodes : {0, 1, 2, 5}) {
    GraphBuilder builder(nodes);
    builder.set_node_labels(std::vector<std::int32_t>(static_cast<std::size_t>(nodes), 1), 1);
    odd.graphs.push_back(builder.build());
  }
  for (const GraphScore& s : fitted(GetParam()).score(odd)) EXPECT_TRUE(std::isfinite(s.score));

  GraphSet with_odd = toy_set(30, 1);
  for (const Graph& graph : odd.graphs) with_odd.graphs.push_back(graph.with_label(0));
  const auto detector = quick_detector(GetParam());
  detector->fit(with_odd, {});
  for (const GraphScore& s : detector->score(odd)) EXPECT_TRUE(std::isfinite(s.score));
}

TEST_P(Conformance, TellsUnlikeGraphsFromLikeOnes) {
  const std::set<std::string> kConfidences = {"msp", "energy", "odin", "gnnsafe"};
  if (kConfidences.contains(GetParam()))
    GTEST_SKIP() << "logits grow with the graph, so confidence may be high on unlike graphs";
  const std::set<std::string> kMeans = {"graphde", "ocgin", "glocalkd"};
  if (kMeans.contains(GetParam()))
    GTEST_SKIP() << "a mean over nodes or edges sees neither size nor the length of long rings";
  const Detector& detector = fitted(GetParam());
  const OodMetrics m =
      ood_metrics(values(detector.score(toy_set(60, 8))), values(detector.score(toy_ood(60, 9))));
  // Means over the nodes that pooling keeps hardly show how long the rings are.
  const std::set<std::string> kPooling = {"sagpool", "topkpool"};
  EXPECT_GT(m.auroc, kPooling.contains(GetParam()) ? 0.55 : 0.7);
}

TEST_P(Conformance, ExplainsTheScoreThatItGives) {
  const Detector& detector = fitted(GetParam());
  const GraphSet graphs = toy_ood(3, 9);
  const std::vector<double> scores = values(detector.score(graphs));
  for (std::size_t g = 0; g < scores.size(); ++g) {
    const Explanation e = detector.explain(graphs.graphs[g], 2);
    EXPECT_EQ(e.score, scores[g]);
    double sum = 0;
    for (const ScoreTerm& term : e.terms) sum += term.contribution;
    EXPECT_NEAR(sum, scores[g], 1e-9 * std::abs(scores[g]));
  }
}

TEST_P(Conformance, AStopRequestEndsTheFit) {
  std::stop_source source;
  source.request_stop();
  FitContext context;
  context.control.stop = source.get_token();
  EXPECT_THROW(quick_detector(GetParam())->fit(toy_set(20, 1), context), Cancelled);
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const DetectorInfo& row : detectors()) names.push_back(row.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Registry, Conformance, ::testing::ValuesIn(method_names()),
                         [](const auto& row) {
                           std::string name = row.param;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "sgood/core/error.h"
#include "sgood/detectors/model.h"
#include "sgood/detectors/sgood.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/graph/subgraph.h"
#include "sgood/substructure/fingerprint.h"
#include "tests/detectors/toy_data.h"

namespace sgood {
namespace {

using testing::relabelled;
using testing::toy_ood;
using testing::toy_set;

Model quick_model(const std::string& method) {
  ModelSettings settings;
  settings.method = method;
  if (method == "sgood") settings.options = {{"pretrain_epochs", "2"}, {"finetune_epochs", "10"}};
  return Model::fit(toy_set(60, 1), settings, {});
}

GraphSet alone(const Graph& graph) {
  GraphSet set;
  set.graphs.push_back(graph);
  return set;
}

class ModelReasons : public ::testing::TestWithParam<std::string> {};

TEST_P(ModelReasons, SubstructuresCoverTheGraphOnceAndAFallIsWhatScoringAgainGives) {
  const Model model = quick_model(GetParam());
  for (const Graph& graph : toy_ood(5, 3).graphs) {
    const Reasons reasons = model.explain(graph);
    EXPECT_EQ(reasons.decision.score, model.score(alone(graph))[0].score);
    std::multiset<std::int32_t> covered;
    for (const SubstructureReason& reason : reasons.substructures) {
      covered.insert(reason.nodes.begin(), reason.nodes.end());
      std::vector<std::int32_t> rest;
      for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
        if (!std::ranges::binary_search(reason.nodes, v)) rest.push_back(v);
      ASSERT_TRUE(reason.fall.has_value());
      EXPECT_EQ(*reason.fall, reasons.decision.score -
                                  model.score(alone(induced_subgraph(graph, rest)))[0].score);
    }
    EXPECT_EQ(covered.size(), static_cast<std::size_t>(graph.num_nodes()));
    EXPECT_EQ(std::set(covered.begin(), covered.end()).size(), covered.size());
    EXPECT_TRUE(std::ranges::is_sorted(reasons.substructures, std::ranges::greater(),
                                       &SubstructureReason::contribution));
  }
}

TEST_P(ModelReasons, ContributionsAreFallsOrAddUpToWhatRaisedTheScore) {
  const Model model = quick_model(GetParam());
  for (const Graph& graph : toy_ood(5, 3).graphs) {
    const Reasons reasons = model.explain(graph);
    ASSERT_EQ(reasons.shares, GetParam() == "wl-density");
    double sum = reasons.method.elsewhere, raised = 0, terms = 0;
    for (const SubstructureReason& reason : reasons.substructures) {
      sum += *reason.contribution;
      EXPECT_TRUE(reasons.shares || reason.contribution == reason.fall);
    }
    for (const ScoreTerm& term : reasons.method.terms) {
      raised += std::max(term.contribution, 0.0);
      terms += term.contribution;
    }
    EXPECT_NEAR(terms, reasons.decision.score, 1e-9 * std::abs(terms));
    EXPECT_NEAR(reasons.shares ? sum : raised, raised, 1e-9 * raised);
  }
}

TEST_P(ModelReasons, DoesNotDependOnNodeNumbering) {
  const Model model = quick_model(GetParam());
  const GraphSet graphs = toy_ood(5, 4), renamed = relabelled(graphs, 7);
  for (std::size_t g = 0; g < graphs.graphs.size(); ++g) {
    const Reasons a = model.explain(graphs.graphs[g]), b = model.explain(renamed.graphs[g]);
    ASSERT_EQ(a.substructures.size(), b.substructures.size());
    for (std::size_t i = 0; i < a.substructures.size(); ++i)
      EXPECT_NEAR(*a.substructures[i].contribution, *b.substructures[i].contribution,
                  1e-9 * std::abs(a.decision.score));
  }
}

TEST_P(ModelReasons, ALoadedModelSaysTheSame) {
  const Model model = quick_model(GetParam());
  const std::string path = ::testing::TempDir() + "explained.sgood";
  model.save(path);
  const Model loaded = Model::load(path);
  EXPECT_EQ(model.training_sizes(), loaded.training_sizes());
  EXPECT_EQ(model.unique_substructures().with_unique, loaded.unique_substructures().with_unique);
  const Graph graph = toy_ood(1, 5).graphs[0];
  const Reasons a = model.explain(graph, 3), b = loaded.explain(graph, 3);
  ASSERT_EQ(a.method.terms[0].nearest.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(a.method.terms[0].nearest[i].id, b.method.terms[0].nearest[i].id);
    EXPECT_EQ(a.method.terms[0].nearest[i].distance, b.method.terms[0].nearest[i].distance);
  }
  for (std::size_t i = 0; i < a.substructures.size(); ++i) {
    EXPECT_EQ(a.substructures[i].nodes, b.substructures[i].nodes);
    EXPECT_EQ(a.substructures[i].training_graphs, b.substructures[i].training_graphs);
  }
}

INSTANTIATE_TEST_SUITE_P(, ModelReasons, ::testing::Values("sgood", "wl-density"),
                         [](const auto& row) { return row.index == 0 ? "Sgood" : "WlDensity"; });

TEST(ModelExplain, CountsTheTrainingGraphsWithAnEqualSubstructure) {
  ModelSettings settings;
  settings.method = "size";
  const GraphSet data = toy_set(50, 1);
  const Model model = Model::fit(data, settings, {}, &data);
  const auto partitioner = make_partitioner("modularity");
  const Graph& graph = data.graphs[3];
  for (const SubstructureReason& reason : model.explain(graph).substructures) {
    const auto wanted =
        block_fingerprints(induced_subgraph(graph, reason.nodes),
                           Partition(std::vector<std::int32_t>(reason.nodes.size(), 0)))[0];
    std::int32_t count = 0;
    for (const Graph& other : data.graphs) {
      const auto found = find_substructures(other, *partitioner, NodeOrder::kCanonical);
      const auto fingerprints = block_fingerprints(other, found.partition);
      count += std::ranges::find(fingerprints, wanted) != fingerprints.end() ? 1 : 0;
    }
    EXPECT_EQ(reason.training_graphs, count);
    EXPECT_GE(count, 1);
  }
}

TEST(ModelExplain, TheNearestTrainingGraphOfATrainingGraphIsItself) {
  SgoodDetector detector({{.pretrain_epochs = 2, .finetune_epochs = 10}, {}});
  GraphSet train = toy_set(40, 1);
  detector.fit(train, {});
  const Explanation e = detector.explain(train.graphs[7], 5);
  const Matrix z = detector.represent(train);
  const auto same = [&](std::int32_t g) { return std::ranges::equal(z.row(7), z.row(g)); };
  EXPECT_TRUE(same(e.terms[0].nearest[0].position));
  EXPECT_NEAR(e.terms[0].nearest[0].distance, 0, 1e-6);
  EXPECT_TRUE(std::ranges::is_sorted(e.terms[0].nearest, {}, &NearGraph::distance));
  EXPECT_THROW(detector.explain(train.graphs[7], 0), InvalidArgument);
  EXPECT_THROW(SgoodDetector().explain(train.graphs[7], 1), NotFitted);
}

TEST(ModelExplain, AGraphOfOneSubstructureHasNothingToDelete) {
  const Model model = quick_model("sgood");
  GraphBuilder one(1);
  const Reasons reasons = model.explain(one.set_node_labels({0}, 1).build());
  ASSERT_EQ(reasons.substructures.size(), 1u);
  EXPECT_FALSE(reasons.substructures[0].contribution.has_value());
  EXPECT_TRUE(model.explain(GraphBuilder(0).build()).substructures.empty());
}

}  // namespace
}  // namespace sgood

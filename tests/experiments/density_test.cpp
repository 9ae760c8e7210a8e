// SPDX-License-Identifier: MIT
// wl-density on suites: what its explanations name, what its calibration promises, and that its
// scores are functions of the graph.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "sgood/chem/molecule.h"
#include "sgood/chem/molecule_table.h"
#include "sgood/core/rng.h"
#include "sgood/detectors/wl_density.h"
#include "sgood/experiments/bench.h"
#include "sgood/suites/motif.h"

namespace sgood {
namespace {

std::vector<double> scores(const Detector& detector, const GraphSet& graphs, int threads = 1) {
  std::vector<double> values;
  for (const GraphScore& s : detector.score(graphs, threads, {})) values.push_back(s.score);
  return values;
}

/// What explanations of the OOD graphs of `motif` name.
struct Naming {
  double named = 0;      ///< Graphs of which anything is named.
  double heaviest = 0;   ///< Those whose heaviest part is centred on new pieces alone.
  double top_node = 0;   ///< Those whose heaviest node is in a new piece.
  double new_nodes = 0;  ///< Mean share of nodes in new pieces: what naming at random would hit.
};

Naming naming(const MotifData& data, int depth) {
  WlDensityOptions options;
  options.depth = depth;
  WlDensityDetector detector(options);
  detector.fit(data.id, {});
  Naming result;
  for (std::size_t g = 0; g < data.ood.graphs.size(); ++g) {
    const Graph& graph = data.ood.graphs[g];
    const std::vector<std::int32_t>& fresh = data.new_nodes[g];
    const auto is_new = [&](std::int32_t v) { return std::ranges::binary_search(fresh, v); };
    result.new_nodes += double(fresh.size()) / graph.num_nodes() / double(data.ood.graphs.size());
    const Explanation e = detector.explain(graph);
    if (e.parts.empty()) continue;
    ++result.named;
    result.heaviest += std::ranges::all_of(e.parts[0].nodes, is_new);
    const auto top = std::ranges::max_element(e.node_weights) - e.node_weights.begin();
    result.top_node += is_new(static_cast<std::int32_t>(top));
  }
  return result;
}

TEST(DensityExplanation, NamesTheNewPiecesOfMotif) {
  const MotifData data = make_motif_data({});
  const auto graphs = static_cast<double>(data.ood.graphs.size());
  // Two rounds cannot tell every new piece from the known ones; three can.
  const Naming three = naming(data, 3), two = naming(data, 2);
  std::printf(
      "depth 3: %.1f %% of graphs explained, heaviest part in new pieces alone %.1f %%, "
      "heaviest node %.1f %% (at random: %.1f %%); depth 2: %.1f %%, of these %.1f %%\n",
      100 * three.named / graphs, 100 * three.heaviest / graphs, 100 * three.top_node / graphs,
      100 * three.new_nodes, 100 * two.named / graphs, 100 * two.heaviest / two.named);
  EXPECT_LT(three.new_nodes, 0.8);
  EXPECT_GT(three.heaviest / graphs, 0.9);
  EXPECT_GT(three.top_node / graphs, 0.9);
  EXPECT_GT(two.named / graphs, 0.5);
  EXPECT_GT(two.top_node / two.named, 0.9);
}

// --- real data ---------------------------------------------------------------------------------

class DensityData : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    root_ = std::getenv("SGOOD_DATA");
    if (root_ == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
    const bool molecules = std::set<std::string>{"bace", "bbbp", "drugood"}.contains(GetParam());
    if (molecules && !molecules_available()) GTEST_SKIP() << "needs RDKit";
  }
  const char* root_ = nullptr;
};

TEST_P(DensityData, CalibrationHoldsOnUnseenIdGraphsAndTheyAreLikeEachOther) {
  constexpr int kSeeds = 20;
  const SuiteData data = load_suite(GetParam(), root_, 2);
  double alarms = 0, null = 0, null_squares = 0, auroc = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const RunRecord run =
        run_once(split_suite(data, seed), {GetParam(), "wl-density", {}, seed, seed}, {});
    alarms += run.false_alarms / kSeeds;
    auroc += run.ood.auroc / kSeeds;
    null += *run.null_auroc / kSeeds;
    null_squares += *run.null_auroc * *run.null_auroc / kSeeds;
  }
  const double error = std::sqrt((null_squares - null * null) / (kSeeds - 1));
  std::printf("%s: AUROC %.1f, false alarms %.2f %%, ID against ID %.2f +- %.2f\n",
              GetParam().c_str(), 100 * auroc, 100 * alarms, 100 * null, 100 * error);
  EXPECT_GT(alarms, 0.035);
  EXPECT_LT(alarms, 0.065);
  EXPECT_LT(std::abs(null - 0.5), 3 * error);
  EXPECT_GT(auroc, 0.77);
}

TEST_P(DensityData, ScoresAreFunctionsOfTheGraph) {
  constexpr std::size_t kGraphs = 250;
  const OodSuite suite = split_suite(load_suite(GetParam(), root_, 2), 0);
  WlDensityDetector detector;
  detector.fit(suite.id_train, {});
  GraphSet graphs = suite.id_test;
  for (const GraphSet* set : {&suite.ood_test, &suite.id_train})
    for (const Graph& graph : set->graphs)
      if (graphs.graphs.size() < kGraphs) graphs.graphs.push_back(graph);
  const std::vector<double> expected = scores(detector, graphs);
  EXPECT_GT(std::set<double>(expected.begin(), expected.end()).size(), kGraphs / 3);

  Rng rng(1);
  GraphSet renumbered = graphs;
  for (Graph& graph : renumbered.graphs)
    graph = graph.relabelled(rng.sample(graph.num_nodes(), graph.num_nodes()));
  EXPECT_EQ(scores(detector, renumbered), expected);
  const std::vector<std::int32_t> order = rng.sample(kGraphs, kGraphs);
  const std::vector<double> reordered = scores(detector, graphs.subset(order));
  for (std::size_t i = 0; i < kGraphs; ++i) {
    const double own = expected[static_cast<std::size_t>(order[i])];
    EXPECT_EQ(reordered[i], own);
    EXPECT_EQ(scores(detector, graphs.subset({order[i]}))[0], own);
  }
  for (const int threads : {2, 3}) EXPECT_EQ(scores(detector, graphs, threads), expected);
}

INSTANTIATE_TEST_SUITE_P(Suites, DensityData,
                         ::testing::Values("enzymes", "imdb-m", "imdb-b", "bace", "bbbp",
                                           "drugood"),
                         [](const auto& suite) {
                           std::string name = suite.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(DensitySmilesData, AMoleculeHasOneScoreHoweverItIsWritten) {
  const char* root = std::getenv("SGOOD_DATA");
  if (root == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
  if (!molecules_available()) GTEST_SKIP() << "needs RDKit";
  std::ifstream file(SGOOD_TEST_FOLDER "/golden/rewritten_smiles.json");
  const auto golden = nlohmann::json::parse(file).at("BACE");
  const MoleculeTable table =
      read_molecule_table(root + std::string("/BACE/mol.csv"), {.smiles_column = "smiles"});
  GraphSet original, rewritten;
  for (const auto& [row, smiles] :
       golden.get<std::vector<std::pair<std::int64_t, std::string>>>()) {
    original.graphs.push_back(
        molecule_to_graph(table.rows.at(static_cast<std::size_t>(row)).smiles));
    rewritten.graphs.push_back(molecule_to_graph(smiles));
  }
  WlDensityDetector detector;
  detector.fit(original, {});
  EXPECT_EQ(scores(detector, rewritten), scores(detector, original));
}

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
// A score and a partition are functions of the graph: on real data, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "sgood/chem/molecule.h"
#include "sgood/chem/molecule_table.h"
#include "sgood/core/rng.h"
#include "sgood/detectors/sgood.h"
#include "sgood/substructure/modularity.h"
#include "sgood/suites/suite.h"

namespace sgood {
namespace {

constexpr std::size_t kGraphs = 250;

SgoodDetector quickly_fitted(const GraphSet& train) {
  SgoodOptions options;
  options.pretrain_epochs = 2;
  options.finetune_epochs = 3;
  SgoodDetector detector(options);
  detector.fit(train, {});
  return detector;
}

/// Everything that is said of a graph, comparable to the last bit.
using Answer = std::tuple<double, std::optional<std::int32_t>, std::optional<double>>;

std::vector<Answer> answers(const Detector& detector, const GraphSet& graphs, int threads = 1) {
  std::vector<Answer> result;
  for (const GraphScore& s : detector.score(graphs, threads, {}))
    result.emplace_back(s.score, s.predicted, s.probability);
  return result;
}

std::vector<std::int32_t> shuffled(std::int32_t count, Rng& rng) {
  return rng.sample(count, count);
}

GraphSet renumbered(const GraphSet& set, Rng& rng) {
  GraphSet result = set;
  for (Graph& graph : result.graphs) graph = graph.relabelled(shuffled(graph.num_nodes(), rng));
  return result;
}

/// Blocks, edges and labels in the order in which the partitioner met the nodes. Equal for two
/// numberings exactly when an isomorphism carries one partition into the other.
std::vector<std::int32_t> partition_as_met(const Graph& graph, NodeOrder order) {
  const Substructures found = find_substructures(graph, ModularityPartitioner(), order);
  std::vector<std::int32_t> place(found.order.size());
  for (std::size_t i = 0; i < place.size(); ++i)
    place[static_cast<std::size_t>(found.order[i])] = static_cast<std::int32_t>(i);
  const Graph read = graph.relabelled(place);
  std::vector<std::int32_t> text(read.row_ptr().begin(), read.row_ptr().end());
  text.insert(text.end(), read.col().begin(), read.col().end());
  for (std::int32_t v = 0; v < read.num_nodes(); ++v) {
    text.push_back(found.partition.block(found.order[static_cast<std::size_t>(v)]));
    text.insert(text.end(), read.node_labels(v).begin(), read.node_labels(v).end());
  }
  return text;
}

/// Sizes of the blocks, ascending: needs no isomorphism to be compared.
std::vector<std::size_t> block_sizes(const Graph& graph, NodeOrder order) {
  std::vector<std::size_t> sizes;
  for (const auto& block :
       find_substructures(graph, ModularityPartitioner(), order).partition.members())
    sizes.push_back(block.size());
  std::ranges::sort(sizes);
  return sizes;
}

struct Fitted {
  SgoodDetector detector;
  GraphSet graphs;  ///< ID test, OOD, then training graphs.
};

Fitted fit_suite(const std::string& name, const char* root) {
  const OodSuite suite = split_suite(load_suite(name, root, 2), 0);
  Fitted fitted{quickly_fitted(suite.id_train), suite.id_test};
  for (const GraphSet* set : {&suite.ood_test, &suite.id_train})
    for (const Graph& graph : set->graphs)
      if (fitted.graphs.graphs.size() < kGraphs)
        fitted.graphs.graphs.push_back(graph.with_label(std::nullopt));
  return fitted;
}

class InvarianceData : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const char* root = std::getenv("SGOOD_DATA");
    if (root == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
    const bool molecules = std::set<std::string>{"bace", "bbbp", "drugood"}.contains(GetParam());
    if (molecules && !molecules_available()) GTEST_SKIP() << "needs RDKit";
    fitted_ = fit_suite(GetParam(), root);
  }
  const Detector& detector() const { return fitted_->detector; }
  const GraphSet& graphs() const { return fitted_->graphs; }

 private:
  std::optional<Fitted> fitted_;
};

TEST_P(InvarianceData, ScoresAndPartitionsAreFunctionsOfTheGraph) {
  ASSERT_EQ(graphs().graphs.size(), kGraphs);
  Rng rng(1);
  const std::vector<Answer> expected = answers(detector(), graphs());
  const std::set<Answer> different(expected.begin(), expected.end());
  EXPECT_GT(different.size(), kGraphs / 2) << "the test would not notice a mistake";

  // Numbering of the nodes.
  const GraphSet other = renumbered(graphs(), rng);
  EXPECT_EQ(answers(detector(), other), expected);
  std::size_t input_order_differs = 0;
  for (std::size_t i = 0; i < kGraphs; ++i) {
    EXPECT_EQ(partition_as_met(graphs().graphs[i], NodeOrder::kCanonical),
              partition_as_met(other.graphs[i], NodeOrder::kCanonical))
        << graphs().graphs[i].id();
    input_order_differs += block_sizes(graphs().graphs[i], NodeOrder::kInput) !=
                           block_sizes(other.graphs[i], NodeOrder::kInput);
  }
  std::printf("%s: taken as numbered, %zu of %zu graphs would be divided otherwise\n",
              GetParam().c_str(), input_order_differs, kGraphs);

  // Order of the graphs.
  const std::vector<std::int32_t> order = shuffled(kGraphs, rng);
  const std::vector<Answer> reordered = answers(detector(), graphs().subset(order));
  // Company: alone, and in part.
  std::vector<std::int32_t> some;
  for (std::size_t i = 0; i < kGraphs; ++i) {
    const auto position = static_cast<std::size_t>(order[i]);
    EXPECT_EQ(reordered[i], expected[position]);
    EXPECT_EQ(answers(detector(), graphs().subset({order[i]})).at(0), expected[position]);
    if (i % 7 == 0) some.push_back(order[i]);
  }
  const std::vector<Answer> few = answers(detector(), graphs().subset(some));
  for (std::size_t i = 0; i < some.size(); ++i)
    EXPECT_EQ(few[i], expected[static_cast<std::size_t>(some[i])]);

  for (const int threads : {2, 3}) EXPECT_EQ(answers(detector(), graphs(), threads), expected);
}

INSTANTIATE_TEST_SUITE_P(Suites, InvarianceData,
                         ::testing::Values("enzymes", "imdb-m", "imdb-b", "bace", "bbbp",
                                           "drugood"),
                         [](const auto& suite) {
                           std::string name = suite.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

/// Values of one atom feature over the molecule, ascending.
std::vector<std::int32_t> feature_values(const Graph& graph, std::size_t feature) {
  std::vector<std::int32_t> values;
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
    values.push_back(graph.node_labels(v)[feature]);
  std::ranges::sort(values);
  return values;
}

/// Names of the features that differ, to see why two scores do.
std::string different_features(const Graph& a, const Graph& b) {
  if (a.num_nodes() != b.num_nodes() || a.num_edges() != b.num_edges()) return "size";
  std::string names;
  for (std::size_t f = 0; f < kAtomFeatureNames.size(); ++f)
    if (feature_values(a, f) != feature_values(b, f))
      names += std::string(kAtomFeatureNames[f]) + " ";
  return names.empty() ? "where the features are" : names;
}

class RewrittenSmilesData : public ::testing::TestWithParam<std::string> {};

TEST_P(RewrittenSmilesData, AMoleculeHasOneScoreHoweverItIsWritten) {
  const char* root = std::getenv("SGOOD_DATA");
  if (root == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
  if (!molecules_available()) GTEST_SKIP() << "needs RDKit";
  std::ifstream file(SGOOD_TEST_FOLDER "/golden/rewritten_smiles.json");
  const auto golden = nlohmann::json::parse(file).at(GetParam());
  ASSERT_GE(golden.size(), 200u);
  const MoleculeTable table =
      read_molecule_table(root + ("/" + GetParam()) + "/mol.csv", {.smiles_column = "smiles"});
  GraphSet original, rewritten;
  for (const auto& [row, smiles] :
       golden.get<std::vector<std::pair<std::int64_t, std::string>>>()) {
    const std::string& before = table.rows.at(static_cast<std::size_t>(row)).smiles;
    original.graphs.push_back(molecule_to_graph(before, {.row = row}));
    rewritten.graphs.push_back(molecule_to_graph(smiles, {.row = row}));
  }
  const SgoodDetector detector = quickly_fitted(original);
  const std::vector<Answer> expected = answers(detector, original);
  const std::vector<Answer> found = answers(detector, rewritten);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(found[i], expected[i])
        << "row " << original.graphs[i].row() << ": "
        << table.rows[static_cast<std::size_t>(original.graphs[i].row())].smiles << " or "
        << golden[i][1] << ": " << different_features(original.graphs[i], rewritten.graphs[i]);
}

INSTANTIATE_TEST_SUITE_P(Sets, RewrittenSmilesData,
                         ::testing::Values("BACE", "BBBP", "HIV", "DrugOOD"),
                         [](const auto& suite) { return suite.param; });

}  // namespace
}  // namespace sgood

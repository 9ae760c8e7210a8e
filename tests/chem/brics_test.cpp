// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "sgood/chem/molecule.h"
#include "sgood/chem/molecule_reader.h"
#include "sgood/substructure/partitioner.h"

namespace sgood {
namespace {

Graph with_fragments(const std::string& smiles) {
  return molecule_to_graph(smiles, {}, Chirality::kCip, Fragmentation::kBrics);
}

nlohmann::json golden(const std::string& name) {
  return nlohmann::json::parse(std::ifstream(SGOOD_TEST_FOLDER "/golden/" + name));
}

TEST(Brics, EqualsRdkitsPythonOnTwoHundredMolecules) {
  const auto brics = make_partitioner("brics");
  const nlohmann::json molecules = golden("chem_brics.json")["molecules"];
  ASSERT_GE(molecules.size(), 200U);
  for (const auto& expected : molecules) {
    const Graph graph = with_fragments(expected["smiles"].get<std::string>());
    EXPECT_THAT(brics->partition(graph).blocks(),
                testing::ElementsAreArray(expected["fragments"].get<std::vector<std::int32_t>>()))
        << expected["smiles"];
  }
}

TEST(Brics, IsLookedForOnlyWhenAsked) {
  EXPECT_TRUE(molecule_to_graph("CCCOCC").fragments().empty());
  EXPECT_THAT(with_fragments("CCCOCC").fragments(), testing::ElementsAre(0, 0, 0, 1, 2, 2));
}

TEST(Brics, TheNumberOfThreadsDoesNotMatter) {
  MoleculeTable table;
  for (const auto& row : golden("chem_brics.json")["molecules"])
    table.rows.emplace_back().smiles = row["smiles"];
  const MoleculeFileOptions one{.fragmentation = Fragmentation::kBrics};
  const MoleculeFileOptions three{.fragmentation = Fragmentation::kBrics, .threads = 3};
  const GraphSet a = molecules_to_graphs(table, one);
  const GraphSet b = molecules_to_graphs(table, three);
  ASSERT_EQ(a.graphs.size(), table.rows.size());
  for (std::size_t i = 0; i < a.graphs.size(); ++i)
    EXPECT_TRUE(std::ranges::equal(a.graphs[i].fragments(), b.graphs[i].fragments()));
}

/// Atomic number and block of the atoms, in canonical order.
std::vector<std::pair<std::int32_t, std::int32_t>> canonical_blocks(const Graph& graph) {
  const Substructures found =
      find_substructures(graph, *make_partitioner("brics"), NodeOrder::kCanonical);
  std::vector<std::pair<std::int32_t, std::int32_t>> blocks;
  for (const std::int32_t v : found.order)
    blocks.emplace_back(graph.node_labels(v)[0], found.partition.block(v));
  return blocks;
}

class BricsData : public testing::TestWithParam<std::string> {};

TEST_P(BricsData, AMoleculeHasTheSameFragmentsHoweverItIsWritten) {
  const char* root = std::getenv("SGOOD_DATA");
  if (root == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
  const MoleculeTable table =
      read_molecule_table(root + ("/" + GetParam()) + "/mol.csv", {.smiles_column = "smiles"});
  const nlohmann::json rewritten = golden("rewritten_smiles.json").at(GetParam());
  ASSERT_GE(rewritten.size(), 200U);
  for (const auto& [row, smiles] :
       rewritten.get<std::vector<std::pair<std::size_t, std::string>>>()) {
    const std::string& original = table.rows.at(row).smiles;
    EXPECT_EQ(canonical_blocks(with_fragments(original)), canonical_blocks(with_fragments(smiles)))
        << original << " or " << smiles;
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, BricsData, testing::Values("BACE", "BBBP", "HIV", "DrugOOD"),
                         [](const auto& set) { return set.param; });

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
// The graphs and splits published with OGB, molecule by molecule.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "sgood/chem/molecule.h"
#include "sgood/chem/molecule_table.h"
#include "sgood/chem/scaffold_split.h"
#include "sgood/io/numbers.h"
#include "sgood/io/text_file.h"

namespace sgood {
namespace {

std::vector<std::vector<std::int32_t>> numbers_of(const std::string& path) {
  LineReader file(path);
  std::vector<std::vector<std::int32_t>> rows;
  while (const auto line = file.next()) append_numbers(file, *line, rows.emplace_back());
  return rows;
}

std::vector<std::int32_t> column_of(const std::string& path) {
  std::vector<std::int32_t> column;
  for (const auto& row : numbers_of(path)) column.push_back(row.at(0));
  return column;
}

class OgbData : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const char* data = std::getenv("SGOOD_DATA");
    if (data == nullptr) GTEST_SKIP() << "needs SGOOD_DATA";
    folder_ = data + ("/" + GetParam());
    for (const MoleculeRow& row : read_molecule_table(folder_ + "/mol.csv").rows)
      smiles_.push_back(row.smiles);
  }
  std::string folder_;
  std::vector<std::string> smiles_;
};

TEST_P(OgbData, EveryAtomAndBondHasThePublishedFeatures) {
  const auto num_nodes = column_of(folder_ + "/raw/num-node-list.csv.gz");
  const auto num_edges = column_of(folder_ + "/raw/num-edge-list.csv.gz");
  const auto atoms = numbers_of(folder_ + "/raw/node-feat.csv.gz");
  const auto ends = numbers_of(folder_ + "/raw/edge.csv.gz");
  const auto bonds = numbers_of(folder_ + "/raw/edge-feat.csv.gz");
  ASSERT_EQ(smiles_.size(), num_nodes.size());

  std::size_t atom = 0, bond = 0, differences = 0;
  for (std::size_t i = 0; i < smiles_.size(); ++i) {
    const Graph graph = molecule_to_graph(smiles_[i], {}, Chirality::kOgb);
    ASSERT_EQ(graph.num_nodes(), num_nodes[i]) << smiles_[i];
    ASSERT_EQ(graph.num_edges(), num_edges[i]) << smiles_[i];
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
      differences += !std::ranges::equal(graph.node_labels(v), atoms.at(atom++));
    for (std::int32_t k = 0; k < graph.num_edges(); ++k, ++bond) {
      const std::int32_t u = ends.at(bond).at(0), v = ends[bond].at(1);
      ASSERT_TRUE(graph.has_edge(u, v)) << smiles_[i] << " edge " << u << " " << v;
      const auto list = graph.neighbors(u);
      const auto at = std::lower_bound(list.begin(), list.end(), v) - list.begin();
      differences += !std::ranges::equal(
          graph.edge_labels(graph.row_ptr()[u] + static_cast<std::int32_t>(at)), bonds.at(bond));
    }
  }
  EXPECT_EQ(differences, 0u);
  EXPECT_EQ(atom, atoms.size());
  EXPECT_EQ(bond, bonds.size());
  RecordProperty("atoms", static_cast<int>(atom));
  RecordProperty("bonds", static_cast<int>(bond));
}

class ScaffoldSplitData : public OgbData {};

TEST_P(ScaffoldSplitData, IsThePublishedOne) {
  const ScaffoldSplit split = scaffold_split(smiles_, 2);
  EXPECT_EQ(split.train, column_of(folder_ + "/split/scaffold/train.csv.gz"));
  EXPECT_EQ(split.valid, column_of(folder_ + "/split/scaffold/valid.csv.gz"));
  EXPECT_EQ(split.test, column_of(folder_ + "/split/scaffold/test.csv.gz"));
}

INSTANTIATE_TEST_SUITE_P(Sets, OgbData, testing::Values("BACE", "BBBP"),
                         [](const auto& set) { return set.param; });
INSTANTIATE_TEST_SUITE_P(Sets, ScaffoldSplitData, testing::Values("BACE", "BBBP", "HIV"),
                         [](const auto& set) { return set.param; });

}  // namespace
}  // namespace sgood

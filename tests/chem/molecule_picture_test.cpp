// SPDX-License-Identifier: MIT
#include "sgood/chem/molecule_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "sgood/chem/molecule.h"
#include "sgood/core/error.h"

namespace sgood {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string whole(const std::string& smiles) {
  const Graph graph = molecule_to_graph(smiles);
  std::vector<std::int32_t> all(static_cast<std::size_t>(graph.num_nodes()));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
  return fragment_smiles(graph, all);
}

TEST(FragmentSmiles, OfAllAtomsReadsBackAsTheSameMolecule) {
  for (const char* smiles :
       {"CC(=O)Nc1ccc(O)cc1", "C[N+](C)(C)CC([O-])=O", "c1cc[nH]c1", "N#CC1CC1", "[Na+].[Cl-]",
        "c1ccc2ncccc2c1", "CS(=O)(=O)c1ccccc1Br", "*CC"}) {
    const Graph before = molecule_to_graph(smiles), after = molecule_to_graph(whole(smiles));
    EXPECT_EQ(after.num_nodes(), before.num_nodes()) << smiles;
    EXPECT_EQ(after.num_edges(), before.num_edges()) << smiles;
    // Written in RDKit's own order, so a second round changes nothing.
    EXPECT_EQ(whole(whole(smiles)), whole(smiles));
  }
}

TEST(FragmentSmiles, LeavesOutBondsToOtherAtoms) {
  const Graph graph = molecule_to_graph("CC(=O)O");
  EXPECT_EQ(fragment_smiles(graph, std::array{1, 2}), "C=O");
  EXPECT_EQ(fragment_smiles(graph, std::array{0}), "C");
}

TEST(DrawMolecule, ColoursTheAtomsThatAreShaded) {
  const Graph graph = molecule_to_graph("CCO");
  const std::string plain = draw_molecule(graph, std::array{0.0, 0.0, 0.0});
  const std::string shaded = draw_molecule(graph, std::array{0.0, 0.0, 1.0});
  EXPECT_THAT(plain, HasSubstr("<svg"));
  EXPECT_THAT(plain, Not(HasSubstr("ellipse")));
  EXPECT_THAT(shaded, HasSubstr("ellipse"));
  EXPECT_THROW(draw_molecule(graph, std::array{0.0}), InvalidArgument);
}

TEST(DrawMolecule, DrawsWhatCannotBeRealMolecules) {
  // A node set of columns that no chemistry allows must not end the program.
  const Graph odd =
      molecule_to_graph("c1ccccc1")
          .with_node_labels(
              std::vector<std::int32_t>{118, 0, 11, 11, 9, 5, 5, 1, 1, 5, 0, 11, 10, 8, 5, 5, 0, 0,
                                        0,   0, 0,  0,  0, 0, 0, 1, 1, 5, 0, 3,  5,  1, 0, 1, 1, 1,
                                        5,   0, 3,  5,  1, 0, 1, 1, 1, 5, 0, 3,  5,  1, 0, 1, 1, 1},
              9);
  EXPECT_THAT(draw_molecule(odd, std::vector<double>(6, -1.0)), HasSubstr("<svg"));
}

TEST(AreMolecules, GoesByTheColumns) {
  GraphSet set;
  EXPECT_FALSE(are_molecules(set));
  set.node_label_names.assign(kAtomFeatureNames.begin(), kAtomFeatureNames.end());
  set.edge_label_names.assign(kBondFeatureNames.begin(), kBondFeatureNames.end());
  EXPECT_TRUE(are_molecules(set));
}

}  // namespace
}  // namespace sgood

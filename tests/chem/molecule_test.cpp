// SPDX-License-Identifier: MIT
#include "sgood/chem/molecule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "sgood/core/error.h"
#include "sgood/core/threads.h"

namespace sgood {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::int32_t kChirality = 1;  // column

const nlohmann::json& golden() {
  static const nlohmann::json json =
      nlohmann::json::parse(std::ifstream(SGOOD_TEST_FOLDER "/golden/chem_molecules.json"));
  return json;
}

std::vector<std::vector<std::int32_t>> node_rows(const Graph& graph) {
  std::vector<std::vector<std::int32_t>> rows;
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
    rows.emplace_back(graph.node_labels(v).begin(), graph.node_labels(v).end());
  return rows;
}

using EdgeMap = std::map<std::array<std::int32_t, 2>, std::vector<std::int32_t>>;

/// Labels of every edge, in both directions.
EdgeMap edge_map(const Graph& graph) {
  EdgeMap edges;
  for (std::int32_t u = 0; u < graph.num_nodes(); ++u)
    for (std::int32_t e = graph.row_ptr()[u]; e < graph.row_ptr()[u + 1]; ++e)
      edges[{u, graph.col()[e]}] = {graph.edge_labels(e).begin(), graph.edge_labels(e).end()};
  return edges;
}

TEST(Molecule, OddMoleculesHaveTheFeaturesOfTheIndependentProgram) {
  for (const auto& expected : golden()["molecules"]) {
    SCOPED_TRACE(expected["name"]);
    const Graph graph =
        molecule_to_graph(expected["smiles"].get<std::string>(), {}, Chirality::kOgb);
    EXPECT_EQ(node_rows(graph), expected["atoms"].get<std::vector<std::vector<std::int32_t>>>());
    EdgeMap edges;
    for (const auto& bond : expected["bonds"]) {
      const std::int32_t u = bond[0], v = bond[1];
      edges[{u, v}] = edges[{v, u}] = {bond[2], bond[3], bond[4]};
    }
    EXPECT_EQ(edge_map(graph), edges);
  }
}

TEST(Molecule, ColumnNamesAreThoseOfTheIndependentProgram) {
  EXPECT_THAT(golden()["atom_columns"].get<std::vector<std::string>>(),
              testing::ElementsAreArray(kAtomFeatureNames));
  EXPECT_THAT(golden()["bond_columns"].get<std::vector<std::string>>(),
              testing::ElementsAreArray(kBondFeatureNames));
}

TEST(Molecule, OddMoleculesHaveTheScaffoldOfTheIndependentProgram) {
  for (const auto& expected : golden()["molecules"])
    EXPECT_EQ(murcko_scaffold(expected["smiles"].get<std::string>()),
              expected["scaffold"].get<std::string>())
        << expected["name"];
}

TEST(Molecule, StereoCentresAreWrittenAsRAndS) {
  const auto centre = [](const char* smiles) {
    return node_rows(molecule_to_graph(smiles))[1][kChirality];
  };
  EXPECT_EQ(centre("C[C@@H](N)C(=O)O"), 1);  // D-alanine
  EXPECT_EQ(centre("C[C@H](N)C(=O)O"), 2);   // L-alanine
  EXPECT_EQ(centre("CC(N)C(=O)O"), 0);
}

TEST(Molecule, AnotherSmilesOfTheMoleculeGivesTheSameGraphUpToNodeOrder) {
  int compared = 0;
  for (const auto& molecule : golden()["molecules"]) {
    const Graph graph = molecule_to_graph(molecule["smiles"].get<std::string>());
    for (const auto& rewriting : molecule["rewritings"]) {
      SCOPED_TRACE(rewriting["smiles"]);
      const auto order = rewriting["order"].get<std::vector<std::int32_t>>();
      const Graph other =
          molecule_to_graph(rewriting["smiles"].get<std::string>()).relabelled(order);
      EXPECT_EQ(node_rows(other), node_rows(graph));
      EXPECT_EQ(edge_map(other), edge_map(graph));
      ++compared;
    }
  }
  EXPECT_GT(compared, 50);
}

TEST(Molecule, SaltIsDisconnectedAndSingleAtomHasNoEdge) {
  const Graph salt = molecule_to_graph("[Na+].[Cl-]", {.id = "salt", .row = 7, .label = 1});
  EXPECT_EQ(salt.num_nodes(), 2);
  EXPECT_EQ(salt.num_edges(), 0);
  EXPECT_EQ(salt.id(), "salt");
  EXPECT_EQ(salt.row(), 7);
  EXPECT_EQ(salt.label(), 1);
  EXPECT_EQ(molecule_to_graph("C").num_nodes(), 1);
}

TEST(Molecule, ErrorsSayWhatRdkitComplainedOf) {
  const std::map<std::string, std::string> reasons = {
      {"C1CC", "unclosed ring"},
      {"CC(", "syntax error"},
      {"CCC(C)(C))", "extra close parentheses"},
      {"C-1-C-1", "ring closure 1 duplicates bond between atom 0 and atom 1"},
      {"CC(C)(C)(C)C", "Explicit valence for atom # 1 C, 5, is greater than permitted"},
      {"n1cccc1", "Can't kekulize mol"},
      {"CCO |foo|", "CXSMILES"},
      {"[Xx]", "syntax error"}};
  for (const auto& [smiles, reason] : reasons) {
    const std::string& text = smiles;
    EXPECT_THAT([&] { molecule_to_graph(text); },
                ThrowsMessage<InvalidArgument>(AllOf(
                    HasSubstr("'" + text + "': "), HasSubstr(reason),
                    testing::Not(HasSubstr("while parsing")), testing::Not(HasSubstr("\n")))));
  }
}

TEST(Molecule, SmilesWithoutAtomsIsAnError) {
  EXPECT_THAT([] { molecule_to_graph(""); },
              ThrowsMessage<InvalidArgument>(HasSubstr("the SMILES '' has no atom")));
  EXPECT_THROW(molecule_to_graph(" "), InvalidArgument);
}

TEST(Molecule, BytesThatRdkitWouldStopAtAreAnError) {
  EXPECT_THAT([] { molecule_to_graph("CC\x01O"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("byte 0x01 at position 3")));
  EXPECT_THROW(molecule_to_graph(std::string_view("CC\0O", 4)), InvalidArgument);
  EXPECT_THROW(molecule_to_graph("CC\xC2\xA0O"), InvalidArgument);
}

TEST(Molecule, LongSmilesAreShortenedInErrors) {
  const std::string chain(300, 'C');
  EXPECT_EQ(molecule_to_graph(chain).num_nodes(), 300);
  try {
    molecule_to_graph(chain + "(");
    FAIL() << "no error";
  } catch (const InvalidArgument& error) {
    EXPECT_LT(std::string(error.what()).size(), 200u);
    EXPECT_THAT(error.what(), HasSubstr("(301 characters)"));
  }
  EXPECT_THROW(molecule_to_graph(std::string(100000, '(')), InvalidArgument);
}

TEST(Molecule, FailuresAreSilent) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  for (const char* smiles : {"C1CC", "CC(", "CC(C)(C)(C)C", "n1cccc1", "[H]", "[Fe+9]"}) {
    try {
      molecule_to_graph(smiles);
    } catch (const InvalidArgument&) {
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Molecule, ThreadsThatFailAtOnceGetTheirOwnReasons) {
  const std::array<std::string, 3> smiles = {"C1CC", "CC(", "CCO"};
  std::vector<std::string> seen(300);
  parallel_for(300, 4, [&](std::int64_t i) {
    try {
      molecule_to_graph(smiles[i % 3]);
    } catch (const InvalidArgument& error) {
      seen[i] = error.what();
    }
  });
  for (std::size_t i = 0; i < seen.size(); i += 3) {
    EXPECT_EQ(seen[i], "RDKit cannot read the SMILES 'C1CC': unclosed ring");
    EXPECT_EQ(seen[i + 1], "RDKit cannot read the SMILES 'CC(': syntax error");
    EXPECT_EQ(seen[i + 2], "");
  }
}

}  // namespace
}  // namespace sgood

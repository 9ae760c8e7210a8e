// SPDX-License-Identifier: MIT
#include "brics.h"

#include <GraphMol/ChemTransforms/MolFragmenter.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/ROMol.h>
#include <GraphMol/RingInfo.h>
#include <GraphMol/Substruct/SubstructMatch.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>

namespace sgood {
namespace {

namespace rules = RDKit::MolFragmenter;

/// BRICS as RDKit tells it: environments of atoms, and pairs of them whose bond is broken.
struct Brics {
  std::map<unsigned, RDKit::ROMOL_SPTR> environments;  // by number, 1 to 16
  std::vector<rules::FragmenterBondType> bonds;

  Brics() {
    std::map<unsigned, std::string> smarts;
    rules::constructBRICSAtomTypes(smarts, &environments);
    rules::constructBRICSBondTypes(bonds);
  }
};

/// The environments of each atom as bits. Matching these few patterns and looking pairs up takes a
/// quarter of the time of matching a pattern for every pair.
std::vector<std::uint32_t> environments_of_atoms(const RDKit::ROMol& molecule, const Brics& brics) {
  RDKit::SubstructMatchParameters all;
  all.uniquify = false;  // the same atoms with another one in front are another match
  all.maxMatches = std::numeric_limits<unsigned>::max();
  std::vector<std::uint32_t> environments(molecule.getNumAtoms(), 0);
  for (const auto& [number, pattern] : brics.environments)
    for (const auto& match : RDKit::SubstructMatch(molecule, *pattern, all))
      environments[static_cast<std::size_t>(match.front().second)] |= 1U << number;
  return environments;
}

/// True when a bond between atoms of these environments is broken.
bool breaks(const Brics& brics, RDKit::Bond::BondType type, std::uint32_t a, std::uint32_t b) {
  return std::ranges::any_of(brics.bonds, [&](const rules::FragmenterBondType& rule) {
    const std::uint32_t one = 1U << rule.atom1Type;
    const std::uint32_t other = 1U << rule.atom2Type;
    return rule.bondType == type && (((a & one) && (b & other)) || ((a & other) && (b & one)));
  });
}

}  // namespace

std::vector<std::int32_t> brics_fragments(const RDKit::ROMol& molecule) {
  // RDKit locks a pattern while it is matched, so each thread has its own.
  thread_local const Brics brics;
  const std::vector<std::uint32_t> environments = environments_of_atoms(molecule, brics);
  std::vector<unsigned> cut;
  for (const RDKit::Bond* bond : molecule.bonds())
    if (molecule.getRingInfo()->numBondRings(bond->getIdx()) == 0 &&
        breaks(brics, bond->getBondType(), environments[bond->getBeginAtomIdx()],
               environments[bond->getEndAtomIdx()]))
      cut.push_back(bond->getIdx());

  std::vector<int> fragments;
  if (cut.empty()) {
    RDKit::MolOps::getMolFrags(molecule, fragments);
  } else {
    const std::unique_ptr<RDKit::ROMol> pieces(rules::fragmentOnBonds(molecule, cut, false));
    RDKit::MolOps::getMolFrags(*pieces, fragments);
  }
  return {fragments.begin(), fragments.end()};
}

}  // namespace sgood

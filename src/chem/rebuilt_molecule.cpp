// SPDX-License-Identifier: MIT
#include "rebuilt_molecule.h"

#include <GraphMol/MolOps.h>

#include <array>

namespace sgood {
namespace {

using RDKit::Atom;
using RDKit::Bond;

constexpr std::int32_t kElements = 118;
constexpr std::int32_t kMostCharge = 5;
constexpr std::int32_t kMostHydrogens = 8;

std::unique_ptr<Atom> rebuilt_atom(std::span<const std::int32_t> features) {
  const std::int32_t element = features[0] < kElements ? features[0] + 1 : 0;
  auto atom = std::make_unique<Atom>(element);
  const std::int32_t charge = features[3] - kMostCharge;
  if (charge <= kMostCharge) atom->setFormalCharge(charge);
  if (features[4] <= kMostHydrogens) atom->setNumExplicitHs(static_cast<unsigned>(features[4]));
  atom->setNoImplicit(true);
  atom->setIsAromatic(features[7] == 1);
  return atom;
}

Bond::BondType rebuilt_bond(std::int32_t type) {
  constexpr std::array kTypes = {Bond::SINGLE, Bond::DOUBLE, Bond::TRIPLE, Bond::AROMATIC};
  return type < std::ssize(kTypes) ? kTypes[static_cast<std::size_t>(type)] : Bond::SINGLE;
}

}  // namespace

std::unique_ptr<RDKit::RWMol> rebuilt_molecule(const Graph& graph) {
  auto molecule = std::make_unique<RDKit::RWMol>();
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
    molecule->addAtom(rebuilt_atom(graph.node_labels(v)).release(), false, true);
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
    std::int32_t edge = graph.row_ptr()[static_cast<std::size_t>(v)];
    for (const std::int32_t u : graph.neighbors(v)) {
      const Bond::BondType type = rebuilt_bond(graph.edge_labels(edge)[0]);
      ++edge;
      if (u < v) continue;
      molecule->addBond(static_cast<unsigned>(v), static_cast<unsigned>(u), type);
      molecule->getBondBetweenAtoms(static_cast<unsigned>(v), static_cast<unsigned>(u))
          ->setIsAromatic(type == Bond::AROMATIC);
    }
  }
  molecule->updatePropertyCache(false);
  RDKit::MolOps::fastFindRings(*molecule);
  return molecule;
}

}  // namespace sgood

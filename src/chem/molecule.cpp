// SPDX-License-Identifier: MIT
#include "sgood/chem/molecule.h"

#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RingInfo.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <RDGeneral/versions.h>

#include <array>
#include <string>
#include <utility>

#include "brics.h"
#include "rdkit_smiles.h"
#include "sgood/graph/graph_builder.h"

namespace sgood {
namespace {

using RDKit::Atom;
using RDKit::Bond;

/// Position of `value` among first, first + 1, ..., last; one past the end for all others.
std::int32_t index_in(int value, int first, int last) {
  return value >= first && value <= last ? value - first : last - first + 1;
}

std::int32_t ogb_chirality(Atom::ChiralType chirality) {
  switch (chirality) {
    case Atom::CHI_UNSPECIFIED:
      return 0;
    case Atom::CHI_TETRAHEDRAL_CW:
      return 1;
    case Atom::CHI_TETRAHEDRAL_CCW:
      return 2;
    case Atom::CHI_OTHER:
      return 3;
    default:
      return 4;
  }
}

std::int32_t chirality_index(const Atom& atom, Chirality chirality) {
  const auto tag = atom.getChiralTag();
  if (chirality == Chirality::kOgb || tag == Atom::CHI_UNSPECIFIED) return ogb_chirality(tag);
  std::string name;
  atom.getPropIfPresent(RDKit::common_properties::_CIPCode, name);
  return name == "R" ? 1 : name == "S" ? 2 : 3;
}

std::int32_t hybridization_index(Atom::HybridizationType hybridization) {
  switch (hybridization) {
    case Atom::SP:
      return 0;
    case Atom::SP2:
      return 1;
    case Atom::SP3:
      return 2;
    case Atom::SP3D:
      return 3;
    case Atom::SP3D2:
      return 4;
    default:
      return 5;
  }
}

std::int32_t bond_type_index(Bond::BondType type) {
  switch (type) {
    case Bond::SINGLE:
      return 0;
    case Bond::DOUBLE:
      return 1;
    case Bond::TRIPLE:
      return 2;
    case Bond::AROMATIC:
      return 3;
    default:
      return 4;
  }
}

std::int32_t bond_stereo_index(Bond::BondStereo stereo) {
  switch (stereo) {
    case Bond::STEREONONE:
      return 0;
    case Bond::STEREOZ:
      return 1;
    case Bond::STEREOE:
      return 2;
    case Bond::STEREOCIS:
      return 3;
    case Bond::STEREOTRANS:
      return 4;
    default:
      return 5;
  }
}

std::array<std::int32_t, 9> atom_features(const Atom& atom, const RDKit::RingInfo& rings,
                                          Chirality chirality) {
  const int hydrogens = static_cast<int>(atom.getTotalNumHs());
  return {index_in(atom.getAtomicNum(), 1, 118),
          chirality_index(atom, chirality),
          index_in(static_cast<int>(atom.getDegree()) + hydrogens, 0, 10),
          index_in(atom.getFormalCharge(), -5, 5),
          index_in(hydrogens, 0, 8),
          index_in(static_cast<int>(atom.getNumRadicalElectrons()), 0, 4),
          hybridization_index(atom.getHybridization()),
          atom.getIsAromatic() ? 1 : 0,
          rings.numAtomRings(atom.getIdx()) > 0 ? 1 : 0};
}

std::array<std::int32_t, 3> bond_features(const Bond& bond) {
  return {bond_type_index(bond.getBondType()), bond_stereo_index(bond.getStereo()),
          bond.getIsConjugated() ? 1 : 0};
}

}  // namespace

bool molecules_available() { return true; }
std::string rdkit_version() { return RDKit::rdkitVersion; }

Graph molecule_to_graph(std::string_view text, MoleculeOrigin origin, Chirality chirality,
                        Fragmentation fragmentation) {
  const auto molecule =
      text.find('\n') == std::string_view::npos ? parse_smiles(text) : parse_mol_block(text);
  const RDKit::RingInfo& rings = *molecule->getRingInfo();

  std::vector<std::int32_t> labels;
  labels.reserve(molecule->getNumAtoms() * 9);
  for (const Atom* atom : molecule->atoms()) {
    const auto features = atom_features(*atom, rings, chirality);
    labels.insert(labels.end(), features.begin(), features.end());
  }

  GraphBuilder builder(static_cast<std::int32_t>(molecule->getNumAtoms()));
  for (const Bond* bond : molecule->bonds()) {
    builder.add_edge(static_cast<std::int32_t>(bond->getBeginAtomIdx()),
                     static_cast<std::int32_t>(bond->getEndAtomIdx()), bond_features(*bond));
  }
  if (fragmentation == Fragmentation::kBrics) builder.set_fragments(brics_fragments(*molecule));
  return builder.set_node_labels(std::move(labels), 9)
      .set_id(std::move(origin.id))
      .set_row(origin.row)
      .set_label(origin.label)
      .build();
}

std::string murcko_scaffold(std::string_view smiles) {
  const auto molecule = parse_smiles(smiles);
  const std::unique_ptr<RDKit::ROMol> scaffold(RDKit::MurckoDecompose(*molecule));
  // Valences and rings are those of the whole molecule until they are computed again.
  scaffold->clearComputedProps();
  scaffold->updatePropertyCache();
  RDKit::MolOps::symmetrizeSSSR(*scaffold);
  return RDKit::MolToSmiles(*scaffold);
}

}  // namespace sgood

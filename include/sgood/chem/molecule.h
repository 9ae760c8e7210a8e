// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sgood/graph/graph.h"

namespace sgood {

/// True when the library was built with RDKit; without it every function that reads a SMILES throws
/// Unavailable with the cure.
bool molecules_available();
/// Version of the RDKit that is in use, "2022.09.3"; empty without RDKit.
std::string rdkit_version();

/// Names of the atom features, in the order of Graph::node_labels().
inline constexpr std::array<std::string_view, 9> kAtomFeatureNames = {
    "atomic_number",     "chirality",     "degree",   "formal_charge", "hydrogens",
    "radical_electrons", "hybridization", "aromatic", "ring"};
/// Names of the bond features, in the order of Graph::edge_labels().
inline constexpr std::array<std::string_view, 3> kBondFeatureNames = {"bond_type", "bond_stereo",
                                                                      "conjugated"};

/// What a graph remembers of the row that it came from.
struct MoleculeOrigin {
  std::string id = "";                     ///< The molecule's own name.
  std::int64_t row = 0;                    ///< 0-based row of the input.
  std::optional<std::int32_t> label = {};  ///< Class, if known.
};

/// How the handedness of a stereo centre is written down in the column `chirality`.
enum class Chirality {
  kCip,  ///< R is 1, S is 2, a mark without such a name (ring stereo) 3: a property of the
         ///< molecule.
  kOgb,  ///< CW is 1, CCW is 2, as OGB has it: depends on the order in which a SMILES names atoms.
};

/// The molecule as a graph: a node per atom that RDKit keeps (hydrogens are counted, not kept,
/// unless nothing can count them: `[H][H]`), in the order of the SMILES, and an edge per bond.
/// Salts become disconnected graphs. Labels are the OGB features, each an index that starts at 0; a
/// value that OGB does not list gets the index after the last one listed. Atoms: atomic number - 1
/// (118 when unknown, e.g. `*`); chirality (0 for none; see Chirality); degree with hydrogens
/// (0..10, 11); formal charge + 5 (0..10, 11); hydrogens (0..8, 9); radical electrons (0..4, 5);
/// hybridisation (SP, SP2, SP3, SP3D, SP3D2, other); aromatic; in a ring. Bonds: type (single,
/// double, triple, aromatic, other); stereo (none, Z, E, cis, trans, any); conjugated. Throws
/// InvalidArgument with the SMILES and RDKit's complaint when it can't be read or has no atom.
/// `text` is a SMILES, or a mol block, which has several lines.
/// Fragmentation::kBrics fills Graph::fragments() and up to doubles the time.
/// Deviation: OGB's chirality tag is not a property of the molecule, so kCip is the default.
Graph molecule_to_graph(std::string_view text, MoleculeOrigin origin = {},
                        Chirality chirality = Chirality::kCip,
                        Fragmentation fragmentation = Fragmentation::kNone);

/// Canonical SMILES of the Bemis-Murcko scaffold (rings and what links them), with chirality; empty
/// for a molecule without rings. Throws InvalidArgument as molecule_to_graph() does.
std::string murcko_scaffold(std::string_view smiles);

}  // namespace sgood

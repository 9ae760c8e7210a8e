// SPDX-License-Identifier: MIT
#pragma once

#include <GraphMol/RWMol.h>

#include <memory>
#include <string_view>

namespace sgood {

/// Reads and sanitises a SMILES; the molecule has at least one atom. Silent unless the application
/// itself has turned RDKit's log on. Safe to call from several threads. Throws InvalidArgument with
/// the SMILES, shortened, and RDKit's complaint.
std::unique_ptr<RDKit::RWMol> parse_smiles(std::string_view smiles);

/// The same for a mol block (V2000 or V3000), the part of an SDF record up to M  END.
std::unique_ptr<RDKit::RWMol> parse_mol_block(std::string_view block);

}  // namespace sgood

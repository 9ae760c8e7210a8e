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

}  // namespace sgood

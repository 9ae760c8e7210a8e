// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace sgood::bench {

/// Atoms of the molecule that RDKit parses, cleans and perceives with its defaults, and throws
/// away.
unsigned rdkit_parse(const std::string& smiles);

}  // namespace sgood::bench

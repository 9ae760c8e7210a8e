// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sgood/graph/graph_set.h"

namespace sgood {

/// Whether the columns of these graphs are those that molecule_to_graph() writes.
bool are_molecules(const GraphSet& graphs);

/// SMILES of the atoms `nodes` and the bonds between them, e.g. "CC=O"; bonds to other atoms are
/// left out. `molecule` has the columns of molecule_to_graph(). Throws Unavailable without RDKit.
std::string fragment_smiles(const Graph& molecule, std::span<const std::int32_t> nodes);

/// An SVG of `molecule`, which has the columns of molecule_to_graph(). `shades` [num_nodes] in
/// [-1, 1] colours the atoms: orange for 1, white for 0, blue for -1. Throws Unavailable when the
/// program was built without RDKit or the part of it that draws is not installed.
std::string draw_molecule(const Graph& molecule, std::span<const double> shades);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <GraphMol/RWMol.h>

#include <memory>

#include "sgood/graph/graph.h"

namespace sgood {

/// A molecule with the atoms, charges, hydrogens and bonds that the columns of molecule_to_graph()
/// tell of, for pictures and names: without stereo, not sanitised, rings found. Values that OGB
/// does not list become `*`, no charge and single bonds.
std::unique_ptr<RDKit::RWMol> rebuilt_molecule(const Graph& graph);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "sgood/chem/molecule_table.h"
#include "sgood/graph/graph_set.h"

namespace sgood {

/// Turns the rows of a table into graphs, in order; every row becomes a graph or a bad row with
/// file, line and reason. Classes are the different label texts of the graphs, ascending (as
/// numbers when all are); an empty label gives a graph without class. Throws InvalidArgument unless
/// options.threads >= 1 and Unavailable without RDKit. Only `threads`, `chirality`,
/// `fragmentation` and `label_threshold` of `options` are read.
GraphSet molecules_to_graphs(const MoleculeTable& table, const MoleculeFileOptions& options = {});

/// read_molecule_table() and molecules_to_graphs() in one.
GraphSet read_molecules(const std::filesystem::path& path, const MoleculeFileOptions& options = {});

}  // namespace sgood

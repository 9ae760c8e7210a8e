// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>

#include "sgood/chem/molecule_table.h"
#include "sgood/graph/graph_set.h"
#include "sgood/io/graph_source.h"

namespace sgood {

/// Opens a file of molecules; its rows become graphs or bad rows with file, line and reason.
/// Throws as MoleculeTableReader does, InvalidArgument unless options.threads >= 1 and, with the
/// first row, Unavailable without RDKit.
std::unique_ptr<GraphSource> open_molecules(const std::filesystem::path& path,
                                            const MoleculeFileOptions& options = {});

/// Turns the rows of a table into graphs, see gather(). Only `threads`, `chirality`,
/// `fragmentation` and `label_threshold` of `options` are read.
GraphSet molecules_to_graphs(const MoleculeTable& table, const MoleculeFileOptions& options = {});

/// All rows that open_molecules() gives.
GraphSet read_molecules(const std::filesystem::path& path, const MoleculeFileOptions& options = {});

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sgood/chem/molecule_table.h"
#include "sgood/io/csv.h"

namespace sgood {

/// Which columns of a CSV file hold what.
struct MoleculeColumns {
  std::size_t smiles = 0;
  std::optional<std::size_t> label;
  std::optional<std::size_t> id;
  bool has_header = true;  ///< False when the first record is a molecule already.
};

/// Finds the columns that `options` names and guesses the others from the header and from `sample`,
/// the first records; says in `notes` what it guessed. Throws InvalidArgument that lists the
/// columns when one can't be found.
MoleculeColumns find_molecule_columns(const TableHeader& file, const std::vector<CsvRow>& sample,
                                      const MoleculeFileOptions& options,
                                      std::vector<std::string>& notes);

/// Position of the column called `name`, or with this 0-based number. Throws InvalidArgument that
/// lists the columns.
std::size_t find_column(const TableHeader& file, const std::string& name);

/// True when RDKit can read `text` and nothing but a SMILES is in it.
bool is_smiles(const std::string& text);

/// True for names such as "SMILES" and "canonical_smiles".
bool is_smiles_name(const std::string& name);

}  // namespace sgood

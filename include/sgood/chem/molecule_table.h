// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sgood/chem/molecule.h"

namespace sgood {

/// How a file of molecules is written.
enum class MoleculeFormat {
  kAuto,  ///< By the file's ending (.csv, .tsv, .smi, each also .gz); CSV for standard input.
  kCsv,   ///< Comma-separated, RFC 4180.
  kTsv,   ///< Tab-separated.
  kSmi,   ///< A line per molecule: SMILES, blank or tab, optional id.
};

/// How to read a file of molecules. A column is given by its name or its 0-based number; empty
/// means that it is guessed (and the guess noted), "none" that there is none.
struct MoleculeFileOptions {
  MoleculeFormat format = MoleculeFormat::kAuto;
  std::string smiles_column = "";
  /// The class of each molecule. Only a column of few different whole numbers, or one called label
  /// or class, is guessed; never a continuous one.
  std::string label_column = "";
  std::string id_column = "";
  /// A table (CSV or TSV with a header) that has the classes: its `label_column` (default: the only
  /// other one) belongs to the molecule named in its `id_column` (default: the first).
  std::filesystem::path label_file = {};
  /// Makes classes of a continuous column: "1" from this value on, else "0".
  std::optional<double> label_threshold = {};
  Chirality chirality = Chirality::kCip;               ///< How stereo centres are written down.
  Fragmentation fragmentation = Fragmentation::kNone;  ///< Fills Graph::fragments().
  int threads = 1;  ///< Threads that parse SMILES, >= 1; the result does not depend on it.
};

/// One row of the input.
struct MoleculeRow {
  std::int64_t line = 0;  ///< 1-based line of the file.
  std::string smiles;     ///< As written, blanks at the ends removed.
  std::string id;         ///< The row's own id, or its 0-based number.
  std::string label;      ///< Text of the class; empty when there is none.
  std::string error;      ///< Why the row can't be used; empty when it can.
};

/// A file of molecules as text, in input order; SMILES are not checked yet.
struct MoleculeTable {
  std::string source;  ///< The file's name for messages.
  std::vector<MoleculeRow> rows;
  std::vector<std::string> notes;  ///< What was guessed, repaired or ignored.
};

/// Reads the rows of `path` ("-" is standard input). Blank lines are no rows. Throws IoError,
/// ParseError (a quote never closed, an empty CSV file) and InvalidArgument (a column that is not
/// there, no column of SMILES, an unknown ending).
MoleculeTable read_molecule_table(const std::filesystem::path& path,
                                  const MoleculeFileOptions& options = {});

}  // namespace sgood

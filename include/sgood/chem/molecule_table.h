// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sgood/chem/molecule.h"

namespace sgood {

/// How a file of molecules is written.
enum class MoleculeFormat {
  kAuto,  ///< By the file's ending (.csv, .tsv, .smi, .sdf, each also .gz); CSV for standard input.
  kCsv,   ///< Comma-separated, RFC 4180.
  kTsv,   ///< Tab-separated.
  kSmi,   ///< A line per molecule: SMILES, blank or tab, optional id.
  kSdf,   ///< Mol blocks with data fields, each ended by $$$$; a field is a column.
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
  std::string smiles;     ///< As written, blanks at the ends removed; of SDF, the mol block.
  std::string id;         ///< The row's own id, or its 0-based number.
  std::string label;      ///< Text of the class; empty when there is none.
  std::string error;      ///< Why the row can't be used; empty when it can.
};

class MoleculeRows;  // a file of one format

/// Streams a file of molecules as text, in input order; structures are not checked yet. Blank lines
/// are no rows.
class MoleculeTableReader {
 public:
  /// Opens `path` ("-" is standard input) and finds the columns. Throws IoError, ParseError (a
  /// quote never closed, an empty CSV file) and InvalidArgument (a column that is not there, no
  /// column of SMILES, an unknown ending).
  explicit MoleculeTableReader(const std::filesystem::path& path,
                               const MoleculeFileOptions& options = {});
  ~MoleculeTableReader();

  /// The next rows, at most `limit`; none at the end. Throws ParseError as above.
  std::vector<MoleculeRow> next(std::size_t limit);
  /// The file's name for messages.
  const std::string& source() const;
  /// What was guessed, repaired or ignored so far.
  std::vector<std::string> notes() const;

 private:
  class Labels;
  std::unique_ptr<MoleculeRows> rows_;
  std::unique_ptr<Labels> labels_;  // null without a label file
  std::int64_t count_ = 0;
};

/// A file of molecules as text, in input order.
struct MoleculeTable {
  std::string source;  ///< The file's name for messages.
  std::vector<MoleculeRow> rows;
  std::vector<std::string> notes;  ///< What was guessed, repaired or ignored.
};

/// All rows that MoleculeTableReader gives.
MoleculeTable read_molecule_table(const std::filesystem::path& path,
                                  const MoleculeFileOptions& options = {});

}  // namespace sgood

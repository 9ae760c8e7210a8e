// SPDX-License-Identifier: MIT
#include "column_guess.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <unordered_set>

#include "sgood/chem/molecule.h"
#include "sgood/core/error.h"
#include "sgood/io/numbers.h"

namespace sgood {
namespace {

constexpr std::size_t kRowsToParse = 20;
constexpr std::size_t kMostGuessedClasses = 20;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::optional<std::size_t> column_called(const std::vector<std::string>& header,
                                         std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    for (std::size_t c = 0; c < header.size(); ++c)
      if (lower(header[c]) == name) return c;
  return std::nullopt;
}

/// Atoms of the molecule; 0 when `text` is not a SMILES.
int atoms_in(const std::string& text) {
  if (text.find_first_of(" \t\n") != std::string::npos) return 0;
  try {
    return molecule_to_graph(text).num_nodes();
  } catch (const InvalidArgument&) {
    return 0;
  }
}

/// The column with most atoms among those whose cells are SMILES, half of them at least.
std::optional<std::size_t> column_of_smiles(std::size_t num_columns,
                                            const std::vector<std::vector<std::string>>& records) {
  std::optional<std::size_t> best;
  int best_atoms = 0;
  for (std::size_t c = 0; c < num_columns; ++c) {
    int filled = 0, readable = 0, atoms = 0;
    for (const auto& fields : records) {
      const std::string cell(trimmed(fields[c]));
      const int found = atoms_in(cell);
      filled += !cell.empty();
      readable += found > 0;
      atoms += found;
    }
    if (2 * readable >= filled && atoms > best_atoms) {
      best = c;
      best_atoms = atoms;
    }
  }
  return best;
}

/// A single column whose name holds another delimiter is a whole row.
void check_delimiter(const TableHeader& file) {
  const auto at = file.header()[0].find_first_of(";\t");
  if (at != std::string::npos)
    throw ParseError(
        file.file(), 1,
        fmt::format("columns must be separated by ',', not by {}; convert them, or say "
                    "that they are tsv",
                    file.header()[0][at] == ';' ? "';'" : "a tab"));
}

std::size_t find_smiles_column(const TableHeader& file, const std::vector<CsvRow>& sample,
                               const std::string& asked) {
  if (!asked.empty()) return find_column(file, asked);
  const std::vector<std::string>& header = file.header();
  if (header.size() == 1) check_delimiter(file);
  if (const auto exact = column_called(header, {"smiles", "canonical_smiles"})) return *exact;
  const auto similar = std::find_if(header.begin(), header.end(), is_smiles_name);
  if (similar != header.end()) return static_cast<std::size_t>(similar - header.begin());

  std::vector<std::vector<std::string>> records;
  for (std::size_t i = 0; i < std::min(sample.size(), kRowsToParse); ++i)
    records.push_back(sample[i].fields);
  if (records.empty()) records.push_back(header);
  const auto guessed = column_of_smiles(header.size(), records);
  SGOOD_CHECK(guessed,
              "{}: no column holds SMILES; the columns are {}; name one with smiles_column",
              file.file(), file.names());
  return *guessed;
}

/// How the cells of a column look to one who searches for classes.
struct ColumnLook {
  bool all_whole = true;  ///< Every filled cell is a whole number.
  bool has_real = false;  ///< Some cell is a number, but not a whole one.
  bool repeats = false;   ///< A few values, each (on average) twice or more often.
};

ColumnLook look_at(const std::vector<CsvRow>& sample, std::size_t column) {
  ColumnLook look;
  std::unordered_set<std::string_view> values;
  std::size_t filled = 0;
  for (const CsvRow& row : sample) {
    const std::string_view cell = trimmed(row.fields[column]);
    if (cell.empty()) continue;
    ++filled;
    values.insert(cell);
    const auto number = parse_number<double>(cell);
    const bool whole = number && std::floor(*number) == *number;
    look.all_whole = look.all_whole && whole;
    look.has_real = look.has_real || (number && !whole);
  }
  look.repeats =
      values.size() >= 2 && values.size() <= kMostGuessedClasses && 2 * values.size() <= filled;
  return look;
}

std::optional<std::size_t> guess_label(const TableHeader& file, const std::vector<CsvRow>& sample,
                                       const MoleculeColumns& columns) {
  const auto named = column_called(
      file.header(), {"label", "labels", "class", "class_label", "target", "y", "active"});
  if (named && columns.has_header && *named != columns.smiles) {
    const ColumnLook look = look_at(sample, *named);
    if (look.repeats && !look.has_real) return named;
  }
  for (std::size_t c = 0; c < file.header().size(); ++c) {
    if (c == columns.smiles || c == columns.id) continue;
    const ColumnLook look = look_at(sample, c);
    if (look.repeats && look.all_whole) return c;
  }
  return std::nullopt;
}

/// Columns of a few words that come again and again: what a user may have meant as the class.
std::vector<std::string> possible_labels(const TableHeader& file, const std::vector<CsvRow>& sample,
                                         const MoleculeColumns& columns) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < file.header().size(); ++c) {
    if (c == columns.smiles || c == columns.id) continue;
    const ColumnLook look = look_at(sample, c);
    if (look.repeats && !look.has_real)
      names.push_back(columns.has_header ? fmt::format("'{}'", file.header()[c])
                                         : std::to_string(c));
  }
  return names;
}

std::string described(const TableHeader& file, const MoleculeColumns& columns, std::size_t column) {
  return columns.has_header ? fmt::format("column '{}'", file.header()[column])
                            : fmt::format("column {}", column);
}

}  // namespace

bool is_smiles(const std::string& text) { return atoms_in(text) > 0; }

bool is_smiles_name(const std::string& name) {
  return lower(name).find("smiles") != std::string::npos;
}

std::size_t find_column(const TableHeader& file, const std::string& name) {
  if (!file.has_column(name)) {
    const auto number = parse_number<std::int64_t>(name);
    if (number && *number >= 0 && *number < static_cast<std::int64_t>(file.header().size()))
      return static_cast<std::size_t>(*number);
  }
  return file.column(name);
}

MoleculeColumns find_molecule_columns(const TableHeader& file, const std::vector<CsvRow>& sample,
                                      const MoleculeFileOptions& options,
                                      std::vector<std::string>& notes) {
  const std::vector<std::string>& header = file.header();
  MoleculeColumns columns;
  columns.smiles = find_smiles_column(file, sample, options.smiles_column);
  columns.has_header = file.has_column(options.smiles_column) || !is_smiles(header[columns.smiles]);
  if (!columns.has_header)
    notes.push_back("there is no header: the first line is read as a molecule");
  if (options.smiles_column.empty() && lower(header[columns.smiles]) != "smiles")
    notes.push_back(described(file, columns, columns.smiles) + " is read as the SMILES");

  const auto wanted = [&](const std::string& option) -> std::optional<std::size_t> {
    if (option.empty() || option == "none") return std::nullopt;
    return find_column(file, option);
  };
  columns.id = wanted(options.id_column);
  if (options.id_column.empty() && columns.has_header) {
    columns.id = column_called(header, {"id", "mol_id", "molecule_id", "compound_id", "molregno",
                                        "chembl_id", "molecule_chembl_id", "name"});
    if (columns.id) notes.push_back(described(file, columns, *columns.id) + " is read as the id");
  }
  if (!options.label_file.empty()) return columns;
  columns.label = wanted(options.label_column);
  if (options.label_column.empty()) {
    columns.label = guess_label(file, sample, columns);
    const std::vector<std::string> possible = possible_labels(file, sample, columns);
    if (columns.label)
      notes.push_back(described(file, columns, *columns.label) + " is read as the class");
    else if (!possible.empty())
      notes.push_back(fmt::format("no column is read as the class; it could be {} (--labels)",
                                  fmt::join(possible, " or ")));
  }
  return columns;
}

}  // namespace sgood

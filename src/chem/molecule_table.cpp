// SPDX-License-Identifier: MIT
#include "sgood/chem/molecule_table.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "column_guess.h"
#include "sgood/core/error.h"
#include "sgood/io/csv.h"
#include "sgood/io/numbers.h"
#include "sgood/io/text_file.h"

namespace sgood {
namespace {

constexpr std::size_t kSampleRows = 10000;

MoleculeFormat format_of(std::filesystem::path path, MoleculeFormat asked) {
  if (asked != MoleculeFormat::kAuto) return asked;
  const std::string name = path.string();
  if (path.extension() == ".gz") path.replace_extension();
  const std::string ending = path.extension().string();
  if (ending == ".csv" || name == "-") return MoleculeFormat::kCsv;
  if (ending == ".tsv") return MoleculeFormat::kTsv;
  if (ending == ".smi") return MoleculeFormat::kSmi;
  throw InvalidArgument(fmt::format(
      "{}: files of molecules end in .csv, .tsv or .smi (or one of these and .gz), not '{}'", name,
      ending));
}

void add_row(MoleculeTable& table, MoleculeRow row) {
  if (row.id.empty()) row.id = std::to_string(table.rows.size());
  table.rows.push_back(std::move(row));
}

void note_blank_lines(MoleculeTable& table, std::int64_t count) {
  if (count > 0) table.notes.push_back(fmt::format("blank lines skipped: {}", count));
}

MoleculeRow row_of(const CsvRow& record, const MoleculeColumns& columns) {
  const auto cell = [&](std::size_t column) {
    return column < record.fields.size() ? std::string(trimmed(record.fields[column])) : "";
  };
  MoleculeRow row;
  row.line = record.line;
  row.error = record.error;
  row.smiles = cell(columns.smiles);
  if (columns.label) row.label = cell(*columns.label);
  if (columns.id) row.id = cell(*columns.id);
  return row;
}

MoleculeTable read_csv(const std::filesystem::path& path, char delimiter,
                       const MoleculeFileOptions& options) {
  CsvReader file(path, delimiter);
  MoleculeTable table;
  table.source = file.file();
  std::vector<CsvRow> start;
  std::vector<CsvRow> sample;
  while (start.size() < kSampleRows) {
    const CsvRow* record = file.next();
    if (!record) break;
    start.push_back(*record);
    if (record->error.empty()) sample.push_back(*record);
  }
  const MoleculeColumns columns = find_molecule_columns(file, sample, options, table.notes);

  if (!columns.has_header) add_row(table, row_of({1, file.header(), ""}, columns));
  for (const CsvRow& record : start) add_row(table, row_of(record, columns));
  while (const CsvRow* record = file.next()) add_row(table, row_of(*record, columns));
  note_blank_lines(table, file.blank_lines());
  return table;
}

/// SMILES, with the extension between bars that may follow it, then an id up to the next tab.
MoleculeRow row_of(std::string_view text, std::int64_t line) {
  MoleculeRow row;
  row.line = line;
  std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::size_t next = text.find_first_not_of(" \t", end);
  if (next != std::string_view::npos && text[next] == '|') {
    const std::size_t bar = text.find('|', next + 1);
    end = bar == std::string_view::npos ? text.size() : bar + 1;
  }
  row.smiles = text.substr(0, end);
  const std::string_view rest = trimmed(text.substr(end));
  row.id = trimmed(rest.substr(0, rest.find('\t')));
  return row;
}

MoleculeTable read_smi(const std::filesystem::path& path, const MoleculeFileOptions& options) {
  SGOOD_CHECK(options.smiles_column.empty(), "{}: a .smi file has no column '{}'", path.string(),
              options.smiles_column);
  SGOOD_CHECK(
      options.label_column.empty() || options.label_column == "none" || !options.label_file.empty(),
      "{}: a .smi file has no column '{}'; give a table of classes with label_file", path.string(),
      options.label_column);
  LineReader file(path);
  MoleculeTable table;
  table.source = file.file();
  std::int64_t blank_lines = 0;
  while (const auto line = file.next()) {
    const std::string_view text = trimmed(*line);
    if (text.empty()) {
      ++blank_lines;
      continue;
    }
    MoleculeRow row = row_of(text, file.line());
    if (table.rows.empty() && table.notes.empty() && is_smiles_name(row.smiles))
      table.notes.push_back(fmt::format("line {} is read as a header", file.line()));
    else
      add_row(table, std::move(row));
  }
  note_blank_lines(table, blank_lines);
  return table;
}

/// Classes by molecule id.
std::unordered_map<std::string, std::string> read_labels(const MoleculeFileOptions& options) {
  CsvReader file(options.label_file);
  const bool has_id = !options.id_column.empty() && file.has_column(options.id_column);
  const std::size_t id = has_id ? file.column(options.id_column) : 0;
  SGOOD_CHECK(!options.label_column.empty() || file.header().size() == 2,
              "{}: label_column must say which of the columns {} has the classes", file.file(),
              fmt::join(file.header(), ", "));
  const std::size_t label =
      options.label_column.empty() ? 1 - id : find_column(file, options.label_column);

  std::unordered_map<std::string, std::string> labels;
  while (const CsvRow* record = file.next()) {
    if (!record->error.empty()) throw Error(record->error);
    const std::string text(trimmed(record->fields[label]));
    const auto [place, is_new] = labels.try_emplace(std::string(trimmed(record->fields[id])), text);
    if (!is_new && place->second != text)
      throw ParseError(file.file(), record->line,
                       fmt::format("molecule '{}' has the class '{}', but '{}' in an earlier line",
                                   place->first, text, place->second));
  }
  return labels;
}

void join_labels(MoleculeTable& table, const MoleculeFileOptions& options) {
  const auto labels = read_labels(options);
  std::size_t missing = 0;
  for (MoleculeRow& row : table.rows) {
    const auto found = labels.find(row.id);
    if (found != labels.end())
      row.label = found->second;
    else
      ++missing;
  }
  if (missing > 0)
    table.notes.push_back(fmt::format("{} of {} molecules are not in {} and have no class", missing,
                                      table.rows.size(), options.label_file.string()));
}

}  // namespace

MoleculeTable read_molecule_table(const std::filesystem::path& path,
                                  const MoleculeFileOptions& options) {
  SGOOD_CHECK(
      !options.label_threshold || !options.label_column.empty() || !options.label_file.empty(),
      "label_threshold needs a label_column (or a label_file): continuous columns are not "
      "guessed");
  const MoleculeFormat format = format_of(path, options.format);
  const char delimiter = format == MoleculeFormat::kTsv ? '\t' : ',';
  MoleculeTable table =
      format == MoleculeFormat::kSmi ? read_smi(path, options) : read_csv(path, delimiter, options);
  if (!options.label_file.empty()) join_labels(table, options);
  return table;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/chem/molecule_table.h"

#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

#include "column_guess.h"
#include "molecule_rows.h"
#include "sgood/core/error.h"
#include "sgood/io/csv.h"
#include "sgood/io/numbers.h"

namespace sgood {
namespace {

/// Classes by molecule id.
std::unordered_map<std::string, std::string> read_labels(const MoleculeFileOptions& options) {
  CsvReader file(options.label_file);
  const bool has_id = !options.id_column.empty() && file.has_column(options.id_column);
  const std::size_t id = has_id ? file.column(options.id_column) : 0;
  SGOOD_CHECK(!options.label_column.empty() || file.header().size() == 2,
              "{}: label_column must say which of the columns {} has the classes", file.file(),
              file.names());
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

}  // namespace

/// Classes that a second file gives.
class MoleculeTableReader::Labels {
 public:
  explicit Labels(const MoleculeFileOptions& options)
      : file_(options.label_file.string()), class_of_(read_labels(options)) {}

  void join(MoleculeRow& row) {
    ++rows_;
    const auto found = class_of_.find(row.id);
    if (found == class_of_.end())
      ++missing_;
    else
      row.label = found->second;
  }

  std::vector<std::string> notes() const {
    if (missing_ == 0) return {};
    return {
        fmt::format("{} of {} molecules are not in {} and have no class", missing_, rows_, file_)};
  }

 private:
  std::string file_;
  std::unordered_map<std::string, std::string> class_of_;
  std::int64_t rows_ = 0, missing_ = 0;
};

MoleculeTableReader::MoleculeTableReader(const std::filesystem::path& path,
                                         const MoleculeFileOptions& options) {
  SGOOD_CHECK(
      !options.label_threshold || !options.label_column.empty() || !options.label_file.empty(),
      "label_threshold needs a label_column (or a label_file): continuous columns are not "
      "guessed");
  rows_ = open_molecule_rows(path, options);
  if (!options.label_file.empty()) labels_ = std::make_unique<Labels>(options);
}

MoleculeTableReader::~MoleculeTableReader() = default;

std::vector<MoleculeRow> MoleculeTableReader::next(std::size_t limit) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 26;  // a few long rows fill memory
  std::vector<MoleculeRow> rows;
  std::size_t bytes = 0;
  while (rows.size() < limit && bytes < kMostBytes) {
    std::optional<MoleculeRow> row = rows_->next();
    if (!row) break;
    bytes += row->smiles.size();
    if (row->id.empty()) row->id = std::to_string(count_);
    ++count_;
    if (labels_) labels_->join(*row);
    rows.push_back(std::move(*row));
  }
  return rows;
}

const std::string& MoleculeTableReader::source() const { return rows_->file(); }

std::vector<std::string> MoleculeTableReader::notes() const {
  std::vector<std::string> notes = rows_->notes;
  if (rows_->blank_lines() > 0)
    notes.push_back(fmt::format("blank lines skipped: {}", rows_->blank_lines()));
  if (labels_)
    for (std::string& note : labels_->notes()) notes.push_back(std::move(note));
  return notes;
}

MoleculeTable read_molecule_table(const std::filesystem::path& path,
                                  const MoleculeFileOptions& options) {
  MoleculeTableReader reader(path, options);
  MoleculeTable table;
  constexpr std::size_t kChunk = 8192;
  for (std::vector<MoleculeRow> rows; !(rows = reader.next(kChunk)).empty();)
    table.rows.insert(table.rows.end(), std::make_move_iterator(rows.begin()),
                      std::make_move_iterator(rows.end()));
  table.source = reader.source();
  table.notes = reader.notes();
  return table;
}

}  // namespace sgood

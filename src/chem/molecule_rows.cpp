// SPDX-License-Identifier: MIT
#include "molecule_rows.h"

#include <algorithm>
#include <deque>
#include <string_view>
#include <utility>

#include "column_guess.h"
#include "sdf_reader.h"
#include "sgood/core/error.h"
#include "sgood/io/csv.h"
#include "sgood/io/numbers.h"
#include "sgood/io/text_file.h"

namespace sgood {
namespace {

constexpr std::size_t kSampleRows = 10000;
constexpr std::size_t kSampleBytes = std::size_t{1} << 26;

MoleculeFormat format_of(std::filesystem::path path, MoleculeFormat asked) {
  if (asked != MoleculeFormat::kAuto) return asked;
  const std::string name = path.string();
  if (path.extension() == ".gz") path.replace_extension();
  const std::string ending = path.extension().string();
  if (ending == ".csv" || name == "-") return MoleculeFormat::kCsv;
  if (ending == ".tsv") return MoleculeFormat::kTsv;
  if (ending == ".smi") return MoleculeFormat::kSmi;
  if (ending == ".sdf") return MoleculeFormat::kSdf;
  throw InvalidArgument(fmt::format(
      "{}: files of molecules end in .csv, .tsv, .smi or .sdf (or one of these and .gz), not '{}'",
      name, ending));
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

/// Rows of a table with columns. Reader: TableHeader with next().
template <typename Reader>
class ColumnRows final : public MoleculeRows {
 public:
  ColumnRows(Reader file, const MoleculeFileOptions& options) : file_(std::move(file)) {
    std::vector<CsvRow> sample;
    std::size_t bytes = 0;
    while (waiting_.size() < kSampleRows && bytes < kSampleBytes) {
      const CsvRow* record = file_.next();
      if (record == nullptr) break;
      for (const std::string& field : record->fields) bytes += sizeof field + field.size();
      waiting_.push_back(*record);
      if (record->error.empty()) sample.push_back(*record);
    }
    columns_ = find_molecule_columns(file_, sample, options, notes);
    if (!columns_.has_header) waiting_.push_front({1, file_.header(), ""});
  }

  std::optional<MoleculeRow> next() override {
    if (!waiting_.empty()) {
      const CsvRow record = std::move(waiting_.front());
      waiting_.pop_front();
      return row_of(record);
    }
    const CsvRow* record = file_.next();
    return record == nullptr ? std::nullopt : std::optional(row_of(*record));
  }
  const std::string& file() const override { return file_.file(); }
  std::int64_t blank_lines() const override {
    if constexpr (requires { file_.blank_lines(); }) return file_.blank_lines();
    return 0;
  }

 private:
  MoleculeRow row_of(const CsvRow& record) const {
    const auto cell = [&](std::size_t column) {
      return column < record.fields.size() ? std::string(trimmed(record.fields[column])) : "";
    };
    MoleculeRow row;
    row.line = record.line;
    row.error = record.error;
    // Blank lines at the ends of a mol block are part of it.
    if (columns_.smiles < record.fields.size() &&
        record.fields[columns_.smiles].find('\n') != std::string::npos)
      row.smiles = record.fields[columns_.smiles];
    else
      row.smiles = cell(columns_.smiles);
    if (columns_.label) row.label = cell(*columns_.label);
    if (columns_.id) row.id = cell(*columns_.id);
    return row;
  }

  Reader file_;
  MoleculeColumns columns_;
  std::deque<CsvRow> waiting_;  // what was read to find the columns
};

class SmiRows final : public MoleculeRows {
 public:
  SmiRows(const std::filesystem::path& path, const MoleculeFileOptions& options) : file_(path) {
    SGOOD_CHECK(options.smiles_column.empty(), "{}: a .smi file has no column '{}'", path.string(),
                options.smiles_column);
    SGOOD_CHECK(options.label_column.empty() || options.label_column == "none" ||
                    !options.label_file.empty(),
                "{}: a .smi file has no column '{}'; give a table of classes with label_file",
                path.string(), options.label_column);
  }

  std::optional<MoleculeRow> next() override {
    while (const auto line = file_.next()) {
      const std::string_view text = trimmed(*line);
      if (text.empty()) {
        ++blank_lines_;
        continue;
      }
      MoleculeRow row = row_of(text, file_.line());
      if (std::exchange(first_, false) && is_smiles_name(row.smiles))
        notes.push_back(fmt::format("line {} is read as a header", file_.line()));
      else
        return row;
    }
    return std::nullopt;
  }
  const std::string& file() const override { return file_.file(); }
  std::int64_t blank_lines() const override { return blank_lines_; }

 private:
  LineReader file_;
  std::int64_t blank_lines_ = 0;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<MoleculeRows> open_molecule_rows(const std::filesystem::path& path,
                                                 const MoleculeFileOptions& options) {
  const MoleculeFormat format = format_of(path, options.format);
  if (format == MoleculeFormat::kSmi) return std::make_unique<SmiRows>(path, options);
  if (format == MoleculeFormat::kSdf) {
    SGOOD_CHECK(options.smiles_column.empty(), "{}: an SDF file has no column of SMILES",
                path.string());
    MoleculeFileOptions columns = options;
    columns.smiles_column = "0";
    return std::make_unique<ColumnRows<SdfReader>>(SdfReader(path), columns);
  }
  return std::make_unique<ColumnRows<CsvReader>>(
      CsvReader(path, format == MoleculeFormat::kTsv ? '\t' : ','), options);
}

}  // namespace sgood

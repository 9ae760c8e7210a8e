// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sgood/io/text_file.h"

namespace sgood {

/// One record of a CSV file.
struct CsvRow {
  std::int64_t line = 0;            ///< 1-based line on which the record starts.
  std::vector<std::string> fields;  ///< As many as the header has, unless `error` says otherwise.
  std::string error;                ///< Why the record cannot be used; empty when it can.
};

/// The named columns of a table.
class TableHeader {
 public:
  TableHeader(std::string file, std::vector<std::string> header)
      : file_(std::move(file)), header_(std::move(header)) {}

  /// Column names, blanks around them removed.
  const std::vector<std::string>& header() const { return header_; }
  /// The column names for messages; of many, the first.
  std::string names() const;
  /// The file's name for messages.
  const std::string& file() const { return file_; }
  /// True when exactly one column has this name.
  bool has_column(std::string_view name) const;
  /// 0-based position of the column. Throws InvalidArgument that lists the columns when none, or
  /// more than one, has this name.
  std::size_t column(std::string_view name) const;

 protected:
  std::string file_;
  std::vector<std::string> header_;
};

/// Streams a CSV file (RFC 4180: quoted fields may hold delimiters, doubled quotes and line ends)
/// or a tab-separated one, plain or gzip, with one header record. A line end inside quotes reads as
/// LF.
class CsvReader : public TableHeader {
 public:
  /// Opens `path` and reads the header. `delimiter` 0 means a tab for *.tsv[.gz] and a comma for
  /// everything else. Throws IoError, or ParseError when there is no header.
  explicit CsvReader(const std::filesystem::path& path, char delimiter = 0);

  /// The next record, or null at the end; valid until the next call. A record with a wrong number
  /// of fields or text after a closing quote comes with an `error`, and reading can go on. Throws
  /// ParseError when a quote is never closed. Blank lines are skipped.
  const CsvRow* next();

  /// Blank lines skipped so far.
  std::int64_t blank_lines() const { return blank_lines_; }

 private:
  bool read_record();
  std::size_t read_quoted(std::size_t at, std::string& field);

  LineReader lines_;
  char delimiter_;
  std::string text_;  // the line being read
  CsvRow row_;
  std::int64_t blank_lines_ = 0;
};

}  // namespace sgood

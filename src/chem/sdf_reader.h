// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sgood/io/csv.h"
#include "sgood/io/text_file.h"

namespace sgood {

/// Streams an SDF file as a table: the first column is the mol block, the second ("name") its title
/// line, the others are the data fields of the first records,
/// 1000 of them at most.
class SdfReader : public TableHeader {
 public:
  explicit SdfReader(const std::filesystem::path& path);

  /// The next record, or null at the end; valid until the next call. A data field that the record
  /// lacks is empty. A record without M  END comes with an `error`.
  const CsvRow* next();

 private:
  struct Record {
    CsvRow row;  // mol block and title alone
    std::vector<std::pair<std::string, std::string>> data;
  };
  bool read_record(Record& record);
  static void read_fields(std::span<const std::string> lines, Record& record);

  LineReader lines_;
  std::unordered_map<std::string, std::size_t> columns_;  // of the data fields
  std::deque<Record> waiting_;
  CsvRow row_;
};

}  // namespace sgood

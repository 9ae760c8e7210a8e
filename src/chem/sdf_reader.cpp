// SPDX-License-Identifier: MIT
#include "sdf_reader.h"

#include <algorithm>
#include <string_view>

#include "sgood/core/error.h"
#include "sgood/io/numbers.h"

namespace sgood {
namespace {

constexpr std::size_t kSampleRecords = 1000;
constexpr std::size_t kMostFields = 1000;
constexpr std::size_t kLongestRecord = std::size_t{1} << 26;

/// NAME of a line such as "> 12 <NAME> (3)"; empty when it is none.
std::string_view field_name(std::string_view line) {
  if (!line.starts_with('>')) return {};
  const auto begin = line.find('<');
  const auto end = begin == std::string_view::npos ? begin : line.find('>', begin);
  return end == std::string_view::npos ? std::string_view()
                                       : line.substr(begin + 1, end - begin - 1);
}

}  // namespace

SdfReader::SdfReader(const std::filesystem::path& path)
    : TableHeader({}, {"mol block", "name"}), lines_(path) {
  file_ = lines_.file();
  std::size_t bytes = 0;
  for (Record record;
       waiting_.size() < kSampleRecords && bytes < kLongestRecord && read_record(record);
       record = {}) {
    bytes += record.row.fields[0].size();
    for (const auto& [name, value] : record.data) {
      bytes += name.size() + value.size();
      if (columns_.size() < kMostFields && columns_.try_emplace(name, header_.size()).second)
        header_.push_back(name);
    }
    waiting_.push_back(std::move(record));
  }
}

const CsvRow* SdfReader::next() {
  Record record;
  if (!waiting_.empty()) {
    record = std::move(waiting_.front());
    waiting_.pop_front();
  } else if (!read_record(record)) {
    return nullptr;
  }
  row_ = std::move(record.row);
  row_.fields.resize(header_.size());
  for (auto& [name, value] : record.data) {
    const auto column = columns_.find(name);
    if (column != columns_.end()) row_.fields[column->second] = std::move(value);
  }
  return &row_;
}

bool SdfReader::read_record(Record& record) {
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  bool filled = false;
  record.row.line = lines_.line() + 1;
  while (const auto line = lines_.next()) {
    if (line->starts_with("$$$$")) break;
    filled |= !trimmed(*line).empty();
    bytes += sizeof(std::string) + line->size();
    if (bytes > kLongestRecord)
      throw ParseError(file_, record.row.line,
                       "the record is longer than 64 MiB; is this an SDF file?");
    lines.emplace_back(*line);
  }
  if (!filled) return false;

  const auto end = std::find_if(lines.begin(), lines.end(),
                                [](const std::string& line) { return line.starts_with("M  END"); });
  if (end == lines.end())
    record.row.error =
        fmt::format("{}:{}: the record has no line 'M  END'", file_, record.row.line);
  std::string block;
  for (auto line = lines.begin(); line != lines.end() && line <= end; ++line) block += *line + '\n';
  record.row.fields = {std::move(block), std::string(trimmed(lines.front()))};
  if (end != lines.end()) read_fields({end + 1, lines.end()}, record);
  return true;
}

void SdfReader::read_fields(std::span<const std::string> lines, Record& record) {
  std::string* value = nullptr;  // of the field that is being read
  for (const std::string& line : lines) {
    if (const auto name = field_name(line); !name.empty()) {
      value = &record.data.emplace_back(name, "").second;
    } else if (trimmed(line).empty()) {
      value = nullptr;
    } else if (value != nullptr) {
      if (!value->empty()) *value += ' ';
      *value += trimmed(line);
    }
  }
}

}  // namespace sgood

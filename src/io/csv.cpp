// SPDX-License-Identifier: MIT
#include "sgood/io/csv.h"

#include <algorithm>

#include "sgood/core/error.h"
#include "sgood/io/numbers.h"

namespace sgood {
namespace {

constexpr std::size_t kLongestField = std::size_t{1} << 28;

char delimiter_of(std::filesystem::path path) {
  if (path.extension() == ".gz") path.replace_extension();
  return path.extension() == ".tsv" ? '\t' : ',';
}

}  // namespace

CsvReader::CsvReader(const std::filesystem::path& path, char delimiter)
    : TableHeader({}, {}), lines_(path), delimiter_(delimiter ? delimiter : delimiter_of(path)) {
  file_ = lines_.file();
  if (!read_record())
    throw ParseError(file(), 0, "the file is empty but must start with a line of column names");
  if (!row_.error.empty()) throw ParseError(file(), row_.line, row_.error);
  if (text_.find('\r') != std::string::npos)
    throw ParseError(file(), 1, "the lines end in CR alone; convert them to end in LF");
  for (const std::string& name : row_.fields) header_.emplace_back(trimmed(name));
}

std::string TableHeader::names() const {
  constexpr std::size_t kMost = 30;
  std::string text;
  for (std::size_t c = 0; c < std::min(kMost, header_.size()); ++c)
    text += fmt::format("{}{:.40}", c > 0 ? ", " : "", header_[c]);
  if (header_.size() > kMost) text += fmt::format(", ... ({} in all)", header_.size());
  return text;
}

bool TableHeader::has_column(std::string_view name) const {
  return std::count(header_.begin(), header_.end(), name) == 1;
}

std::size_t TableHeader::column(std::string_view name) const {
  const auto count = std::count(header_.begin(), header_.end(), name);
  SGOOD_CHECK(count > 0, "{}: there is no column '{}'; the columns are {}", file(), name, names());
  SGOOD_CHECK(count == 1, "{}: {} columns are called '{}'; the columns are {}", file(), count, name,
              names());
  return static_cast<std::size_t>(std::find(header_.begin(), header_.end(), name) -
                                  header_.begin());
}

const CsvRow* CsvReader::next() {
  if (!read_record()) return nullptr;
  if (row_.error.empty() && row_.fields.size() != header_.size())
    row_.error = fmt::format("{}:{}: the row has {} fields but the header has {}", file(),
                             row_.line, row_.fields.size(), header_.size());
  return &row_;
}

bool CsvReader::read_record() {
  for (;;) {
    const auto line = lines_.next();
    if (!line) return false;
    text_ = *line;
    if (!trimmed(text_).empty()) break;
    ++blank_lines_;
  }
  row_.line = lines_.line();
  row_.error.clear();
  std::size_t count = 0;
  for (std::size_t at = 0;; ++at) {
    if (row_.fields.size() == count) row_.fields.emplace_back();
    std::string& field = row_.fields[count++];
    field.clear();
    if (at < text_.size() && text_[at] == '"') at = read_quoted(at + 1, field);
    const std::size_t end = std::min(text_.find(delimiter_, at), text_.size());
    field.append(text_, at, end - at);
    at = end;
    if (at == text_.size()) break;
  }
  row_.fields.resize(count);
  return true;
}

/// Reads a quoted field whose text starts at `at`, over as many lines as it takes; returns the
/// position behind the closing quote in what is then the current line.
std::size_t CsvReader::read_quoted(std::size_t at, std::string& field) {
  for (;;) {
    const std::size_t quote = text_.find('"', at);
    field.append(text_, at, quote == std::string::npos ? quote : quote - at);
    if (quote == std::string::npos) {
      const auto line = field.size() < kLongestField ? lines_.next() : std::nullopt;
      if (!line)
        throw ParseError(file(), row_.line, "a quote is opened in this row but never closed");
      field += '\n';
      text_ = *line;
      at = 0;
    } else if (quote + 1 < text_.size() && text_[quote + 1] == '"') {
      field += '"';
      at = quote + 2;
    } else {
      const std::size_t behind = quote + 1;
      if (behind < text_.size() && text_[behind] != delimiter_ && row_.error.empty())
        row_.error = fmt::format("{}:{}: a closing quote is followed by '{}'", file(),
                                 lines_.line(), text_[behind]);
      return behind;
    }
  }
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sgood {

/// `path` if there is such a file, else `path` + ".gz" if there is that one. "-" (standard input)
/// is returned as it is. Throws IoError that names both when there is neither.
std::filesystem::path find_text_file(const std::filesystem::path& path);

/// Lines of a plain or gzip text file (told apart by content), or of standard input ("-", plain
/// only). A leading UTF-8 byte order mark is dropped; memory is bounded by the longest line.
class LineReader {
 public:
  /// Opens find_text_file(path). Throws IoError when it cannot be read.
  explicit LineReader(const std::filesystem::path& path);

  /// The next line without its LF or CR LF, or nothing at the end; the last line needs no line end.
  /// The view is valid until the next call. Throws IoError on a damaged or truncated gzip file and
  /// ParseError on a line above 256 MiB.
  std::optional<std::string_view> next();

  /// 1-based number of the line that next() gave last; 0 before the first.
  std::int64_t line() const { return line_; }
  /// The file's name for messages: the path that was opened, or "standard input".
  const std::string& file() const { return file_; }

 private:
  struct Close {
    void operator()(void* gz) const;
  };

  bool fill();

  std::string file_;
  std::unique_ptr<void, Close> gz_;  // a zlib gzFile; empty for standard input
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // unread bytes are buffer_[begin_, end_)
  std::size_t end_ = 0;
  std::int64_t line_ = 0;
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace sgood::cli {

/// Whether to go on after what an earlier run left, and how a row ends there.
enum class Resume {
  kNo,
  kLines,       ///< Every line end ends a row.
  kCsvRecords,  ///< Line ends inside quotes belong to the row.
};

/// Rows on their way to standard output ("-") or to a file. A file grows as PATH.part and gets its
/// name when it is complete, so nothing half-written ever has that name; what was written before an
/// end too early stays in PATH.part.
class Output {
 public:
  /// Opens for writing. With `resume` it goes on with PATH.part, if there is one, after its last
  /// complete row. Devices and pipes are written directly. Throws IoError.
  explicit Output(std::string path, Resume resume = Resume::kNo);

  /// Complete rows that PATH.part had already, a header among them.
  std::int64_t rows_kept() const { return rows_kept_; }
  /// False when the reader at the other end of a pipe has gone: nobody wants more. Throws IoError,
  /// e.g. on a full disk.
  bool write(std::string_view text);
  /// Makes what was written last and gives it its name.
  void finish();

 private:
  void keep_complete_rows(Resume resume);
  [[noreturn]] void fail() const;

  std::string path_, part_;  // part_ is empty when written directly
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::int64_t rows_kept_ = 0;
};

/// Start of the names of temporary files that help to write `path`: beside it, so that a folder
/// that can hold the one can hold the others; for a device, a pipe or "-" in the system's folder.
std::string scratch_for(const std::string& path);

}  // namespace sgood::cli

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "sgood/experiments/run_record.h"

namespace sgood {

/// Finished runs, one JSON object per line, in a file that is only ever appended to: a run is there
/// whole, on the disk, or not at all, whenever the program ends. Several processes may share it.
class RunStore {
 public:
  /// Runs that are kept in memory alone.
  RunStore() = default;
  /// Reads the runs in `path`, if there is such a file, and appends to it. A last line without an
  /// end is what an interrupted write left, and is dropped. Throws ParseError (with the line) for
  /// any other line that is not a run, and IoError.
  explicit RunStore(std::filesystem::path path);

  /// The finished run of `spec`; null when there is none. Valid until the store ends.
  const RunRecord* find(const RunSpec& spec) const;
  /// Adds a run; safe to call from several threads. Throws IoError.
  void append(RunRecord run);
  std::size_t size() const { return runs_.size(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  void write(const std::string& line) const;

  std::filesystem::path path_;
  std::map<std::string, RunRecord> runs_;  // by key
  mutable std::mutex mutex_;
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace sgood {

/// A folder of its own below the system's for temporary files; removed with all it holds.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace sgood

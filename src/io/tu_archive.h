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

/// Writes the text files of the archive (zip, tar, also compressed) at `archive` into `folder`,
/// whatever folders they are in there. Throws IoError when the archive cannot be read and
/// ParseError when it is damaged or larger than 8 GiB.
void unpack_text_files(const std::filesystem::path& archive, const std::filesystem::path& folder);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "whole_file.h"

#include <fstream>

#include "sgood/core/error.h"

namespace sgood {

std::string read_whole_file(const std::filesystem::path& path, const char* wanted) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::is_regular_file(status))
    throw IoError(fmt::format("{}: {}", path.string(),
                              std::filesystem::exists(status)
                                  ? fmt::format("is not a regular file; give {}", wanted)
                                  : "there is no such file; check the path"));
  std::ifstream stream(path, std::ios::binary);
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  std::string contents;
  try {
    contents.resize(static_cast<std::size_t>(size));
  } catch (const std::exception&) {
    throw IoError(fmt::format("{}: the file has {} bytes, more than there is memory for",
                              path.string(), size));
  }
  if (!stream.read(contents.data(), static_cast<std::streamsize>(contents.size())))
    throw IoError(fmt::format("{}: cannot be read; check its permissions", path.string()));
  return contents;
}

}  // namespace sgood

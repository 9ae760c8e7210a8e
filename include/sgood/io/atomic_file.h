// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

namespace sgood {

/// Replaces the file at `path` by `contents`, all or nothing: the bytes go to a temporary file
/// beside it, are flushed to disk, and are renamed over it. On any failure (no such folder, full
/// disk) the old file is untouched, the temporary is removed and IoError names path and reason.
/// Symbolic links are followed; a device or pipe is written directly.
void write_file_atomically(const std::filesystem::path& path, std::string_view contents);

}  // namespace sgood

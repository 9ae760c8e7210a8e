// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace sgood {

/// All bytes of a regular file; `wanted` names its kind in errors, e.g. "a model file". Throws
/// IoError that names the path and the cure.
std::string read_whole_file(const std::filesystem::path& path, const char* wanted);

}  // namespace sgood

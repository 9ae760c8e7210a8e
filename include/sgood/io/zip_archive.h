// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>

namespace sgood {

/// Where an entry of an archive goes: a path below the folder, or an empty one to leave it out.
using PlaceOfEntry = std::function<std::filesystem::path(const std::filesystem::path& entry)>;

/// The name alone of a text file (.txt), whatever folder it is in, so that an archive never chooses
/// where on the disk it goes; empty for all others, and for what macOS adds (._NAME).
std::filesystem::path place_of_text_file(const std::filesystem::path& entry);

/// Writes entries of the zip file at `archive` into `folder`, making folders as needed. Throws
/// IoError when a file cannot be written, and ParseError when the archive cannot be opened, is
/// damaged, has two entries for one place, or unpacks to more than 8 GiB, or to more than 64 MiB
/// and 200 times its own size.
void unpack_zip(const std::filesystem::path& archive, const std::filesystem::path& folder,
                const PlaceOfEntry& place);

}  // namespace sgood

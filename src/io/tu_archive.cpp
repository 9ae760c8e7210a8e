// SPDX-License-Identifier: MIT
#include "tu_archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#include "sgood/core/error.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostBytes = std::int64_t{1} << 33;

std::string reason(archive* reader) {
  const char* text = archive_error_string(reader);
  return text != nullptr ? text : "unknown reason";
}

/// Copies the current entry to `path`; returns its size.
std::int64_t copy_entry(archive* reader, const fs::path& source, const fs::path& path,
                        std::int64_t room) {
  std::ofstream file(path, std::ios::binary);
  std::array<char, 1 << 16> buffer;
  std::int64_t size = 0;
  for (;;) {
    const auto count = archive_read_data(reader, buffer.data(), buffer.size());
    if (count < 0)
      throw ParseError(source.string(), 0, "the archive is damaged: " + reason(reader));
    if (count == 0) break;
    size += count;
    if (size > room) throw ParseError(source.string(), 0, "the archive unpacks to over 8 GiB");
    file.write(buffer.data(), count);
  }
  file.close();
  if (!file) throw IoError(fmt::format("{}: cannot be written", path.string()));
  return size;
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::string name = (fs::temp_directory_path() / "sgood-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw IoError(
        fmt::format("{}: no temporary folder can be made: {}", name, std::strerror(errno)));
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void unpack_text_files(const fs::path& path, const fs::path& folder) {
  const std::unique_ptr<archive, int (*)(archive*)> reader(archive_read_new(), archive_read_free);
  archive_read_support_filter_all(reader.get());
  archive_read_support_format_zip(reader.get());
  archive_read_support_format_tar(reader.get());
  if (archive_read_open_filename(reader.get(), path.c_str(), 1 << 16) != ARCHIVE_OK)
    throw IoError(
        fmt::format("{}: cannot be opened as an archive: {}", path.string(), reason(reader.get())));
  std::int64_t total = 0;
  for (;;) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(reader.get(), &entry);
    if (status == ARCHIVE_EOF) break;
    if (status < ARCHIVE_WARN)
      throw ParseError(path.string(), 0, "the archive is damaged: " + reason(reader.get()));
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr || archive_entry_filetype(entry) != AE_IFREG) continue;
    // The last part of the name alone: an archive must not choose where on the disk it goes.
    const fs::path file = fs::path(name).filename();
    if (file.extension() != ".txt") continue;
    total += copy_entry(reader.get(), path, folder / file, kMostBytes - total);
  }
}

}  // namespace sgood

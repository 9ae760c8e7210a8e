// SPDX-License-Identifier: MIT
#include "tu_archive.h"

#include <zip.h>

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

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using Archive = std::unique_ptr<zip_t, CloseArchive>;

Archive open_archive(const fs::path& path) {
  int code = 0;
  Archive archive(zip_open(path.c_str(), ZIP_RDONLY, &code));
  if (archive) return archive;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string reason = zip_error_strerror(&error);
  zip_error_fini(&error);
  throw ParseError(path.string(), 0, "cannot be opened as a zip file: " + reason);
}

/// Copies an entry to `path`; returns its size.
std::int64_t copy_entry(zip_t* archive, zip_uint64_t index, const fs::path& source,
                        const fs::path& path, std::int64_t room) {
  const auto damaged = [&] {
    return ParseError(source.string(), 0,
                      fmt::format("the zip file is damaged: {}", zip_strerror(archive)));
  };
  const std::unique_ptr<zip_file_t, CloseEntry> entry(zip_fopen_index(archive, index, 0));
  if (!entry) throw damaged();
  std::ofstream file(path, std::ios::binary);
  std::array<char, 1 << 16> buffer;
  std::int64_t size = 0;
  for (;;) {
    const zip_int64_t count = zip_fread(entry.get(), buffer.data(), buffer.size());
    if (count < 0) throw damaged();
    if (count == 0) break;
    size += count;
    if (size > room) throw ParseError(source.string(), 0, "the zip file unpacks to over 8 GiB");
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
  const Archive archive = open_archive(path);
  std::int64_t total = 0;
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    const char* name = zip_get_name(archive.get(), index, 0);
    if (name == nullptr) continue;
    // The last part of the name alone: an archive must not choose where on the disk it goes.
    const fs::path file = fs::path(name).filename();
    if (file.extension() != ".txt") continue;
    total += copy_entry(archive.get(), index, path, folder / file, kMostBytes - total);
  }
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/io/zip_archive.h"

#include <zip.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <set>
#include <string>

#include "sgood/core/error.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostBytes = std::int64_t{1} << 33;
constexpr std::int64_t kSmall = std::int64_t{1} << 26;
constexpr std::int64_t kMostRatio = 200;

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

/// Copies entries out of one archive.
class Unpacker {
 public:
  Unpacker(const fs::path& source, const fs::path& folder)
      : source_(source),
        folder_(folder),
        archive_(open_archive(source)),
        room_(std::clamp(kMostRatio * static_cast<std::int64_t>(fs::file_size(source)), kSmall,
                         kMostBytes)) {}

  void unpack(const PlaceOfEntry& place) {
    const zip_int64_t count = zip_get_num_entries(archive_.get(), 0);
    for (zip_int64_t i = 0; i < count; ++i) {
      const auto index = static_cast<zip_uint64_t>(i);
      const char* name = zip_get_name(archive_.get(), index, 0);
      if (name == nullptr) continue;
      const fs::path to = place(name);
      if (to.empty()) continue;
      if (!written_.insert(to).second)
        fail(fmt::format("it holds two files {}; pack one data set alone", to.string()));
      copy(index, name, folder_ / to);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw ParseError(source_.string(), 0, fmt::format("the zip file cannot be unpacked: {}", why));
  }

  void copy(zip_uint64_t index, const std::string& name, const fs::path& to) {
    const std::unique_ptr<zip_file_t, CloseEntry> entry(zip_fopen_index(archive_.get(), index, 0));
    if (!entry) fail(fmt::format("{} in it: {}", name, zip_strerror(archive_.get())));
    std::error_code ignored;  // an open that fails tells
    fs::create_directories(to.parent_path(), ignored);
    std::ofstream file(to, std::ios::binary);
    std::array<char, 1 << 16> buffer;
    for (;;) {
      const zip_int64_t count = zip_fread(entry.get(), buffer.data(), buffer.size());
      // The entry knows what went wrong in it, and a checksum that does not fit shows here.
      if (count < 0)
        fail(fmt::format("{} in it is damaged: {}; get the file again", name,
                         zip_file_strerror(entry.get())));
      if (count == 0) break;
      room_ -= count;
      if (room_ < 0)
        fail(fmt::format("it grows to more than {} times its size; is this a data set?",
                         kMostRatio));
      file.write(buffer.data(), count);
    }
    file.close();
    if (!file)
      throw WriteError(fmt::format("{}: {} in it cannot be written to {}", source_.string(), name,
                                   folder_.string()));
  }

  const fs::path& source_;
  const fs::path& folder_;
  Archive archive_;
  std::int64_t room_;  // bytes that may still be written
  std::set<fs::path> written_;
};

}  // namespace

fs::path place_of_text_file(const fs::path& entry) {
  const fs::path name = entry.filename();
  return name.extension() == ".txt" && !name.string().starts_with("._") ? name : fs::path();
}

void unpack_zip(const fs::path& archive, const fs::path& folder, const PlaceOfEntry& place) {
  Unpacker(archive, folder).unpack(place);
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "sgood/core/error.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw WriteError(fmt::format("{}: cannot be written: {}", path.string(), std::strerror(error)));
}

/// A file descriptor that is closed, and a name that is removed, unless commit() succeeds.
class OutputFile {
 public:
  OutputFile(const fs::path& path, int descriptor, std::string temporary)
      : path_(path), descriptor_(descriptor), temporary_(std::move(temporary)) {}
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  void keep_mode_of(const struct stat& old) { check(::fchmod(descriptor_, old.st_mode & 07777)); }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      check(count);
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void commit() {
    if (!temporary_.empty()) check(::fsync(descriptor_));
    check(::close(std::exchange(descriptor_, -1)));
    if (temporary_.empty()) return;
    check(::rename(temporary_.c_str(), path_.c_str()));
    temporary_.clear();
  }

 private:
  void check(ssize_t result) const {
    if (result < 0) fail(path_, errno);
  }

  const fs::path& path_;
  int descriptor_;
  std::string temporary_;
};

/// Makes the rename itself survive a power cut; not every file system can, so errors are ignored.
void flush_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

OutputFile open_temporary(const fs::path& path) {
  for (int attempt = 0;; ++attempt) {
    std::string name = fmt::format("{}.{}-{}.tmp", path.string(), ::getpid(), attempt);
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return {path, descriptor, std::move(name)};
    if (errno != EEXIST) fail(path, errno);
  }
}

OutputFile open_directly(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, errno);
  return {path, descriptor, {}};
}

}  // namespace

void write_file_atomically(const fs::path& path, std::string_view contents) {
  struct stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) {
    OutputFile output = open_directly(path);
    output.write(contents);
    output.commit();
    return;
  }
  const fs::path target = exists ? fs::canonical(path) : path;
  {
    OutputFile output = open_temporary(target);
    if (exists) output.keep_mode_of(old);
    output.write(contents);
    output.commit();
  }
  flush_folder(target.parent_path());
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/experiments/run_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "sgood/core/error.h"
#include "sgood/experiments/experiment.h"

namespace sgood {
namespace {

/// A descriptor that is closed in the end.
struct File {
  int descriptor;
  ~File() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
  throw IoError(fmt::format("{} {}: {}", path.string(), what, std::strerror(errno)));
}

/// Where the last whole line of the file ends.
off_t end_of_lines(int descriptor, off_t size) {
  char c = 0;
  while (size > 0 && ::pread(descriptor, &c, 1, size - 1) == 1 && c != '\n') --size;
  return size;
}

}  // namespace

RunStore::RunStore(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  if (!std::filesystem::exists(path_, error)) return;
  std::ifstream in(path_, std::ios::binary);
  if (!in) fail(path_, "cannot be read");
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::size_t begin = 0;
  std::int64_t line = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    ++line;
    try {
      const auto json =
          nlohmann::ordered_json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                        text.begin() + static_cast<std::ptrdiff_t>(end));
      // Runs of another program's version or methods stay in the file for that program.
      if (json.value("version", 0) != kResultsVersion) continue;
      if (!method_exists(json.at("method").get<std::string>())) continue;
      RunRecord run = RunRecord::from_json(json);
      runs_.insert_or_assign(run.spec.key(), std::move(run));
    } catch (const std::exception& cause) {
      throw ParseError(path_.string(), line, cause.what());
    }
  }
}

const RunRecord* RunStore::find(const RunSpec& spec) const {
  const std::string key = spec.key();
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(key);
  return found == runs_.end() ? nullptr : &found->second;
}

void RunStore::append(RunRecord run) {
  const std::string key = run.spec.key();
  const std::lock_guard lock(mutex_);
  if (!path_.empty()) write(run.to_json().dump() + '\n');
  runs_.insert_or_assign(key, std::move(run));
}

void RunStore::write(const std::string& line) const {
  if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path());
  const File file{::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)};
  if (file.descriptor < 0) fail(path_, "cannot be opened");
  if (::flock(file.descriptor, LOCK_EX) != 0) fail(path_, "cannot be locked");
  const off_t size = end_of_lines(file.descriptor, ::lseek(file.descriptor, 0, SEEK_END));
  if (::ftruncate(file.descriptor, size) != 0) fail(path_, "cannot be repaired");
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t count = ::pwrite(file.descriptor, line.data() + done, line.size() - done,
                                   size + static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(path_, "cannot be written");
    done += static_cast<std::size_t>(count);
  }
  if (::fsync(file.descriptor) != 0) fail(path_, "cannot be written");
}

}  // namespace sgood

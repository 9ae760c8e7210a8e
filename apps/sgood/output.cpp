// SPDX-License-Identifier: MIT
#include "output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "sgood/core/error.h"

namespace sgood::cli {
namespace {

namespace fs = std::filesystem;

int leave_open(std::FILE*) { return 0; }

/// Pipes and devices cannot be replaced by a finished file.
bool written_directly(const std::string& path) {
  return fs::exists(path) && !fs::is_regular_file(path);
}

}  // namespace

Output::Output(std::string path, Resume resume)
    : path_(std::move(path)), file_(nullptr, std::fclose) {
  if (path_ == "-") {
    file_ = {stdout, leave_open};
    return;
  }
  const bool direct = written_directly(path_);
  // A link stays a link: its target is replaced.
  if (!direct && fs::is_symlink(path_)) path_ = fs::canonical(path_);
  if (!direct) part_ = path_ + ".part";
  const std::string& name = direct ? path_ : part_;
  const bool go_on = resume != Resume::kNo && !direct && fs::exists(part_);
  file_.reset(std::fopen(name.c_str(), go_on ? "r+b" : "wb"));
  if (!file_) fail();
  if (go_on) keep_complete_rows(resume);
}

void Output::keep_complete_rows(Resume resume) {
  std::array<char, 1 << 16> buffer;
  std::int64_t position = 0, complete = 0;
  bool quoted = false;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file_.get())) {
    for (std::size_t i = 0; i < count; ++i, ++position) {
      if (buffer[i] == '"' && resume == Resume::kCsvRecords) quoted = !quoted;
      if (buffer[i] != '\n' || quoted) continue;
      ++rows_kept_;
      complete = position + 1;
    }
  }
  if (::ftruncate(::fileno(file_.get()), complete) != 0 ||
      std::fseek(file_.get(), complete, SEEK_SET) != 0)
    fail();
}

bool Output::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size() &&
      std::fflush(file_.get()) == 0)
    return true;
  if (errno == EPIPE) return false;
  fail();
}

void Output::finish() {
  if (std::fflush(file_.get()) != 0 && errno != EPIPE) fail();
  if (part_.empty()) return;
  if (::fsync(::fileno(file_.get())) != 0 || std::fclose(file_.release()) != 0) fail();
  std::error_code error;
  fs::rename(part_, path_, error);
  if (error) throw WriteError(fmt::format("{}: cannot be written: {}", path_, error.message()));
}

void Output::fail() const {
  const std::string reason = std::strerror(errno);
  if (path_ == "-") throw WriteError("standard output cannot be written: " + reason);
  const std::string kept =
      !part_.empty() && fs::exists(part_) ? fmt::format("; what was written is in {}", part_) : "";
  throw WriteError(fmt::format("{}: cannot be written: {}{}", path_, reason, kept));
}

std::string scratch_for(const std::string& path) {
  if (path != "-" && !written_directly(path)) return path;
  return fs::temp_directory_path() / fmt::format("sgood-{}", ::getpid());
}

}  // namespace sgood::cli

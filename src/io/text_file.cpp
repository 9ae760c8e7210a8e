// SPDX-License-Identifier: MIT
#include "sgood/io/text_file.h"

#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "sgood/core/error.h"

namespace sgood {
namespace {

constexpr std::size_t kFirstBuffer = std::size_t{1} << 17;
constexpr std::size_t kLongestLine = std::size_t{1} << 28;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

gzFile as_gz(void* handle) { return static_cast<gzFile>(handle); }

std::size_t read_standard_input(char* to, std::size_t room) {
  // Straight from the system, so that a line is seen as soon as it is written.
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, to, room);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR)
      throw IoError(fmt::format("standard input: cannot be read: {}", std::strerror(errno)));
  }
}

std::size_t read_gz(gzFile gz, const std::string& file, char* to, std::size_t room) {
  const int count = gzread(gz, to, static_cast<unsigned>(room));
  if (count > 0) return static_cast<std::size_t>(count);
  int code = Z_OK;
  const std::string text = gzerror(gz, &code);
  if (code == Z_ERRNO)
    throw IoError(fmt::format("{}: cannot be read: {}", file, std::strerror(errno)));
  if (code != Z_OK)
    throw IoError(fmt::format("{}: the gzip data are damaged or cut off ({}); get the file again",
                              file, text));
  return 0;
}

}  // namespace

std::filesystem::path find_text_file(const std::filesystem::path& path) {
  if (path == "-") return path;
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) return path;
  std::filesystem::path packed = path;
  packed += ".gz";
  if (std::filesystem::exists(packed, ignored)) return packed;
  throw IoError(fmt::format("{}: there is no such file, nor {}; check the path", path.string(),
                            packed.filename().string()));
}

void LineReader::Close::operator()(void* gz) const { gzclose(as_gz(gz)); }

LineReader::LineReader(const std::filesystem::path& path) : buffer_(kFirstBuffer) {
  if (path == "-") {
    file_ = "standard input";
    return;
  }
  file_ = find_text_file(path).string();
  gz_.reset(gzopen(file_.c_str(), "rb"));
  if (!gz_) throw IoError(fmt::format("{}: cannot be opened: {}", file_, std::strerror(errno)));
  gzbuffer(as_gz(gz_.get()), kFirstBuffer);
}

bool LineReader::fill() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == buffer_.size()) {
    if (end_ >= kLongestLine)
      throw ParseError(file_, line_ + 1, "the line is longer than 256 MiB; is this a text file?");
    buffer_.resize(2 * buffer_.size());
  }
  char* const to = buffer_.data() + end_;
  const std::size_t room = buffer_.size() - end_;
  const std::size_t count =
      gz_ ? read_gz(as_gz(gz_.get()), file_, to, room) : read_standard_input(to, room);
  end_ += count;
  return count > 0;
}

std::optional<std::string_view> LineReader::next() {
  std::size_t searched = 0;  // bytes after begin_ known to hold no line end
  for (;;) {
    const char* const start = buffer_.data() + begin_;
    const std::size_t available = end_ - begin_;
    const void* const newline = std::memchr(start + searched, '\n', available - searched);
    searched = available;
    if (!newline && fill()) continue;  // moves the bytes, so `start` is stale
    if (!newline && begin_ == end_) return std::nullopt;

    const char* const first = buffer_.data() + begin_;
    const std::size_t length =
        newline ? static_cast<std::size_t>(static_cast<const char*>(newline) - first)
                : end_ - begin_;
    begin_ += newline ? length + 1 : length;
    std::string_view text(first, length);
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (line_++ == 0 && text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    return text;
  }
}

}  // namespace sgood

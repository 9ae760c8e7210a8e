// SPDX-License-Identifier: MIT
#include "sgood/io/download.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "sgood/core/error.h"
#include "sgood/core/version.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;

constexpr long kStallSeconds = 60;
constexpr long kRangeNotSatisfiable = 416;

/// PATH.part, written from where an earlier try has left it.
class PartFile {
 public:
  explicit PartFile(const fs::path& path)
      : name_(path.string() + ".part"),
        descriptor_(::open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail();
    size_ = ::lseek(descriptor_, 0, SEEK_END);
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() {
    ::close(descriptor_);
    if (size_ == 0) ::unlink(name_.c_str());
  }

  const std::string& name() const { return name_; }
  std::int64_t size() const { return size_; }

  bool write(const char* bytes, std::size_t count) {
    while (count > 0) {
      const ssize_t written = ::write(descriptor_, bytes, count);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        error_ = errno;
        return false;
      }
      bytes += written;
      count -= static_cast<std::size_t>(written);
      size_ += written;
    }
    return true;
  }

  void empty() {
    if (::ftruncate(descriptor_, 0) != 0 || ::lseek(descriptor_, 0, SEEK_SET) != 0) fail();
    size_ = 0;
  }

  void flush() {
    if (::fsync(descriptor_) != 0) fail();
  }

  /// What a later try has of this one, as the end of a message.
  std::string kept() const {
    if (size_ == 0) return "";
    return fmt::format("; {} bytes are in {}, and the same command goes on there", size_, name_);
  }

  [[noreturn]] void fail() const {
    throw WriteError(fmt::format("{}: cannot be written: {}{}", name_,
                                 std::strerror(error_ != 0 ? error_ : errno), kept()));
  }

 private:
  std::string name_;
  int descriptor_;
  std::int64_t size_ = 0;
  int error_ = 0;
};

/// One transfer into a part file.
class Transfer {
 public:
  Transfer(const std::string& address, PartFile& part, const RunControl& control)
      : address_(address), part_(part), control_(control), curl_(curl_easy_init()) {
    if (!curl_) throw IoError(fmt::format("{}: libcurl cannot be started", address));
    set(CURLOPT_URL, address.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https,ftp,file");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https,ftp");
    set(CURLOPT_USERAGENT, (std::string("sgood/") + kVersion).c_str());
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT, kStallSeconds);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, kStallSeconds);
    set(CURLOPT_ERRORBUFFER, reason_.data());
    set(CURLOPT_WRITEFUNCTION, &Transfer::take);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &Transfer::tell);
    set(CURLOPT_XFERINFODATA, this);
  }

  void run() {
    CURLcode code = from(part_.size());
    // The server cannot go on in the middle, or there is nothing behind what we have.
    const bool refused = code == CURLE_RANGE_ERROR || code == CURLE_BAD_DOWNLOAD_RESUME ||
                         code == CURLE_FILE_COULDNT_READ_FILE || status() == kRangeNotSatisfiable;
    if (refused && part_.size() > 0) {
      part_.empty();
      code = from(0);
    }
    if (code != CURLE_OK) fail(code);
  }

 private:
  template <typename T>
  void set(CURLoption option, T value) {
    curl_easy_setopt(curl_.get(), option, value);
  }

  CURLcode from(std::int64_t position) {
    first_ = position;
    set(CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(position));
    return curl_easy_perform(curl_.get());
  }

  long status() const {
    long status = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    return status;
  }

  [[noreturn]] void fail(CURLcode code) const {
    if (code == CURLE_ABORTED_BY_CALLBACK) throw Cancelled("stopped" + part_.kept());
    if (code == CURLE_WRITE_ERROR) part_.fail();
    if (code == CURLE_HTTP_RETURNED_ERROR)
      throw IoError(fmt::format("{}: the server answers with status {}", address_, status()));
    throw IoError(fmt::format("{}: {}{}", address_,
                              reason_[0] != '\0' ? reason_.data() : curl_easy_strerror(code),
                              part_.kept()));
  }

  static std::size_t take(char* bytes, std::size_t size, std::size_t count, void* self) {
    return static_cast<Transfer*>(self)->part_.write(bytes, size * count) ? size * count : 0;
  }

  static int tell(void* self, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
    const auto& transfer = *static_cast<Transfer*>(self);
    if (total > 0)
      transfer.control_.report("fetching " + transfer.address_, transfer.first_ + done,
                               transfer.first_ + total);
    return transfer.control_.stop.stop_requested() ? 1 : 0;
  }

  struct Close {
    void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
  };
  const std::string& address_;
  PartFile& part_;
  const RunControl& control_;
  std::array<char, CURL_ERROR_SIZE> reason_{};
  std::unique_ptr<CURL, Close> curl_;
  std::int64_t first_ = 0;  // bytes that were there before
};

}  // namespace

std::string sha256_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  bool good = file && context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  std::array<char, 1 << 16> buffer;
  while (good && !file.eof()) {
    file.read(buffer.data(), buffer.size());
    good = !file.bad() && EVP_DigestUpdate(context.get(), buffer.data(),
                                           static_cast<std::size_t>(file.gcount())) == 1;
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned length = 0;
  if (!good || EVP_DigestFinal_ex(context.get(), digest.data(), &length) != 1)
    throw IoError(fmt::format("{}: cannot be read", path.string()));
  return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + length, ""));
}

Download download(const std::string& address, const fs::path& path, const std::string& sha256,
                  const RunControl& control) {
  PartFile part(path);
  Transfer(address, part, control).run();
  part.flush();
  Download result{part.size(), sha256_of(part.name())};
  std::error_code error;
  if (!sha256.empty() && result.sha256 != sha256) {
    fs::remove(part.name(), error);
    throw ParseError(
        address, 0,
        fmt::format("the SHA-256 of the file is {} but {} is expected: it was altered, "
                    "or is another version",
                    result.sha256, sha256));
  }
  fs::rename(part.name(), path, error);
  if (error)
    throw WriteError(fmt::format("{}: cannot be written: {}", path.string(), error.message()));
  return result;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sgood/core/error.h"

/// What libFuzzer calls, and what the replay of known inputs calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace sgood::fuzz {

/// A folder of this process for the files that readers want to open.
inline const std::filesystem::path& folder() {
  static const struct Folder {
    std::filesystem::path path;
    Folder() {
      std::string name = (std::filesystem::temp_directory_path() / "sgood-fuzz-XXXXXX").string();
      if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
      path = name;
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  } own;
  return own.path;
}

/// Writes `bytes` to a file called `name` in folder().
inline std::filesystem::path write_input(const std::string& name, std::string_view bytes) {
  const std::filesystem::path path = folder() / name;
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Runs `read`. A damaged input may give an error that is written for the user; any other exception
/// is a finding.
template <typename Read>
int try_to(Read read) {
  try {
    read();
  } catch (const Error&) {
  }
  return 0;
}

/// Numbers and texts out of the bytes of an input.
class Bytes {
 public:
  explicit Bytes(std::string_view rest) : rest_(rest) {}

  bool empty() const { return rest_.empty(); }
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : number<std::uint16_t>() % bound; }
  std::string_view text(std::size_t most) {
    const std::string_view taken = rest_.substr(0, most);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  template <typename T>
  T number() {
    T value{};
    const std::string_view taken = text(sizeof value);
    for (std::size_t i = 0; i < taken.size(); ++i) reinterpret_cast<char*>(&value)[i] = taken[i];
    return value;
  }

 private:
  std::string_view rest_;
};

}  // namespace sgood::fuzz

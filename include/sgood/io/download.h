// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sgood/core/run_control.h"

namespace sgood {

/// What came over the wire.
struct Download {
  std::int64_t bytes = 0;  ///< Size of the file.
  std::string sha256;      ///< Its SHA-256, 64 hexadecimal digits.
};

/// Copies what is at `address` (http, https, ftp or file) to `path`, which appears whole or not at
/// all: it grows as PATH.part, and a later call goes on from there. Never asks anything; proxies
/// are libcurl's: those of http_proxy, https_proxy, all_proxy and no_proxy. Throws IoError when the
/// address cannot be reached, has no such file, breaks off or stalls for a minute; WriteError when
/// `path` cannot be written; ParseError when the SHA-256 is not `sha256` (empty: none is known),
/// and then nothing is kept; Cancelled on request.
Download download(const std::string& address, const std::filesystem::path& path,
                  const std::string& sha256 = "", const RunControl& control = {});

/// SHA-256 of a file, 64 hexadecimal digits. Throws IoError.
std::string sha256_of(const std::filesystem::path& path);

}  // namespace sgood

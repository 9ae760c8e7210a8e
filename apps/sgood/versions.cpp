// SPDX-License-Identifier: MIT
#include "versions.h"

#include <curl/curl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <zip.h>
#include <zlib.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "sgood/chem/molecule.h"
#include "sgood/core/version.h"
#include "sgood/detectors/engines.h"
#include "sgood/kernels/kernel_table.h"

namespace sgood::cli {
namespace {

std::string or_else(std::string text, const char* otherwise) {
  return text.empty() ? otherwise : text;
}

}  // namespace

std::string versions_text() {
  // Without the last line end: CLI11 adds one.
  return fmt::format(
      "sgood {}\n"
      "kernels        {}\n"
      "RDKit          {}\n"
      "LibTorch       {}\n"
      "Eigen          {}.{}.{}\n"
      "zlib           {}\n"
      "libzip         {}\n"
      "libcurl        {}\n"
      "OpenSSL        {}\n"
      "fmt            {}.{}.{}\n"
      "nlohmann-json  {}.{}.{}\n"
      "CLI11          {}",
      kVersion, kernels::vector_kernels().name, or_else(rdkit_version(), "built without"),
      or_else(torch_plugin_path(), "not installed"), EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
      EIGEN_MINOR_VERSION, zlibVersion(), zip_libzip_version(),
      curl_version_info(CURLVERSION_NOW)->version, OpenSSL_version(OPENSSL_VERSION_STRING),
      FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100, NLOHMANN_JSON_VERSION_MAJOR,
      NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH, CLI11_VERSION);
}

}  // namespace sgood::cli

// SPDX-License-Identifier: MIT
#include "scratch_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "sgood/core/error.h"

namespace sgood {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error)
    throw IoError(fmt::format("there is no folder for temporary files: {}; make TMPDIR name one",
                              error.message()));
  std::string name = (parent / "sgood-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw IoError(
        fmt::format("{}: no temporary folder can be made: {}", name, std::strerror(errno)));
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace sgood

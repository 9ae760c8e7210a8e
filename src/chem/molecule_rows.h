// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sgood/chem/molecule_table.h"

namespace sgood {

/// The rows of a file of molecules in one of the formats, without made-up ids.
class MoleculeRows {
 public:
  virtual ~MoleculeRows() = default;
  /// The next row; nothing at the end.
  virtual std::optional<MoleculeRow> next() = 0;
  virtual const std::string& file() const = 0;
  virtual std::int64_t blank_lines() const = 0;

  std::vector<std::string> notes;  // on columns and headers
};

/// Opens `path` in the format that `options` or its ending say.
std::unique_ptr<MoleculeRows> open_molecule_rows(const std::filesystem::path& path,
                                                 const MoleculeFileOptions& options);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "sgood/core/matrix.h"

namespace sgood {

/// A NumPy array of one or two dimensions.
struct NpyArray {
  std::vector<std::int64_t> shape;  ///< One or two sizes.
  std::vector<double> values;       ///< Row-major, product(shape); true is 1.

  std::int64_t rows() const { return shape[0]; }
  /// The array as a matrix; one dimension is one column.
  Matrix matrix() const;
};

/// Reads a .npy file of format 1, 2 or 3 in either order, with little-endian elements: bool,
/// integers of 1 to 8 bytes, reals of 4 or 8. Throws IoError when the file cannot be read and
/// ParseError that names it when it is of another kind, cut off or longer than its shape says, and
/// for an integer of 2^53 or more, which a double may not hold; memory stays in proportion to the
/// file's size.
NpyArray read_npy(const std::filesystem::path& path);

}  // namespace sgood

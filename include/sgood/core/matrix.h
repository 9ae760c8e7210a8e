// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sgood {

/// A row-major matrix of doubles, for results and small algebra.
struct Matrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<double> values;  ///< [rows, cols]

  Matrix() = default;
  Matrix(std::int64_t num_rows, std::int64_t num_cols)
      : rows(num_rows), cols(num_cols), values(static_cast<std::size_t>(num_rows * num_cols)) {}

  double& operator()(std::int64_t r, std::int64_t c) {
    return values[static_cast<std::size_t>(r * cols + c)];
  }
  double operator()(std::int64_t r, std::int64_t c) const {
    return values[static_cast<std::size_t>(r * cols + c)];
  }
  std::span<double> row(std::int64_t r) {
    return {values.data() + r * cols, static_cast<std::size_t>(cols)};
  }
  std::span<const double> row(std::int64_t r) const {
    return {values.data() + r * cols, static_cast<std::size_t>(cols)};
  }
};

}  // namespace sgood

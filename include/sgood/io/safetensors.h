// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace sgood {

/// Element types that a model file uses.
enum class TensorType { kF32, kF64, kI32, kI64 };

/// An array of numbers with its type and shape.
struct Tensor {
  TensorType type = TensorType::kF32;
  std::vector<std::int64_t> shape;  ///< Row-major; empty for one number.
  std::vector<std::byte> bytes;     ///< Little-endian; product(shape) elements.

  /// Copies `values` (T: float, double, int32_t, int64_t), which must be product(shape) many.
  template <typename T>
  static Tensor of(std::span<const T> values, std::vector<std::int64_t> shape);
  /// The same as one row, [values.size()].
  template <typename T>
  static Tensor of(const std::vector<T>& values) {
    return of(std::span<const T>(values), {static_cast<std::int64_t>(values.size())});
  }
  /// The elements. Throws InvalidArgument when T is not the tensor's type.
  template <typename T>
  std::vector<T> values() const;

  bool operator==(const Tensor&) const = default;
};

/// What a safetensors file holds. The Python package `safetensors` reads the same files.
struct TensorFile {
  std::map<std::string, std::string> metadata;  ///< UTF-8; "sgood.checksum" is reserved.
  std::map<std::string, Tensor> tensors;

  /// The tensor of that name. Throws InvalidArgument that names it when there is none.
  const Tensor& tensor(const std::string& name) const;

  bool operator==(const TensorFile&) const = default;
};

/// Writes `file` with a checksum over all it holds; equal contents give equal bytes. All or
/// nothing, see write_file_atomically(). Throws InvalidArgument when a tensor's bytes do not fit
/// its shape, a name is reserved or a text is not UTF-8, and IoError when the file cannot be
/// written.
void save_tensors(const std::filesystem::path& path, const TensorFile& file);

/// Reads what save_tensors() wrote. Throws IoError when the file cannot be read and ParseError when
/// it is of another kind, cut off or altered anywhere; memory stays in proportion to the file's
/// size.
TensorFile load_tensors(const std::filesystem::path& path);

}  // namespace sgood

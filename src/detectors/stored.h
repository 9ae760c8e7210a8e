// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sgood/core/matrix.h"
#include "sgood/detectors/mahalanobis.h"
#include "sgood/io/safetensors.h"

namespace sgood {

// Reading and writing parts of a model file. Whatever the file lacks, or holds in another form, is
// an InvalidArgument that names it.

/// Metadata called `name`, as text, JSON, a list of texts or a number.
const std::string& stored_text(const TensorFile& file, const std::string& name);
nlohmann::ordered_json stored_json(const TensorFile& file, const std::string& name);
std::vector<std::string> stored_texts(const TensorFile& file, const std::string& name);
std::int64_t stored_integer(const TensorFile& file, const std::string& name);
double stored_real(const TensorFile& file, const std::string& name);

/// Names of graphs, which need not be UTF-8 although a model file's entries must be.
void store_names(TensorFile& file, const std::string& name, const std::vector<std::string>& names);

/// Elements of the tensor called `name`, which must have this shape.
template <typename T>
std::vector<T> stored_values(const TensorFile& file, const std::string& name,
                             const std::vector<std::int64_t>& shape);

/// A matrix as a tensor [rows, cols].
void store(TensorFile& file, const std::string& name, const Matrix& matrix);
Matrix stored_matrix(const TensorFile& file, const std::string& name);

/// A fitted Mahalanobis score as tensors called `mahalanobis.*`.
void store(TensorFile& file, const MahalanobisState& state);
MahalanobisState stored_mahalanobis(const TensorFile& file);

}  // namespace sgood

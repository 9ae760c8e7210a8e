// SPDX-License-Identifier: MIT
#include "stored.h"

#include <algorithm>

#include "sgood/core/error.h"
#include "sgood/core/json_text.h"
#include "sgood/io/numbers.h"

namespace sgood {

void store(TensorFile& file, const std::string& name, const Matrix& matrix) {
  file.tensors[name] =
      Tensor::of(std::span<const double>(matrix.values), {matrix.rows, matrix.cols});
}

Matrix stored_matrix(const TensorFile& file, const std::string& name) {
  const Tensor& tensor = file.tensor(name);
  SGOOD_CHECK(tensor.shape.size() == 2, "tensor {} has {} dimensions but must have 2", name,
              tensor.shape.size());
  Matrix matrix(tensor.shape[0], tensor.shape[1]);
  matrix.values = tensor.values<double>();
  return matrix;
}

const std::string& stored_text(const TensorFile& file, const std::string& name) {
  const auto found = file.metadata.find(name);
  SGOOD_CHECK(found != file.metadata.end(), "the model file has no entry {}", name);
  return found->second;
}

nlohmann::ordered_json stored_json(const TensorFile& file, const std::string& name) {
  const std::string& text = stored_text(file, name);
  try {
    return parse_json<nlohmann::ordered_json>(text);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(
        fmt::format("the model file's entry {} cannot be read: {}", name, error.what()));
  }
}

std::vector<std::string> stored_texts(const TensorFile& file, const std::string& name) {
  const nlohmann::ordered_json json = stored_json(file, name);
  SGOOD_CHECK(json.is_array() &&
                  std::ranges::all_of(json, [](const auto& text) { return text.is_string(); }),
              "the model file's entry {} must be a list of texts", name);
  return json.get<std::vector<std::string>>();
}

double stored_real(const TensorFile& file, const std::string& name) {
  const std::string& text = stored_text(file, name);
  const auto value = parse_number<double>(text);
  SGOOD_CHECK(value.has_value(), "the model file's entry {} is '{}' but must be a number", name,
              text);
  return *value;
}

std::int64_t stored_integer(const TensorFile& file, const std::string& name) {
  const std::string& text = stored_text(file, name);
  const auto value = parse_number<std::int64_t>(text);
  SGOOD_CHECK(value.has_value(), "the model file's entry {} is '{}' but must be a whole number",
              name, text);
  return *value;
}

void store_names(TensorFile& file, const std::string& name, const std::vector<std::string>& names) {
  file.metadata[name] =
      nlohmann::json(names).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <typename T>
std::vector<T> stored_values(const TensorFile& file, const std::string& name,
                             const std::vector<std::int64_t>& shape) {
  const Tensor& tensor = file.tensor(name);
  SGOOD_CHECK(tensor.shape == shape, "tensor {} has shape [{}] but must have [{}]", name,
              fmt::join(tensor.shape, ", "), fmt::join(shape, ", "));
  return tensor.values<T>();
}
template std::vector<float> stored_values(const TensorFile&, const std::string&,
                                          const std::vector<std::int64_t>&);
template std::vector<double> stored_values(const TensorFile&, const std::string&,
                                           const std::vector<std::int64_t>&);
template std::vector<std::int32_t> stored_values(const TensorFile&, const std::string&,
                                                 const std::vector<std::int64_t>&);
template std::vector<std::int64_t> stored_values(const TensorFile&, const std::string&,
                                                 const std::vector<std::int64_t>&);

void store(TensorFile& file, const MahalanobisState& state) {
  file.metadata["sgood.mahalanobis.aggregation"] =
      std::to_string(static_cast<int>(state.aggregation));
  file.tensors["mahalanobis.classes"] = Tensor::of(state.classes);
  file.tensors["mahalanobis.centre"] = Tensor::of(state.centre);
  store(file, "mahalanobis.whitening", state.whitening);
  store(file, "mahalanobis.means", state.means);
  store(file, "mahalanobis.background", state.background);
}

MahalanobisState stored_mahalanobis(const TensorFile& file) {
  MahalanobisState state;
  const std::int64_t aggregation = stored_integer(file, "sgood.mahalanobis.aggregation");
  SGOOD_CHECK(aggregation >= 0 && aggregation <= 2,
              "the model file's Mahalanobis aggregation is {} but must be 0, 1 or 2", aggregation);
  state.aggregation = static_cast<MahalanobisAggregation>(aggregation);
  state.classes = file.tensor("mahalanobis.classes").values<std::int32_t>();
  state.centre = file.tensor("mahalanobis.centre").values<double>();
  state.whitening = stored_matrix(file, "mahalanobis.whitening");
  state.means = stored_matrix(file, "mahalanobis.means");
  state.background = stored_matrix(file, "mahalanobis.background");
  return state;
}

}  // namespace sgood

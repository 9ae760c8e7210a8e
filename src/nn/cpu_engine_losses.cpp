// SPDX-License-Identifier: MIT
#include "src/nn/cpu_engine_losses.h"

#include <algorithm>
#include <cmath>

#include "sgood/core/error.h"

namespace sgood::cpu {

template <typename T>
double CrossEntropy<T>::forward(const T* readout, std::span<const std::int32_t> labels,
                                const T* parameters, T* gradient) {
  const KernelTable<T>& k = model_.kernels;
  const auto rows = static_cast<Index>(labels.size());
  const Index inputs = model_.shape.readout_width(), columns = model_.class_columns();
  const Index classes = model_.shape.num_classes;
  T* logits = logits_.resize(rows * columns);
  model_.pad_classifier(parameters, padded_);
  k.linear(readout, rows, inputs, padded_.get(), padded_.get() + inputs * columns, columns,
           Write::kSet, logits);
  const double loss = softmax(labels);

  T* dpadded = padded_gradient_.resize((inputs + 1) * columns);
  std::fill_n(dpadded, (inputs + 1) * columns, T(0));
  k.weight_gradient(readout, logits, rows, inputs, columns, dpadded);
  k.column_sum(logits, rows, columns, dpadded + inputs * columns);
  for (Index i = 0; i <= inputs; ++i) {
    T* to = gradient + (i < inputs ? model_.classifier + i * classes : model_.classifier_bias);
    for (Index c = 0; c < classes; ++c) to[c] += dpadded[i * columns + c];
  }
  T* transposed = transposed_.resize(columns * inputs);
  transpose(padded_.get(), inputs, columns, transposed);
  k.linear(logits, rows, columns, transposed, nullptr, inputs, Write::kSet,
           readout_gradient_.resize(rows * inputs));
  return loss;
}

/// The loss; logits become its gradient.
template <typename T>
double CrossEntropy<T>::softmax(std::span<const std::int32_t> labels) {
  const Index columns = model_.class_columns(), classes = model_.shape.num_classes;
  const auto rows = static_cast<T>(labels.size());
  double loss = 0;
  T* row = logits_.get();
  for (const std::int32_t label : labels) {
    SGOOD_CHECK(label >= 0 && label < classes, "a label is {} but must be in [0, {})", label,
                classes);
    const T top = *std::max_element(row, row + classes);
    const T chosen = row[label] - top;
    T total = 0;
    for (Index c = 0; c < classes; ++c) total += row[c] = std::exp(row[c] - top);
    loss += static_cast<double>(std::log(total) - chosen);
    for (Index c = 0; c < classes; ++c) row[c] /= total * rows;
    row[label] -= 1 / rows;
    std::fill(row + classes, row + columns, T(0));
    row += columns;
  }
  return loss / static_cast<double>(rows);
}

template <typename T>
Contrast<T>::Contrast(const Model<T>& model)
    : model_(model),
      weight1_(model.layout.slot("projection.linear1.weight").offset),
      bias1_(model.layout.slot("projection.linear1.bias").offset),
      weight2_(model.layout.slot("projection.linear2.weight").offset),
      bias2_(model.layout.slot("projection.linear2.bias").offset),
      width_(model.shape.readout_width()) {}

template <typename T>
double Contrast<T>::forward(const T* readout0, const T* readout1, Index num_graphs,
                            const Options& options, const T* parameters, const T* transposed,
                            T* gradient) {
  graphs_ = num_graphs;
  rows_ = 2 * num_graphs;
  const Index lanes = model_.kernels.lanes;
  padded_ = (rows_ + lanes - 1) / lanes * lanes;
  T* readouts = readouts_.resize(rows_ * width_);
  std::copy_n(readout0, num_graphs * width_, readouts);
  std::copy_n(readout1, num_graphs * width_, readouts + num_graphs * width_);
  project(parameters);
  const double loss = similarities(options);
  project_backward(transposed, gradient);
  return loss;
}

template <typename T>
T* Contrast<T>::readout_gradient(Index view) const {
  return readout_gradient_.get() + view * graphs_ * width_;
}

template <typename T>
void Contrast<T>::project(const T* parameters) {
  const KernelTable<T>& k = model_.kernels;
  T* hidden = hidden_.resize(rows_ * width_);
  T* projected = projected_.resize(rows_ * width_);
  T* unit = unit_.resize(padded_ * width_);
  k.linear(readouts_.get(), rows_, width_, parameters + weight1_, parameters + bias1_, width_,
           Write::kSet, hidden);
  k.relu(hidden, rows_ * width_);
  k.linear(hidden, rows_, width_, parameters + weight2_, parameters + bias2_, width_, Write::kSet,
           projected);
  k.normalize(projected, rows_, width_, unit, norms_.resize(rows_));
  std::fill(unit + rows_ * width_, unit + padded_ * width_, T(0));
}

/// The loss, and the gradient of the unit vectors. With s = u u^T / tau and Z_r the denominator of
/// row r, the loss is the mean of log Z_r - s(r, pair of r), and the gradient of s + s^T has
/// exp(s(r, c)) (1 / Z_r + 1 / Z_c) for the other graphs, -2 for the pair. No exponential needs a
/// shift: |s| <= 1 / kSmallestTemperature.
template <typename T>
double Contrast<T>::similarities(const Options& options) {
  const KernelTable<T>& k = model_.kernels;
  constexpr T kExcluded = T(-1e30);  // exp() of it is nothing
  T* turned = unit_transposed_.resize(width_ * padded_);
  transpose(unit_.get(), padded_, width_, turned);
  const auto inverse = static_cast<T>(1 / options.temperature);
  for (Index i = 0; i < width_ * padded_; ++i) turned[i] *= inverse;
  T* s = similarity_.resize(rows_ * padded_);
  k.linear(unit_.get(), rows_, width_, turned, nullptr, padded_, Write::kSet, s);

  T* shares = row_shares_.resize(padded_);
  std::fill_n(shares, padded_, T(0));
  double loss = 0;
  const auto pair = [&](Index r) { return r < graphs_ ? r + graphs_ : r - graphs_; };
  for (Index r = 0; r < rows_; ++r) {
    T* row = s + r * padded_;
    const T positive = row[pair(r)];
    row[r] = row[pair(r)] = kExcluded;
    std::fill(row + rows_, row + padded_, kExcluded);
    const T denominator = k.exp_sum(row, padded_);
    loss += std::log(static_cast<double>(denominator)) - static_cast<double>(positive);
    shares[r] = 1 / denominator;
  }
  for (Index r = 0; r < rows_; ++r) {
    T* row = s + r * padded_;
    k.scale_by_sum(row, shares[r], shares, padded_);
    row[r] = 0;
    row[pair(r)] = -2;
  }
  T* gradient = unit_gradient_.resize(rows_ * width_);
  k.linear(s, rows_, padded_, unit_.get(), nullptr, width_, Write::kSet, gradient);
  const auto rows = static_cast<double>(rows_);
  const auto scale = static_cast<T>(options.weight / (rows * options.temperature));
  for (Index i = 0; i < rows_ * width_; ++i) gradient[i] *= scale;
  return loss / rows;
}

template <typename T>
void Contrast<T>::project_backward(const T* transposed, T* gradient) {
  const KernelTable<T>& k = model_.kernels;
  T* dprojected = unit_gradient_.get();
  T* dhidden = hidden_gradient_.resize(rows_ * width_);
  k.normalize_backward(unit_.get(), norms_.get(), rows_, width_, dprojected);
  k.column_sum(dprojected, rows_, width_, gradient + bias2_);
  k.weight_gradient(hidden_.get(), dprojected, rows_, width_, width_, gradient + weight2_);
  k.linear(dprojected, rows_, width_, transposed + weight2_, nullptr, width_, Write::kSet, dhidden);
  k.relu_backward(hidden_.get(), dhidden, rows_ * width_);
  k.column_sum(dhidden, rows_, width_, gradient + bias1_);
  k.weight_gradient(readouts_.get(), dhidden, rows_, width_, width_, gradient + weight1_);
  k.linear(dhidden, rows_, width_, transposed + weight1_, nullptr, width_, Write::kSet,
           readout_gradient_.resize(rows_ * width_));
}

template class CrossEntropy<float>;
template class CrossEntropy<double>;
template class Contrast<float>;
template class Contrast<double>;

}  // namespace sgood::cpu

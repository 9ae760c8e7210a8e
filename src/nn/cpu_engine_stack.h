// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/kernels/kernel_table.h"
#include "sgood/nn/network.h"

namespace sgood::cpu {

using Index = std::int64_t;
using kernels::KernelTable;
using kernels::Norm;
using kernels::Write;

/// Memory in whole cache lines, kept between steps; resizing leaves the values undefined.
template <typename T>
class Buffer {
 public:
  T* resize(Index size) {
    if (size > capacity_) {
      data_.reset(static_cast<T*>(
          ::operator new(static_cast<std::size_t>(size) * sizeof(T), std::align_val_t(64))));
      capacity_ = size;
    }
    return data_.get();
  }
  T* get() const { return data_.get(); }

 private:
  struct Free {
    void operator()(T* p) const { ::operator delete(p, std::align_val_t(64)); }
  };
  std::unique_ptr<T, Free> data_;
  Index capacity_ = 0;
};

/// Rows [first, last) of a matrix.
struct Rows {
  Index first = 0, last = 0;
  Index count() const { return last - first; }
};

/// Calls `work(Rows)` for consecutive chunks that fit the L1 cache.
template <typename Work>
void for_chunks(Index rows, Work work) {
  for (Index first = 0; first < rows; first += kernels::kRowChunk)
    work(Rows{first, std::min(first + kernels::kRowChunk, rows)});
}

/// Batch normalisation of one input: its place in the flat buffers, and its values in one pass.
template <typename T>
class BatchNorm {
 public:
  /// The normalisation called `name`, e.g. "node.0.bn1".
  BatchNorm(const ParameterLayout& layout, const std::string& name);

  /// Forgets the moments; rows are then merged into moments().
  void start();
  kernels::Moments& moments() { return moments_; }
  /// Normalises by the moments: mean and biased variance.
  void use_moments(const T* parameters);
  /// Normalises by given statistics, laid out by ParameterLayout::statistics().
  void use_statistics(const T* parameters, const double* statistics);
  /// Writes the moments' mean and variance to their place in `statistics`.
  void write_statistics(double* statistics) const;
  Norm<T> norm() const { return {mean_.data(), scale_.data(), shift_.data()}; }

  /// Column sums of dy and of dy * (z - mean), [width], zero after use_moments().
  double* gradient_sum() { return gradient_sum_.data(); }
  double* gradient_product() { return gradient_product_.data(); }
  /// Adds the gradients of weight and bias, and prepares backward() for KernelTable::norm_backward.
  void finish_gradient(T* gradient);
  Norm<T> backward() const { return {mean_.data(), scale_.data(), back_shift_.data()}; }
  const T* backward_slope() const { return back_slope_.data(); }

 private:
  void set(const T* parameters, const double* mean, const double* variance);

  Index weight_, bias_, mean_slot_, variance_slot_;
  std::vector<double> moment_mean_, moment_deviations_, inverse_deviation_;
  kernels::Moments moments_;
  std::vector<T> mean_, scale_, shift_, back_shift_, back_slope_;
  std::vector<double> gradient_sum_, gradient_product_;
};

/// What a layer reads: one-hot codes [rows, columns], real columns [rows, num_dense], or both.
template <typename T>
struct LayerInput {
  const std::int32_t* codes = nullptr;
  Index columns = 0;
  Index vocabulary = 0;  ///< Rows of the weight that belong to codes; those of `dense` follow.
  const T* dense = nullptr;
  Index num_dense = 0;
};

/// A linear map of the concatenated outputs of all layers, as DeepSets pooling reads them; offsets
/// in the flat buffer of its weight [layers * d, d] and bias.
struct Mix {
  Index weight = 0, bias = 0;
};

/// One level of a batch: nodes, or super nodes.
template <typename T>
struct Level {
  kernels::Lists lists;
  const std::int32_t* degree = nullptr;  ///< [lists.rows]
  bool self_loops = false;               ///< The lists hold the row itself.
  LayerInput<T> input;
};

/// Activations of a stack for one batch, as many as its user asks for.
template <typename T>
struct StackState {
  std::vector<BatchNorm<T>> norms;         ///< Of each layer: the first, then GIN's second.
  std::vector<Buffer<T>> message, hidden;  ///< z1 and (GIN) z2 of each layer
  bool keep_outputs = false;               ///< Fill `output`; else outputs only go into `mixed`.
  std::vector<Buffer<T>> output;           ///< h of each layer
  std::vector<Buffer<T>> output_gradient;  ///< Read by backward() when there is no mix.
  Buffer<T> mixed, mixed_gradient;         ///< [rows, d]
};

/// Memory that no later function reads again, so that passes can share it.
template <typename T>
struct StackScratch {
  Buffer<T> projected;                           ///< [rows + 1, d], last row zero
  Buffer<T> gradient, message_gradient, scaled;  ///< [rows + 1, d]; the last two end with zeros
  Buffer<T> row_scale;                           ///< [rows]
  Buffer<T> active, received;                    ///< one chunk
};

/// Message-passing layers of one level; the same code for nodes and super nodes.
template <typename T>
class GnnStack {
 public:
  /// `prefix` is "node" or "super".
  GnnStack(const KernelTable<T>& kernels, const ParameterLayout& layout, std::string_view prefix,
           std::optional<Mix> mix);

  std::size_t num_layers() const { return layers_.size(); }
  /// The stack's normalisations, as yet without values.
  const std::vector<BatchNorm<T>>& norms() const { return norms_; }

  /// All layers. `fixed` holds the normalisations to use; null: those of the batch, which are kept
  /// in state.norms for backward().
  void forward(const Level<T>& level, const T* parameters, const std::vector<BatchNorm<T>>* fixed,
               StackState<T>& state, StackScratch<T>& scratch) const;
  /// Adds the parameters' gradient, given that of the mix or of each output. `transposed` holds the
  /// transposes of the weights at their own offsets (each layer's share of the mix apart). Adds to
  /// `dense_gradient` [rows, num_dense] the gradient of level.input.dense unless it is null.
  void backward(const Level<T>& level, const T* transposed, StackState<T>& state,
                StackScratch<T>& scratch, T* gradient, T* dense_gradient) const;

 private:
  struct Layer {  // offsets; SAGE has a self_weight and GIN a weight2
    Index weight = 0, self_weight = 0, weight2 = 0;
  };
  /// What the steps of one call share. Each step works on a chunk of rows.
  struct Run {
    const Level<T>& level;
    StackState<T>& state;
    StackScratch<T>& scratch;
    const T* weights;  // the parameters; in backward() their transposes
    T* gradient = nullptr;
  };
  bool gin() const { return backbone_ == Backbone::kGin; }
  bool sage() const { return backbone_ == Backbone::kSage; }
  std::size_t norms_per_layer() const { return gin() ? 2 : 1; }
  /// The normalisation before the outputs of layer l.
  std::size_t last_norm(std::size_t l) const { return norms_per_layer() * (l + 1) - 1; }
  Index mix_weight(std::size_t l) const {
    return mix_->weight + static_cast<Index>(l) * width_ * width_;
  }
  T* message(const Run& run, std::size_t l, Rows rows) const;
  T* last_input(const Run& run, std::size_t l, Rows rows) const;
  const T* self_of(const Level<T>& level, const T* x) const;
  LayerInput<T> input(const Run& run, std::size_t l, Rows rows, const T* h) const;
  void scale_of_rows(const Run& run) const;

  void prepare(const Run& run, bool fixed) const;
  const T* activate(const Run& run, std::size_t l, Rows rows, const Norm<T>& norm) const;
  void apply(const LayerInput<T>& in, Index rows, const T* weight, T* y) const;
  void project(const Run& run, std::size_t l, Rows rows, const T* h) const;
  const T* receive(const Run& run, std::size_t l, Rows rows) const;
  const T* transform(const Run& run, std::size_t l, Rows rows, const Norm<T>& norm) const;

  void apply_gradient(const LayerInput<T>& in, Index rows, const T* dy, T* weight) const;
  void output_backward(const Run& run, std::size_t l, Rows rows, T* dy) const;
  void input_backward(const Run& run, std::size_t l, Rows rows, const T* h, T* dx) const;
  void transform_backward(const Run& run, std::size_t l, T* dy) const;

  const KernelTable<T>& kernels_;
  Backbone backbone_;
  Index width_;
  std::vector<Layer> layers_;
  std::vector<BatchNorm<T>> norms_;
  std::optional<Mix> mix_;
};

}  // namespace sgood::cpu

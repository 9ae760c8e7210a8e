// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "src/nn/cpu_engine_pass.h"

namespace sgood::cpu {

/// Linear classifier and cross-entropy, the mean over the graphs. Paper: Eq. (5).
template <typename T>
class CrossEntropy {
 public:
  explicit CrossEntropy(const Model<T>& model) : model_(model) {}
  /// The loss for readouts [labels.size(), readout_width]; adds to `gradient`. Throws
  /// InvalidArgument when a label is not a class.
  double forward(const T* readout, std::span<const std::int32_t> labels, const T* parameters,
                 T* gradient);
  /// [num_graphs, readout_width]
  T* readout_gradient() const { return readout_gradient_.get(); }

 private:
  double softmax(std::span<const std::int32_t> labels);

  const Model<T>& model_;
  Buffer<T> padded_, logits_, padded_gradient_, transposed_, readout_gradient_;
};

/// Projection head and contrastive loss over two views of the same graphs. Paper: Eq. (6).
template <typename T>
class Contrast {
 public:
  explicit Contrast(const Model<T>& model);

  struct Options {
    double weight = 1;  ///< Of the loss in the gradient.
    double temperature = 0.2;
  };
  /// The loss for readouts [num_graphs, readout_width] of each view; adds to `gradient`.
  double forward(const T* readout0, const T* readout1, Index num_graphs, const Options& options,
                 const T* parameters, const T* transposed, T* gradient);
  /// [num_graphs, readout_width] of view 0 or 1.
  T* readout_gradient(Index view) const;

 private:
  void project(const T* parameters);
  double similarities(const Options& options);
  void project_backward(const T* transposed, T* gradient);

  const Model<T>& model_;
  Index weight1_, bias1_, weight2_, bias2_;
  Index width_, graphs_ = 0, rows_ = 0, padded_ = 0;
  Buffer<T> readouts_, hidden_, projected_, unit_, norms_, unit_transposed_;
  Buffer<T> similarity_, row_shares_, unit_gradient_, hidden_gradient_, readout_gradient_;
};

}  // namespace sgood::cpu

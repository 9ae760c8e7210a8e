// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sgood/nn/network.h"
#include "src/nn/cpu_engine_memory.h"

namespace sgood::cpu {

using kernels::Norm;

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
  std::vector<double> moment_mean_, moment_deviations_, variance_, inverse_deviation_;
  kernels::Moments moments_;
  std::vector<T> mean_, scale_, shift_, back_shift_, back_slope_;
  std::vector<double> gradient_sum_, gradient_product_;
};

}  // namespace sgood::cpu

// SPDX-License-Identifier: MIT
#include "src/nn/cpu_engine_norm.h"

#include <algorithm>
#include <cmath>

namespace sgood::cpu {

template <typename T>
BatchNorm<T>::BatchNorm(const ParameterLayout& layout, const std::string& name)
    : weight_(layout.slot(name + ".weight").offset),
      bias_(layout.slot(name + ".bias").offset),
      mean_slot_(layout.statistic(name + ".mean").offset),
      variance_slot_(layout.statistic(name + ".var").offset) {
  const auto width = static_cast<std::size_t>(layout.shape().width);
  for (auto* values : {&moment_mean_, &moment_deviations_, &inverse_deviation_, &gradient_sum_,
                       &gradient_product_})
    values->resize(width);
  for (auto* values : {&mean_, &scale_, &shift_, &back_shift_, &back_slope_}) values->resize(width);
}

template <typename T>
void BatchNorm<T>::start() {
  std::fill(moment_mean_.begin(), moment_mean_.end(), 0.0);
  std::fill(moment_deviations_.begin(), moment_deviations_.end(), 0.0);
  moments_ = {0, moment_mean_.data(), moment_deviations_.data()};
}

template <typename T>
void BatchNorm<T>::use_moments(const T* parameters) {
  const auto rows = static_cast<double>(std::max<Index>(moments_.count, 1));
  variance_ = moment_deviations_;
  for (double& v : variance_) v /= rows;
  set(parameters, moment_mean_.data(), variance_.data());
  std::fill(gradient_sum_.begin(), gradient_sum_.end(), 0.0);
  std::fill(gradient_product_.begin(), gradient_product_.end(), 0.0);
}

template <typename T>
void BatchNorm<T>::use_statistics(const T* parameters, const double* statistics) {
  moments_.count = 0;
  set(parameters, statistics + mean_slot_, statistics + variance_slot_);
}

template <typename T>
void BatchNorm<T>::write_statistics(double* statistics) const {
  const auto rows = static_cast<double>(std::max<Index>(moments_.count, 1));
  for (std::size_t j = 0; j < moment_mean_.size(); ++j) {
    statistics[static_cast<std::size_t>(mean_slot_) + j] = moment_mean_[j];
    statistics[static_cast<std::size_t>(variance_slot_) + j] = moment_deviations_[j] / rows;
  }
}

template <typename T>
void BatchNorm<T>::set(const T* parameters, const double* mean, const double* variance) {
  for (std::size_t j = 0; j < mean_.size(); ++j) {
    inverse_deviation_[j] = 1 / std::sqrt(variance[j] + kBatchNormEpsilon);
    mean_[j] = static_cast<T>(mean[j]);
    scale_[j] = static_cast<T>(static_cast<double>(parameters[weight_ + static_cast<Index>(j)]) *
                               inverse_deviation_[j]);
    shift_[j] = parameters[bias_ + static_cast<Index>(j)];
  }
}

template <typename T>
void BatchNorm<T>::finish_gradient(T* gradient) {
  const auto rows = static_cast<double>(std::max<Index>(moments_.count, 1));
  for (std::size_t j = 0; j < mean_.size(); ++j) {
    const double inverse = inverse_deviation_[j];
    const double scale = static_cast<double>(scale_[j]);
    gradient[weight_ + static_cast<Index>(j)] += static_cast<T>(gradient_product_[j] * inverse);
    gradient[bias_ + static_cast<Index>(j)] += static_cast<T>(gradient_sum_[j]);
    // Given statistics do not move with the rows: dz = scale * dy.
    if (moments_.count == 0) continue;
    // dz = scale * (dy - average(dy) - zhat * average(dy * zhat)), zhat = (z - mean) * inverse.
    back_slope_[j] = static_cast<T>(-scale * inverse * inverse * gradient_product_[j] / rows);
    back_shift_[j] = static_cast<T>(-scale * gradient_sum_[j] / rows);
  }
}

template class BatchNorm<float>;
template class BatchNorm<double>;

}  // namespace sgood::cpu

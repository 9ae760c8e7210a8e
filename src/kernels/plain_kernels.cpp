// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sgood/kernels/kernel_table.h"

namespace sgood::kernels {
namespace {

using Index = std::int64_t;
using Code = std::int32_t;

template <typename T>
struct Plain {
  static void gather(const Code* codes, Index rows, Index columns, const T* weight, Index width,
                     T* y) {
    std::fill_n(y, rows * width, T(0));
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < columns; ++c)
        for (Index j = 0; j < width; ++j)
          y[r * width + j] += weight[codes[r * columns + c] * width + j];
  }

  static void scatter(const Code* codes, Index rows, Index columns, const T* dy, Index width,
                      T* weight) {
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < columns; ++c)
        for (Index j = 0; j < width; ++j)
          weight[codes[r * columns + c] * width + j] += dy[r * width + j];
  }

  static void aggregate(const Lists& lists, Index first, Index last, const T* x, Index width,
                        T* y) {
    for (Index v = first; v < last; ++v)
      for (Index j = 0; j < width; ++j) {
        T sum = lists.start != nullptr ? x[lists.start[v] * width + j] : T(0);
        for (Index e = lists.row_ptr[v]; e < lists.row_ptr[v + 1]; ++e)
          sum += x[lists.col[e] * width + j];
        y[(v - first) * width + j] = sum;
      }
  }

  static void aggregate_adjoint(const Lists& lists, const T* y, Index width, T* x) {
    for (Index v = 0; v < lists.rows; ++v)
      for (Index j = 0; j < width; ++j) {
        const T value = y[v * width + j];
        if (lists.start != nullptr) x[lists.start[v] * width + j] += value;
        for (Index e = lists.row_ptr[v]; e < lists.row_ptr[v + 1]; ++e)
          x[lists.col[e] * width + j] += value;
      }
  }

  static void scale_rows(const T* x, Index rows, Index width, const T* scale, Write write, T* y) {
    for (Index r = 0; r < rows; ++r)
      for (Index j = 0; j < width; ++j) {
        const Index i = r * width + j;
        y[i] = scale[r] * x[i] + (write == Write::kAdd ? y[i] : T(0));
      }
  }

  static void linear(const T* x, Index rows, Index in, const T* weight, const T* bias, Index out,
                     Write write, T* y) {
    for (Index r = 0; r < rows; ++r)
      for (Index j = 0; j < out; ++j) {
        T sum = bias != nullptr ? bias[j] : T(0);
        if (write == Write::kAdd) sum = y[r * out + j];
        for (Index k = 0; k < in; ++k) sum += x[r * in + k] * weight[k * out + j];
        y[r * out + j] = sum;
      }
  }

  static void weight_gradient(const T* x, const T* dy, Index rows, Index in, Index out, T* weight) {
    for (Index r = 0; r < rows; ++r)
      for (Index k = 0; k < in; ++k)
        for (Index j = 0; j < out; ++j) weight[k * out + j] += x[r * in + k] * dy[r * out + j];
  }

  static void column_sum(const T* x, Index rows, Index width, T* sum) {
    for (Index r = 0; r < rows; ++r)
      for (Index j = 0; j < width; ++j) sum[j] += x[r * width + j];
  }

  static void relu(T* x, Index size) {
    for (Index i = 0; i < size; ++i) x[i] = std::max(x[i], T(0));
  }

  static void relu_backward(const T* y, T* dy, Index size) {
    for (Index i = 0; i < size; ++i)
      if (!(y[i] > 0)) dy[i] = 0;
  }

  static void moments(const T* x, const T* copies, Index rows, Index width, Moments& moments) {
    for (Index r = 0; r < rows; ++r) {  // Welford; West, 1979
      const double weight = copies != nullptr ? static_cast<double>(copies[r]) : 1.0;
      moments.count += static_cast<Index>(weight);
      for (Index j = 0; j < width; ++j) {
        const double value = static_cast<double>(x[r * width + j]);
        const double delta = value - moments.mean[j];
        moments.mean[j] += delta * weight / static_cast<double>(moments.count);
        moments.deviations[j] += weight * delta * (value - moments.mean[j]);
      }
    }
  }

  static T normed(T z, Index j, const Norm<T>& norm) {
    return (z - norm.mean[j]) * norm.scale[j] + norm.shift[j];
  }

  static void norm_relu(const T* z, Index rows, Index width, const Norm<T>& norm, T* y) {
    for (Index r = 0; r < rows; ++r)
      for (Index j = 0; j < width; ++j)
        y[r * width + j] = std::max(normed(z[r * width + j], j, norm), T(0));
  }

  static void norm_relu_backward(T* dy, const T* z, Index rows, Index width, const Norm<T>& norm,
                                 double* sum, double* product, T* y) {
    if (y != nullptr) norm_relu(z, rows, width, norm, y);
    for (Index r = 0; r < rows; ++r)
      for (Index j = 0; j < width; ++j) {
        const Index i = r * width + j;
        if (!(normed(z[i], j, norm) > 0)) dy[i] = 0;
        sum[j] += static_cast<double>(dy[i]);
        product[j] += static_cast<double>(dy[i] * (z[i] - norm.mean[j]));
      }
  }

  static void norm_backward(const T* dy, const T* z, const T* copies, Index rows, Index width,
                            const Norm<T>& norm, const T* slope, T* dz) {
    for (Index r = 0; r < rows; ++r)
      for (Index j = 0; j < width; ++j) {
        const Index i = r * width + j;
        const T shift = slope[j] * (z[i] - norm.mean[j]) + norm.shift[j];
        dz[i] = norm.scale[j] * dy[i] + (copies != nullptr ? copies[r] : T(1)) * shift;
      }
  }

  static void segment_sum(const T* x, const Code* rows, const Code* ptr, Index segments,
                          Index width, T* y, Index stride) {
    for (Index s = 0; s < segments; ++s) {
      std::fill_n(y + s * stride, width, T(0));
      for (Index r = ptr[s]; r < ptr[s + 1]; ++r)
        for (Index j = 0; j < width; ++j)
          y[s * stride + j] += x[(rows != nullptr ? rows[r] : r) * width + j];
    }
  }

  static void segment_spread(const T* dy, Index stride, const Code* rows, const Code* ptr,
                             Index segments, Index width, T* dx) {
    for (Index s = 0; s < segments; ++s)
      for (Index r = ptr[s]; r < ptr[s + 1]; ++r)
        for (Index j = 0; j < width; ++j)
          if (rows == nullptr)
            dx[r * width + j] = dy[s * stride + j];
          else
            dx[rows[r] * width + j] += dy[s * stride + j];
  }

  static void normalize(const T* x, Index rows, Index width, T* y, T* norm) {
    for (Index r = 0; r < rows; ++r) {
      T squares = 0;
      for (Index j = 0; j < width; ++j) squares += x[r * width + j] * x[r * width + j];
      norm[r] = std::max(std::sqrt(squares), T(kSmallestNorm));
      for (Index j = 0; j < width; ++j) y[r * width + j] = x[r * width + j] / norm[r];
    }
  }

  static void normalize_backward(const T* y, const T* norm, Index rows, Index width, T* dy) {
    for (Index r = 0; r < rows; ++r) {
      T dot = 0;
      for (Index j = 0; j < width; ++j) dot += y[r * width + j] * dy[r * width + j];
      const T scale = norm[r] > T(kSmallestNorm) ? 1 / norm[r] : T(0);
      for (Index j = 0; j < width; ++j)
        dy[r * width + j] = (dy[r * width + j] - dot * y[r * width + j]) * scale;
    }
  }

  static T exp_sum(T* x, Index size) {
    T sum = 0;
    for (Index i = 0; i < size; ++i) sum += x[i] = std::exp(x[i]);
    return sum;
  }

  static void scale_by_sum(T* x, T row, const T* column, Index size) {
    for (Index i = 0; i < size; ++i) x[i] *= row + column[i];
  }

  static constexpr KernelTable<T> table = {"plain",
                                           1,
                                           gather,
                                           scatter,
                                           aggregate,
                                           aggregate_adjoint,
                                           scale_rows,
                                           linear,
                                           weight_gradient,
                                           column_sum,
                                           relu,
                                           relu_backward,
                                           moments,
                                           norm_relu,
                                           norm_relu_backward,
                                           norm_backward,
                                           segment_sum,
                                           segment_spread,
                                           normalize,
                                           normalize_backward,
                                           exp_sum,
                                           scale_by_sum};
};

}  // namespace

template <typename T>
const KernelTable<T>& plain_kernels() {
  return Plain<T>::table;
}
template const KernelTable<float>& plain_kernels<float>();
template const KernelTable<double>& plain_kernels<double>();

}  // namespace sgood::kernels

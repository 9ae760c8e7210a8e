// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

namespace sgood::kernels {

/// Rows that a caller passes through several kernels before it moves on: they stay in the L1 cache,
/// and partial sums over them have the same order whatever else changes.
inline constexpr std::int64_t kRowChunk = 64;

/// Shorter vectors are divided by this when they are normalised, and get no gradient.
inline constexpr float kSmallestNorm = 1e-12F;

/// Whether a kernel overwrites its output or adds to it.
enum class Write { kSet, kAdd };

/// Neighbour lists of rows [0, rows), padded to multiples of four with the index of a row of zeros.
/// Indices may be negative: rows before row 0.
struct Lists {
  std::int64_t rows = 0;
  const std::int32_t* row_ptr = nullptr;  ///< [rows + 1], multiples of four
  const std::int32_t* col = nullptr;      ///< [row_ptr[rows]]
  const std::int32_t* start = nullptr;    ///< [rows] one more entry of each list; null: none
};

/// Batch normalisation of each column: (z - mean) * scale + shift, all [width].
template <typename T>
struct Norm {
  const T* mean = nullptr;
  const T* scale = nullptr;
  const T* shift = nullptr;
};

/// Mean and sum of squared deviations of each column over the rows seen so far, `count` with their
/// copies.
struct Moments {
  std::int64_t count = 0;
  double* mean = nullptr;        ///< [width]
  double* deviations = nullptr;  ///< [width]
};

/// The loops of a graph network over row-major matrices. `width`, `out` are the numbers of columns,
/// multiples of `lanes`; `in` is free. Every row of an output depends on its own inputs by the same
/// chain of operations, whatever the number of rows in a call.
template <typename T>
struct KernelTable {
  const char* name;    ///< Instruction set: "plain", "baseline", "avx2", "avx512".
  std::int32_t lanes;  ///< Columns are multiples of this.

  /// y[r] = sum over c of weight[codes[r, c]]; codes [rows, columns], y [rows, width].
  void (*gather)(const std::int32_t* codes, std::int64_t rows, std::int64_t columns,
                 const T* weight, std::int64_t width, T* y);
  /// weight[codes[r, c]] += dy[r]: the gradient of gather.
  void (*scatter)(const std::int32_t* codes, std::int64_t rows, std::int64_t columns, const T* dy,
                  std::int64_t width, T* weight);

  /// y[v - first] = x[start[v]] + sum over the list of v of x[u], for v in [first, last).
  void (*aggregate)(const Lists& lists, std::int64_t first, std::int64_t last, const T* x,
                    std::int64_t width, T* y);
  /// x[start[v]] and x[u], u in the list of v, += y[v], for every v: the adjoint of aggregate. What
  /// the row of zeros gets is undefined.
  void (*aggregate_adjoint)(const Lists& lists, const T* y, std::int64_t width, T* x);
  /// y[r] = scale[r] * x[r], or y[r] += it; y may be x.
  void (*scale_rows)(const T* x, std::int64_t rows, std::int64_t width, const T* scale, Write write,
                     T* y);

  /// y = x weight + bias (null: 0), or y += x weight; x [rows, in], weight [in, out].
  void (*linear)(const T* x, std::int64_t rows, std::int64_t in, const T* weight, const T* bias,
                 std::int64_t out, Write write, T* y);
  /// weight += x^T dy: the gradient of linear; x [rows, in], dy [rows, out].
  void (*weight_gradient)(const T* x, const T* dy, std::int64_t rows, std::int64_t in,
                          std::int64_t out, T* weight);
  /// sum += column sums of x [rows, width].
  void (*column_sum)(const T* x, std::int64_t rows, std::int64_t width, T* sum);

  /// x = max(x, 0), over `size` values (a multiple of `lanes`).
  void (*relu)(T* x, std::int64_t size);
  /// dy = 0 where y <= 0.
  void (*relu_backward)(const T* y, T* dy, std::int64_t size);

  /// Merges the rows of x [rows, width] into `moments`, each as often as copies [rows] says; null:
  /// once.
  void (*moments)(const T* x, const T* copies, std::int64_t rows, std::int64_t width,
                  Moments& moments);
  /// y = max(norm(z), 0)
  void (*norm_relu)(const T* z, std::int64_t rows, std::int64_t width, const Norm<T>& norm, T* y);
  /// The gradient of norm_relu(): dy = 0 where norm(z) <= 0; then sum += column sums of dy and
  /// product += of dy * (z - mean). Fills y as norm_relu() does, unless it is null.
  void (*norm_relu_backward)(T* dy, const T* z, std::int64_t rows, std::int64_t width,
                             const Norm<T>& norm, double* sum, double* product, T* y);
  /// dz = scale * dy + copies * (slope * (z - mean) + shift); scale, mean and shift from `norm`,
  /// copies [rows] or null as in moments().
  void (*norm_backward)(const T* dy, const T* z, const T* copies, std::int64_t rows,
                        std::int64_t width, const Norm<T>& norm, const T* slope, T* dz);

  /// y[s] = sum over r in [ptr[s], ptr[s + 1]) of x[rows[r]], or with null `rows` of x[r]; written
  /// `stride` apart.
  void (*segment_sum)(const T* x, const std::int32_t* rows, const std::int32_t* ptr,
                      std::int64_t segments, std::int64_t width, T* y, std::int64_t stride);
  /// The gradient of segment_sum: dx[r] = dy[s], or dx[rows[r]] += dy[s], for the same r.
  void (*segment_spread)(const T* dy, std::int64_t stride, const std::int32_t* rows,
                         const std::int32_t* ptr, std::int64_t segments, std::int64_t width, T* dx);

  /// y[r] = x[r] / max(|x[r]|, kSmallestNorm); keeps the divisors in norm [rows].
  void (*normalize)(const T* x, std::int64_t rows, std::int64_t width, T* y, T* norm);
  /// dy becomes the gradient of the rows before normalize.
  void (*normalize_backward)(const T* y, const T* norm, std::int64_t rows, std::int64_t width,
                             T* dy);

  /// x[i] = exp(x[i]) for `size` values of at most 86; returns their sum. Values below -86 give
  /// exp(-86), which is nothing.
  T (*exp_sum)(T* x, std::int64_t size);
  /// x[i] *= row + column[i]
  void (*scale_by_sum)(T* x, T row, const T* column, std::int64_t size);
};

/// Straightforward loops, one column at a time: the definition of every kernel (float, double).
template <typename T>
const KernelTable<T>& plain_kernels();

/// The widest vector kernels that this machine runs; lanes = 16.
const KernelTable<float>& vector_kernels();

/// Every vector version that this machine runs, narrowest first. "avx2" and "avx512" give equal
/// bits.
std::span<const KernelTable<float>* const> supported_vector_kernels();

}  // namespace sgood::kernels

// SPDX-License-Identifier: MIT
// The kernels over sixteen-float vectors, compiled once per instruction set into namespace
// SGOOD_ISA.

#include "src/kernels/vector_tables.h"
// The instruction set's vector comes after the shared headers.
#include "src/kernels/vec16.inc.h"

namespace sgood::kernels::SGOOD_ISA {
namespace {

using Index = std::int64_t;
using Code = std::int32_t;
using Table = KernelTable<float>;
constexpr Index kLanes = 16;

#define SGOOD_TEXT_(x) #x
#define SGOOD_TEXT(x) SGOOD_TEXT_(x)

void gather(const Code* codes, Index rows, Index columns, const float* weight, Index width,
            float* y) {
  for (Index r = 0; r < rows; ++r, codes += columns, y += width)
    for (Index j = 0; j < width; j += kLanes) {
      Vec total = zero();
      for (Index c = 0; c < columns; ++c) total = total + load(weight + codes[c] * width + j);
      store(y + j, total);
    }
}

void scatter(const Code* codes, Index rows, Index columns, const float* dy, Index width,
             float* weight) {
  for (Index r = 0; r < rows; ++r, codes += columns, dy += width)
    for (Index c = 0; c < columns; ++c)
      for (Index j = 0; j < width; j += kLanes) {
        float* row = weight + codes[c] * width + j;
        store(row, load(row) + load(dy + j));
      }
}

/// kWidth is `width`, or 0 when it is not known to the compiler.
template <Index kWidth>
void aggregate_rows(const Lists& lists, Index first, Index last, const float* x, Index width,
                    float* y) {
  if constexpr (kWidth > 0) width = kWidth;
  for (Index v = first; v < last; ++v) {
    const Code* begin = lists.col + lists.row_ptr[v];
    const Code* end = lists.col + lists.row_ptr[v + 1];
    for (Index j = 0; j < width; j += kLanes) {
      const auto row = [&](Code u) { return load(x + u * width + j); };
      Vec total = lists.start != nullptr ? row(lists.start[v]) : zero();
      for (const Code* u = begin; u < end; u += 4)
        total = total + ((row(u[0]) + row(u[1])) + (row(u[2]) + row(u[3])));
      store(y + (v - first) * width + j, total);
    }
  }
}

void aggregate(const Lists& lists, Index first, Index last, const float* x, Index width, float* y) {
  const auto rows = width == kLanes ? aggregate_rows<kLanes> : aggregate_rows<0>;
  rows(lists, first, last, x, width, y);
}

void aggregate_adjoint(const Lists& lists, const float* y, Index width, float* x) {
  for (Index v = 0; v < lists.rows; ++v)
    for (Index j = 0; j < width; j += kLanes) {
      const Vec value = load(y + v * width + j);
      const auto add_to_row = [&](Code u) {
        float* row = x + u * width + j;
        store(row, load(row) + value);
      };
      if (lists.start != nullptr) add_to_row(lists.start[v]);
      for (Index e = lists.row_ptr[v]; e < lists.row_ptr[v + 1]; ++e) add_to_row(lists.col[e]);
    }
}

void scale_rows(const float* x, Index rows, Index width, const float* scale, Write write,
                float* y) {
  for (Index r = 0; r < rows; ++r)
    for (Index j = 0; j < width; j += kLanes, x += kLanes, y += kLanes)
      store(y, fma(load(x), broadcast(scale[r]), write == Write::kAdd ? load(y) : zero()));
}

/// Columns [0, 16) of kRows rows of y: each element one chain of fused products in the order of k.
/// kIn is `in`, or 0 when it is not known to the compiler.
template <int kRows, int kIn>
inline void linear_tile(const float* x, Index in, const float* weight, const float* bias, Index out,
                        Write write, float* y) {
  if constexpr (kIn > 0) in = kIn;
  Vec total[kRows];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r)
    total[r] = write == Write::kAdd ? load(y + r * out) : bias != nullptr ? load(bias) : zero();
#pragma GCC unroll 16
  for (Index k = 0; k < in; ++k) {
    const Vec w = load(weight + k * out);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) total[r] = fma(broadcast(x[r * in + k]), w, total[r]);
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) store(y + r * out, total[r]);
}

template <int kIn>
void linear_columns(const float* x, Index rows, Index in, const float* weight, const float* bias,
                    Index out, Write write, float* y) {
  Index r = 0;
  for (; r + kTileRows <= rows; r += kTileRows)
    linear_tile<kTileRows, kIn>(x + r * in, in, weight, bias, out, write, y + r * out);
  for (; r + 4 <= rows; r += 4)
    linear_tile<4, kIn>(x + r * in, in, weight, bias, out, write, y + r * out);
  for (; r < rows; ++r) linear_tile<1, kIn>(x + r * in, in, weight, bias, out, write, y + r * out);
}

void linear(const float* x, Index rows, Index in, const float* weight, const float* bias, Index out,
            Write write, float* y) {
  // The usual widths and the contrast of 128 graphs; a stride that is not known to the compiler
  // takes a register for the address of each row.
  const auto columns = in == 16    ? linear_columns<16>
                       : in == 32  ? linear_columns<32>
                       : in == 48  ? linear_columns<48>
                       : in == 256 ? linear_columns<256>
                                   : linear_columns<0>;
  for (Index j = 0; j < out; j += kLanes)
    columns(x, rows, in, weight + j, bias != nullptr ? bias + j : nullptr, out, write, y + j);
}

/// Columns [0, 16) of kWeights rows of the gradient.
template <int kWeights>
inline void gradient_tile(const float* x, const float* dy, Index rows, Index in, Index out,
                          float* weight) {
  Vec total[kWeights];
#pragma GCC unroll 16
  for (int k = 0; k < kWeights; ++k) total[k] = zero();
  for (Index r = 0; r < rows; ++r, x += in, dy += out) {
    const Vec d = load(dy);
#pragma GCC unroll 16
    for (int k = 0; k < kWeights; ++k) total[k] = fma(broadcast(x[k]), d, total[k]);
  }
#pragma GCC unroll 16
  for (int k = 0; k < kWeights; ++k) store(weight + k * out, load(weight + k * out) + total[k]);
}

void weight_gradient(const float* x, const float* dy, Index rows, Index in, Index out,
                     float* weight) {
  for (Index j = 0; j < out; j += kLanes) {
    Index k = 0;
    for (; k + kTileWeights <= in; k += kTileWeights)
      gradient_tile<kTileWeights>(x + k, dy + j, rows, in, out, weight + k * out + j);
    for (; k < in; ++k) gradient_tile<1>(x + k, dy + j, rows, in, out, weight + k * out + j);
  }
}

/// Calls work(r, chain) for every row with chains 0 and 1 in turn: two sums that do not wait for
/// each other.
template <typename Work>
inline void in_two_chains(Index rows, Work work) {
  Index r = 0;
  for (; r + 2 <= rows; r += 2) {
    work(r, 0);
    work(r + 1, 1);
  }
  if (r < rows) work(r, 0);
}

struct TwoSums {
  Vec chain[2] = {zero(), zero()};
  Vec total() const { return chain[0] + chain[1]; }
};

void column_sum(const float* x, Index rows, Index width, float* sums) {
  for (Index j = 0; j < width; j += kLanes) {
    TwoSums sum;
    in_two_chains(rows,
                  [&](Index r, int i) { sum.chain[i] = sum.chain[i] + load(x + r * width + j); });
    store(sums + j, load(sums + j) + sum.total());
  }
}

void relu(float* x, Index size) {
  for (Index i = 0; i < size; i += kLanes) store(x + i, max(load(x + i), zero()));
}

void relu_backward(const float* y, float* dy, Index size) {
  for (Index i = 0; i < size; i += kLanes) store(dy + i, where_positive(load(y + i), load(dy + i)));
}

/// Merges sixteen columns: `rest` and `squares` are sums of deviations from `center` and of their
/// squares over `rows` rows; any center will do, a near one loses least. Reference: Chan, Golub and
/// LeVeque, 1983.
inline void merge_moments(Vec center, Vec rest, Vec squares, double rows, double before,
                          double* __restrict mean, double* __restrict deviations) {
  float centers[kLanes], rests[kLanes], sums[kLanes];
  store(centers, center);
  store(rests, rest);
  store(sums, squares);
  const double inverse = 1 / rows, share = rows / (before + rows);
  for (Index i = 0; i < kLanes; ++i) {
    const double apart = static_cast<double>(rests[i]);
    const double offset = apart * inverse;
    const double delta = static_cast<double>(centers[i]) + offset - mean[i];
    mean[i] += delta * share;
    deviations[i] +=
        static_cast<double>(sums[i]) - offset * apart + delta * delta * (before * share);
  }
}

/// kCopied: whether `copies` is there.
template <bool kCopied>
void moments_of(const float* x, const float* copies, Index rows, Index width, Moments& seen) {
  double count = static_cast<double>(rows);
  if constexpr (kCopied) {
    count = 0;
    for (Index r = 0; r < rows; ++r) count += static_cast<double>(copies[r]);
  }
  for (Index j = 0; j < width; j += kLanes) {
    TwoSums sum, rest, squares;
    Vec center;
    if (seen.count > 0) {
      float means[kLanes];
      for (Index i = 0; i < kLanes; ++i) means[i] = static_cast<float>(seen.mean[j + i]);
      center = load(means);
    } else {
      in_two_chains(rows, [&](Index r, int i) {
        const Vec value = load(x + r * width + j);
        sum.chain[i] =
            kCopied ? fma(value, broadcast(copies[r]), sum.chain[i]) : sum.chain[i] + value;
      });
      center = sum.total() * broadcast(static_cast<float>(1 / count));
    }
    in_two_chains(rows, [&](Index r, int i) {
      const Vec deviation = load(x + r * width + j) - center;
      const Vec weighted = kCopied ? deviation * broadcast(copies[r]) : deviation;
      rest.chain[i] = rest.chain[i] + weighted;
      squares.chain[i] = fma(weighted, deviation, squares.chain[i]);
    });
    merge_moments(center, rest.total(), squares.total(), count, static_cast<double>(seen.count),
                  seen.mean + j, seen.deviations + j);
  }
  seen.count += static_cast<Index>(count);
}

void moments(const float* x, const float* copies, Index rows, Index width, Moments& seen) {
  if (rows == 0) return;
  (copies != nullptr ? moments_of<true> : moments_of<false>)(x, copies, rows, width, seen);
}

struct NormVec {
  Vec mean, scale, shift;
  NormVec(const Norm<float>& norm, Index j)
      : mean(load(norm.mean + j)), scale(load(norm.scale + j)), shift(load(norm.shift + j)) {}
  Vec operator()(Vec centered) const { return fma(centered, scale, shift); }
};

void norm_relu(const float* z, Index rows, Index width, const Norm<float>& norm, float* y) {
  for (Index j = 0; j < width; j += kLanes) {
    const NormVec normed(norm, j);
    for (Index r = 0; r < rows; ++r)
      store(y + r * width + j, max(normed(load(z + r * width + j) - normed.mean), zero()));
  }
}

void add_to(double* sums, Vec a) {
  float values[kLanes];
  store(values, a);
  for (Index i = 0; i < kLanes; ++i) sums[i] += static_cast<double>(values[i]);
}

void norm_relu_backward(float* dy, const float* z, Index rows, Index width, const Norm<float>& norm,
                        double* sums, double* products, float* y) {
  for (Index j = 0; j < width; j += kLanes) {
    const NormVec normed(norm, j);
    TwoSums sum, product;
    in_two_chains(rows, [&](Index r, int i) {
      float* d = dy + r * width + j;
      const Vec centered = load(z + r * width + j) - normed.mean;
      const Vec value = normed(centered);
      const Vec masked = where_positive(value, load(d));
      if (y != nullptr) store(y + r * width + j, max(value, zero()));
      store(d, masked);
      sum.chain[i] = sum.chain[i] + masked;
      product.chain[i] = fma(masked, centered, product.chain[i]);
    });
    add_to(sums + j, sum.total());
    add_to(products + j, product.total());
  }
}

void norm_backward(const float* dy, const float* z, const float* copies, Index rows, Index width,
                   const Norm<float>& norm, const float* slope, float* dz) {
  for (Index j = 0; j < width; j += kLanes) {
    const NormVec normed(norm, j);
    const Vec steep = load(slope + j);
    for (Index r = 0; r < rows; ++r) {
      const Index i = r * width + j;
      const Vec centered = load(z + i) - normed.mean, d = load(dy + i);
      store(dz + i,
            copies == nullptr
                ? fma(centered, steep, normed(d))
                : fma(d, normed.scale, fma(centered, steep, normed.shift) * broadcast(copies[r])));
    }
  }
}

void segment_sum(const float* x, const Code* rows, const Code* ptr, Index segments, Index width,
                 float* y, Index stride) {
  for (Index s = 0; s < segments; ++s)
    for (Index j = 0; j < width; j += kLanes) {
      Vec total = zero();
      if (rows == nullptr)
        for (Index r = ptr[s]; r < ptr[s + 1]; ++r) total = total + load(x + r * width + j);
      else
        for (Index r = ptr[s]; r < ptr[s + 1]; ++r) total = total + load(x + rows[r] * width + j);
      store(y + s * stride + j, total);
    }
}

void segment_spread(const float* dy, Index stride, const Code* rows, const Code* ptr,
                    Index segments, Index width, float* dx) {
  for (Index s = 0; s < segments; ++s)
    for (Index j = 0; j < width; j += kLanes) {
      const Vec d = load(dy + s * stride + j);
      for (Index r = ptr[s]; r < ptr[s + 1]; ++r) {
        float* to = dx + (rows != nullptr ? rows[r] : r) * width + j;
        store(to, rows != nullptr ? load(to) + d : d);
      }
    }
}

float dot(const float* a, const float* b, Index size) {
  Vec total = zero();
  for (Index i = 0; i < size; i += kLanes) total = fma(load(a + i), load(b + i), total);
  return sum(total);
}

void normalize(const float* x, Index rows, Index width, float* y, float* norm) {
  for (Index r = 0; r < rows; ++r, x += width, y += width) {
    const float length = __builtin_sqrtf(dot(x, x, width));
    norm[r] = length > kSmallestNorm ? length : kSmallestNorm;
    const Vec scale = broadcast(1.0F / norm[r]);
    for (Index j = 0; j < width; j += kLanes) store(y + j, load(x + j) * scale);
  }
}

void normalize_backward(const float* y, const float* norm, Index rows, Index width, float* dy) {
  for (Index r = 0; r < rows; ++r, y += width, dy += width) {
    const Vec along = broadcast(-dot(y, dy, width));
    const Vec scale = broadcast(norm[r] > kSmallestNorm ? 1.0F / norm[r] : 0.0F);
    for (Index j = 0; j < width; j += kLanes)
      store(dy + j, fma(along, load(y + j), load(dy + j)) * scale);
  }
}

float exp_sum(float* x, Index size) {
  Vec total = zero();
  for (Index i = 0; i < size; i += kLanes) {
    const Vec value = exp(load(x + i));
    store(x + i, value);
    total = total + value;
  }
  return sum(total);
}

void scale_by_sum(float* x, float row, const float* column, Index size) {
  for (Index i = 0; i < size; i += kLanes)
    store(x + i, load(x + i) * (broadcast(row) + load(column + i)));
}

constexpr Table kTable = {SGOOD_TEXT(SGOOD_ISA),
                          kLanes,
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

}  // namespace

const Table& table() { return kTable; }

}  // namespace sgood::kernels::SGOOD_ISA

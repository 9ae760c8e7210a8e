// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

#include "sgood/core/rng.h"
#include "sgood/kernels/kernel_table.h"

namespace sgood::kernels {
namespace {

using Floats = std::vector<float>;

/// Random inputs for every kernel, and one run of each by a given table.
template <typename T>
class Runs {
 public:
  Runs(const KernelTable<T>& table, std::int64_t rows, std::int64_t in, std::int64_t width)
      : k_(table), n_(rows), in_(in), d_(width) {}

  /// What every kernel computed, one list of values each, in the order of the table.
  std::vector<std::vector<T>> all() {
    linear_family();
    graph_family();
    norm_family();
    loss_family();
    return std::move(results_);
  }

 private:
  std::vector<T> random(std::int64_t count) {
    std::vector<T> values;
    for (std::int64_t i = 0; i < count; ++i)
      values.push_back(static_cast<T>(static_cast<float>(rng_.normal())));
    return values;
  }
  void keep(std::vector<T> values) { results_.push_back(std::move(values)); }

  void linear_family() {
    const auto x = random(n_ * in_), w = random(in_ * d_), bias = random(d_), dy = random(n_ * d_);
    for (const T* b : {bias.data(), static_cast<const T*>(nullptr)}) {
      std::vector<T> y(static_cast<std::size_t>(n_ * d_), T(7));
      k_.linear(x.data(), n_, in_, w.data(), b, d_, Write::kSet, y.data());
      keep(y);
    }
    auto added = dy, dw = w, sums = bias, y = dy, masked = random(n_ * d_);
    k_.linear(x.data(), n_, in_, w.data(), bias.data(), d_, Write::kAdd, added.data());
    k_.weight_gradient(x.data(), dy.data(), n_, in_, d_, dw.data());
    k_.column_sum(dy.data(), n_, d_, sums.data());
    k_.relu(y.data(), n_ * d_);
    k_.relu_backward(y.data(), masked.data(), n_ * d_);
    for (auto* values : {&added, &dw, &sums, &y, &masked}) keep(*values);
  }

  void graph_family() {
    std::vector<std::int32_t> codes, row_ptr = {0}, col, start, ptr = {0};
    for (std::int64_t i = 0; i < 2 * n_; ++i)
      codes.push_back(static_cast<std::int32_t>(rng_.below(5)));
    constexpr std::int64_t kBefore = 3;  // rows before row 0
    const auto any_row = [&] {
      return static_cast<std::int32_t>(rng_.below(static_cast<std::uint64_t>(n_ + kBefore))) -
             static_cast<std::int32_t>(kBefore);
    };
    for (std::int64_t v = 0; v < n_; ++v) {
      const auto groups = rng_.below(3);
      for (std::uint64_t e = 0; e < 4 * groups; ++e) col.push_back(any_row());
      start.push_back(any_row());
      row_ptr.push_back(static_cast<std::int32_t>(col.size()));
      if (v % 3 == 0) ptr.push_back(static_cast<std::int32_t>(v));  // the first segment is empty
    }
    const auto table = random(5 * d_), scale = random(n_);
    auto weights = table, x = random((n_ + kBefore) * d_);
    std::vector<T> y(static_cast<std::size_t>(n_ * d_));
    k_.gather(codes.data(), n_, 2, table.data(), d_, y.data());
    keep(y);
    k_.scatter(codes.data(), n_, 2, x.data(), d_, weights.data());
    keep(weights);
    const T* row0 = x.data() + kBefore * d_;
    k_.aggregate({n_, row_ptr.data(), col.data(), start.data()}, 0, n_, row0, d_, y.data());
    keep(y);
    k_.aggregate({n_, row_ptr.data(), col.data()}, n_ / 2, n_, row0, d_, y.data());
    keep(y);
    auto adjoint = x;
    k_.aggregate_adjoint({n_, row_ptr.data(), col.data(), start.data()}, y.data(), d_,
                         adjoint.data() + kBefore * d_);
    k_.aggregate_adjoint({n_ / 2, row_ptr.data(), col.data()}, y.data(), d_,
                         adjoint.data() + kBefore * d_);
    keep(adjoint);
    for (const Write write : {Write::kSet, Write::kAdd}) {
      k_.scale_rows(x.data(), n_, d_, scale.data(), write, y.data());
      keep(y);
    }
    const auto segments = static_cast<std::int64_t>(ptr.size()) - 1;
    std::vector<T> sums(static_cast<std::size_t>(segments * (d_ + 16)), T(3));
    k_.segment_sum(x.data(), nullptr, ptr.data(), segments, d_, sums.data(), d_ + 16);
    keep(sums);
    k_.segment_spread(sums.data(), d_ + 16, nullptr, ptr.data(), segments, d_, y.data());
    keep(y);
    k_.segment_sum(table.data(), codes.data(), ptr.data(), segments, d_, sums.data(), d_ + 16);
    keep(sums);
    k_.segment_spread(sums.data(), d_ + 16, codes.data(), ptr.data(), segments, d_, weights.data());
    keep(weights);
  }

  void norm_family() {
    const auto z = random(n_ * d_), mean = random(d_), scale = random(d_), shift = random(d_);
    const auto slope = random(d_);
    const Norm<T> norm{mean.data(), scale.data(), shift.data()};
    auto y = random(n_ * d_), dy = random(n_ * d_), dz = y;
    k_.norm_relu(z.data(), n_, d_, norm, y.data());
    keep(y);
    std::vector<double> sum(static_cast<std::size_t>(d_), 1.0), product = sum;
    std::fill(y.begin(), y.end(), T(3));
    k_.norm_relu_backward(dy.data(), z.data(), n_, d_, norm, sum.data(), product.data(), y.data());
    keep(y);
    keep(dy);
    keep({sum.begin(), sum.end()});
    keep({product.begin(), product.end()});
    k_.norm_backward(dy.data(), z.data(), nullptr, n_, d_, norm, slope.data(), dz.data());
    keep(dz);
    std::vector<T> copies;
    for (std::int64_t r = 0; r < n_; ++r) copies.push_back(static_cast<T>(1 + r % 4));
    k_.norm_backward(dy.data(), z.data(), copies.data(), n_, d_, norm, slope.data(), dz.data());
    keep(dz);
    for (const T* often : {static_cast<const T*>(nullptr), static_cast<const T*>(copies.data())}) {
      std::vector<double> means(static_cast<std::size_t>(d_)), deviations = means;
      Moments moments{0, means.data(), deviations.data()};
      for (std::int64_t first = 0; first < n_; first += 10)
        k_.moments(z.data() + first * d_, often != nullptr ? often + first : nullptr,
                   std::min<std::int64_t>(10, n_ - first), d_, moments);
      EXPECT_EQ(moments.count,
                often != nullptr ? std::accumulate(copies.begin(), copies.end(), 0) : n_);
      keep({means.begin(), means.end()});
      keep({deviations.begin(), deviations.end()});
    }
  }

  void loss_family() {
    auto x = random(n_ * d_), dy = random(n_ * d_), y = x, norm = random(n_);
    std::fill_n(x.begin(), d_, T(0));  // a vector without direction
    k_.normalize(x.data(), n_, d_, y.data(), norm.data());
    keep(y);
    keep(norm);
    k_.normalize_backward(y.data(), norm.data(), n_, d_, dy.data());
    keep(dy);
    auto row = random(d_);
    const auto columns = random(d_);
    row[0] = T(-1e30);
    keep({k_.exp_sum(row.data(), d_)});
    keep(row);
    k_.scale_by_sum(row.data(), T(0.5), columns.data(), d_);
    keep(row);
  }

  const KernelTable<T>& k_;
  std::int64_t n_, in_, d_;
  Rng rng_{99};
  std::vector<std::vector<T>> results_;
};

TEST(VectorKernels, AgreeWithPlainLoopsInDouble) {
  for (const auto* table : supported_vector_kernels())
    for (const std::int64_t rows : {1, 5, 64, 77})
      for (const std::int64_t in : {3, 16, 48})
        for (const std::int64_t width : {16, 48}) {
          SCOPED_TRACE(::testing::Message()
                       << table->name << " rows=" << rows << " in=" << in << " width=" << width);
          const auto fast = Runs<float>(*table, rows, in, width).all();
          const auto exact = Runs<double>(plain_kernels<double>(), rows, in, width).all();
          ASSERT_EQ(fast.size(), exact.size());
          for (std::size_t i = 0; i < fast.size(); ++i)
            for (std::size_t j = 0; j < fast[i].size(); ++j)
              ASSERT_NEAR(static_cast<double>(fast[i][j]), exact[i][j],
                          2e-5 * (1 + std::abs(exact[i][j])))
                  << "result " << i << " at " << j;
        }
}

TEST(VectorKernels, WithFusedProductsGiveEqualBits) {
  std::vector<std::vector<Floats>> results;
  for (const auto* table : supported_vector_kernels())
    if (std::string_view(table->name) != "baseline")
      results.push_back(Runs<float>(*table, 77, 48, 48).all());
  for (const auto& result : results) EXPECT_EQ(result, results.front());
}

TEST(VectorKernels, ComputeARowAlikeInAnyCall) {
  constexpr std::int64_t kRows = 37, kWidth = 32;
  Rng rng(5);
  for (const auto* table : supported_vector_kernels())
    for (const std::int64_t in : {16, 23}) {
      Floats x(static_cast<std::size_t>(kRows * in)), w(static_cast<std::size_t>(in * kWidth));
      for (auto* values : {&x, &w})
        for (float& value : *values) value = static_cast<float>(rng.normal());
      Floats whole(kRows * kWidth), single(kRows * kWidth);
      table->linear(x.data(), kRows, in, w.data(), nullptr, kWidth, Write::kSet, whole.data());
      for (std::int64_t r = 0; r < kRows; ++r)
        table->linear(x.data() + r * in, 1, in, w.data(), nullptr, kWidth, Write::kSet,
                      single.data() + r * kWidth);
      EXPECT_EQ(whole, single) << table->name;
    }
}

TEST(VectorKernels, ExponentialIsWithinTwoUnitsInTheLastPlace) {
  for (const auto* table : supported_vector_kernels()) {
    double worst = 0;
    for (double first = -86; first < 88; first += 0.0131) {
      Floats x(16);
      for (std::size_t i = 0; i < 16; ++i) x[i] = static_cast<float>(first + 0.0008 * double(i));
      Floats y = x;
      table->exp_sum(y.data(), 16);
      for (std::size_t i = 0; i < 16; ++i) {
        const double exact = std::exp(static_cast<double>(x[i]));
        const float above = std::nextafter(static_cast<float>(exact), 1e38F);
        const double unit =
            static_cast<double>(above) - static_cast<double>(static_cast<float>(exact));
        worst = std::max(worst, std::abs(y[i] - exact) / unit);
      }
    }
    EXPECT_LE(worst, 2.0) << table->name;
    RecordProperty(std::string("worst_") + table->name, std::to_string(worst));
  }
}

TEST(VectorKernels, MomentsKeepTheVarianceOfLargeValues) {
  for (const auto* table : supported_vector_kernels()) {
    Floats x;
    for (int r = 0; r < 1000; ++r)
      for (int j = 0; j < 16; ++j) x.push_back(1000.0F + static_cast<float>(r % 2));
    std::vector<double> mean(16), deviations(16);
    Moments moments{0, mean.data(), deviations.data()};
    for (std::int64_t first = 0; first < 1000; first += 64)
      table->moments(x.data() + 16 * first, nullptr, std::min<std::int64_t>(64, 1000 - first), 16,
                     moments);
    EXPECT_NEAR(mean[3], 1000.5, 1e-9) << table->name;
    EXPECT_NEAR(deviations[3], 250.0, 1e-6) << table->name;
  }
}

TEST(PlainKernels, ARowWithCopiesCountsAsOftenAsTheyWould) {
  const std::vector<double> rows = {1, -2, 5, 0.5}, copies = {3, 1},
                            copied = {1, -2, 1, -2, 1, -2, 5, 0.5};
  std::vector<double> mean(2), deviations(2), wanted_mean(2), wanted_deviations(2);
  Moments moments{0, mean.data(), deviations.data()};
  Moments wanted{0, wanted_mean.data(), wanted_deviations.data()};
  plain_kernels<double>().moments(rows.data(), copies.data(), 2, 2, moments);
  plain_kernels<double>().moments(copied.data(), nullptr, 4, 2, wanted);
  EXPECT_EQ(moments.count, wanted.count);
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(mean[j], wanted_mean[j], 1e-14);
    EXPECT_NEAR(deviations[j], wanted_deviations[j], 1e-13);
  }
}

}  // namespace
}  // namespace sgood::kernels

// SPDX-License-Identifier: MIT
// The kernels in which a step spends its time, on 4096 rows of width 16 (a batch of ENZYMES), for
// the plain reference and every instruction set of this machine.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sgood/core/rng.h"
#include "sgood/kernels/kernel_table.h"

namespace {

using namespace sgood;
using namespace sgood::kernels;
using Table = KernelTable<float>;

constexpr std::int64_t kRows = 4096, kWidth = 16;

std::size_t size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// Inputs that every kernel below can read.
struct Inputs {
  std::vector<float> x, y, out, weight, bias;
  std::vector<std::int32_t> codes, row_ptr, col, start;
  std::vector<double> sum, product;

  Inputs()
      : x(size((kRows + 1) * kWidth)),
        y(x.size()),
        out(x.size()),
        weight(size(kWidth * kWidth)),
        bias(size(kWidth)),
        codes(size(kRows)),
        row_ptr(size(kRows + 1)),
        sum(size(kWidth)),
        product(size(kWidth)) {
    Rng rng(1);
    for (auto* values : {&x, &y, &weight, &bias})
      for (float& value : *values) value = static_cast<float>(rng.normal());
    std::fill_n(x.begin(), kWidth, 0.0F);  // before row 0 of what is aggregated
    for (std::int32_t& code : codes) code = static_cast<std::int32_t>(rng.below(kWidth));
    for (std::int64_t row = 0; row < kRows; ++row) {
      const std::int64_t block = row / 32 * 32;  // neighbours are in the same graph
      const auto degree = static_cast<std::int64_t>(2 + rng.below(5));
      for (std::int64_t e = 0; e < (degree + 3) / 4 * 4; ++e)
        col.push_back(static_cast<std::int32_t>(
            e < degree ? block + static_cast<std::int64_t>(rng.below(32)) : -1));
      start.push_back(static_cast<std::int32_t>(row));
      row_ptr[size(row + 1)] = static_cast<std::int32_t>(col.size());
    }
  }
  Lists lists() const { return {kRows, row_ptr.data(), col.data(), start.data()}; }
  Norm<float> norm() const { return {bias.data(), weight.data(), bias.data()}; }
};

void gather(const Table& t, Inputs& in) {
  t.gather(in.codes.data(), kRows, 1, in.weight.data(), kWidth, in.y.data());
}
void aggregate(const Table& t, Inputs& in) {
  t.aggregate(in.lists(), 0, kRows, in.x.data() + kWidth, kWidth, in.y.data());
}
void aggregate_adjoint(const Table& t, Inputs& in) {
  in.out = in.x;  // else it would grow
  t.aggregate_adjoint(in.lists(), in.y.data(), kWidth, in.out.data() + kWidth);
}
void linear(const Table& t, Inputs& in) {
  t.linear(in.x.data(), kRows, kWidth, in.weight.data(), nullptr, kWidth, Write::kSet, in.y.data());
}
void weight_gradient(const Table& t, Inputs& in) {
  t.weight_gradient(in.x.data(), in.y.data(), kRows, kWidth, kWidth, in.weight.data());
}
void moments(const Table& t, Inputs& in) {
  Moments moments{0, in.sum.data(), in.product.data()};
  t.moments(in.x.data(), nullptr, kRows, kWidth, moments);
}
void norm_relu(const Table& t, Inputs& in) {
  t.norm_relu(in.x.data(), kRows, kWidth, in.norm(), in.y.data());
}
void norm_relu_backward(const Table& t, Inputs& in) {
  t.norm_relu_backward(in.y.data(), in.x.data(), kRows, kWidth, in.norm(), in.sum.data(),
                       in.product.data(), in.out.data());
}
void norm_backward(const Table& t, Inputs& in) {
  t.norm_backward(in.y.data(), in.x.data(), nullptr, kRows, kWidth, in.norm(), in.bias.data(),
                  in.out.data());
}
void exp_sum(const Table& t, Inputs& in) {
  in.y = in.x;  // it is overwritten
  for (std::int64_t row = 0; row < kRows; row += 16)
    benchmark::DoNotOptimize(t.exp_sum(in.y.data() + row * kWidth, 16 * kWidth));
}

void run(benchmark::State& state, const Table* table, void (*kernel)(const Table&, Inputs&)) {
  Inputs inputs;
  for (auto _ : state) {
    kernel(*table, inputs);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kRows);
}

const int kRegistered = [] {
  std::vector<const Table*> tables = {&plain_kernels<float>()};
  for (const Table* table : supported_vector_kernels()) tables.push_back(table);
  const std::pair<const char*, void (*)(const Table&, Inputs&)> kernels[] = {
      {"gather", gather},
      {"aggregate", aggregate},
      {"aggregate_adjoint", aggregate_adjoint},
      {"linear", linear},
      {"weight_gradient", weight_gradient},
      {"moments", moments},
      {"norm_relu", norm_relu},
      {"norm_relu_backward", norm_relu_backward},
      {"norm_backward", norm_backward},
      {"exp_sum", exp_sum}};
  for (const auto& [name, kernel] : kernels)
    for (const Table* table : tables)
      benchmark::RegisterBenchmark((std::string(name) + "/" + table->name).c_str(), run, table,
                                   kernel)
          ->Unit(benchmark::kMicrosecond);
  return 0;
}();

}  // namespace

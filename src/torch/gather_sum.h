// SPDX-License-Identifier: MIT
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace sgood {

/// For i = 0, 1, ... adds row from[i] of `x` to row to[i] of the result, [num_rows, x.size(1)]; an
/// undefined `from` or `to` stands for i itself. Added in the order of i; differentiable as often
/// as wanted. Does in one pass, without the rows between, what index_select and index_add do.
at::Tensor gather_sum(const at::Tensor& x, const at::Tensor& from, const at::Tensor& to,
                      std::int64_t num_rows);

/// The rows index[0], index[1], ... of `x`.
inline at::Tensor gather_rows(const at::Tensor& x, const at::Tensor& index) {
  return gather_sum(x, index, {}, index.size(0));
}

/// For each column the row of the largest of the values in rows i of `x` with index[i] == r, the
/// first of equals, -1 without any; [num_rows, x.size(1)]. On the CPU.
at::Tensor largest_rows(const at::Tensor& x, const at::Tensor& index, std::int64_t num_rows);

}  // namespace sgood

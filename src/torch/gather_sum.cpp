// SPDX-License-Identifier: MIT
#include "src/torch/gather_sum.h"

#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "sgood/core/error.h"
#include "src/torch/vector_clones.h"

namespace sgood {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

const std::int64_t* entries(const at::Tensor& index) {
  return index.defined() ? index.data_ptr<std::int64_t>() : nullptr;
}

/// Rows from[0], from[1], ... of `in` (null: all, in order), `stride` apart, one after the other.
template <typename Real>
void copy_rows(const Real* in, std::int64_t stride, const std::int64_t* from, std::int64_t count,
               std::int64_t width, Real* out) {
  for (std::int64_t i = 0; i < count; ++i)
    std::copy_n(in + (from != nullptr ? from[i] : i) * stride, width, out + i * width);
}

/// Added to rows to[0], to[1], ... of `out`.
template <typename Real>
SGOOD_VECTOR_CLONES void add_rows(const Real* in, std::int64_t stride, const std::int64_t* from,
                                  const std::int64_t* to, std::int64_t count, std::int64_t width,
                                  Real* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    const Real* const source = in + (from != nullptr ? from[i] : i) * stride;
    Real* const target = out + to[i] * width;
    for (std::int64_t c = 0; c < width; ++c) target[c] += source[c];
  }
}

template <typename Real>
at::Tensor gather_sum_of(const at::Tensor& x, const at::Tensor& from, const at::Tensor& to,
                         std::int64_t num_rows) {
  const std::int64_t width = x.size(1), count = from.defined() ? from.size(0) : x.size(0);
  if (!to.defined()) {
    SGOOD_ASSERT(count == num_rows);
    at::Tensor result = at::empty({num_rows, width}, x.options());
    copy_rows(x.data_ptr<Real>(), x.stride(0), entries(from), count, width,
              result.data_ptr<Real>());
    return result;
  }
  at::Tensor result = at::zeros({num_rows, width}, x.options());
  add_rows(x.data_ptr<Real>(), x.stride(0), entries(from), entries(to), count, width,
           result.data_ptr<Real>());
  return result;
}

class GatherSum : public torch::autograd::Function<GatherSum> {
 public:
  // Optional, for the indices of a Function must be defined tensors.
  using Index = c10::optional<at::Tensor>;

  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const Index& from_rows,
                            const Index& to_rows, std::int64_t num_rows) {
    const at::Tensor from = from_rows.value_or(at::Tensor());
    const at::Tensor to = to_rows.value_or(at::Tensor());
    context->save_for_backward({from, to});
    context->saved_data["num_rows"] = x.size(0);
    if (!x.is_cpu()) {
      const at::Tensor rows = from.defined() ? x.index_select(0, from) : x;
      at::Tensor result = at::zeros({num_rows, x.size(1)}, x.options());
      return to.defined() ? result.index_add_(0, to, rows) : result.add_(rows);
    }
    const at::Tensor source = x.stride(1) == 1 ? x : x.contiguous();
    return AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gather_sum", [&] {
      return gather_sum_of<scalar_t>(source, from, to, num_rows);
    });
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    return {gather_sum(gradients[0], saved[1], saved[0], context->saved_data["num_rows"].toInt()),
            {},
            {},
            {}};
  }
};

template <typename Real>
void find_largest(const at::Tensor& x, const at::Tensor& index, at::Tensor& result) {
  const std::int64_t width = x.size(1);
  const std::int64_t* const rows = entries(index);
  const Real* const in = x.data_ptr<Real>();
  std::int64_t* const out = result.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    std::int64_t* const best = out + rows[i] * width;
    for (std::int64_t c = 0; c < width; ++c)
      if (best[c] < 0 || in[i * width + c] > in[best[c] * width + c]) best[c] = i;
  }
}

}  // namespace

at::Tensor gather_sum(const at::Tensor& x, const at::Tensor& from, const at::Tensor& to,
                      std::int64_t num_rows) {
  const auto index = [](const at::Tensor& rows) {
    return rows.defined() ? GatherSum::Index(rows) : GatherSum::Index();
  };
  return GatherSum::apply(x, index(from), index(to), num_rows);
}

at::Tensor largest_rows(const at::Tensor& x, const at::Tensor& index, std::int64_t num_rows) {
  const at::Tensor values = x.detach().contiguous();
  at::Tensor result = at::full({num_rows, x.size(1)}, -1, at::kLong);
  AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "largest_rows",
                             [&] { find_largest<scalar_t>(values, index, result); });
  return result;
}

}  // namespace sgood

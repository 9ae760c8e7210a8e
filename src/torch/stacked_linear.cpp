// SPDX-License-Identifier: MIT
#include "src/torch/stacked_linear.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "sgood/kernels/kernel_table.h"

namespace sgood {
namespace {

using kernels::KernelTable;
using kernels::kRowChunk;
using kernels::vector_kernels;
using kernels::Write;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

/// The L1 cache holds a weight's sixteen columns beside a piece of this many columns.
constexpr std::int64_t kWidest = 256;

/// Calls work(map, first row, rows) for pieces that stay in the L1 cache.
template <typename Work>
void for_pieces(const at::Tensor& x, Work work) {
  for (std::int64_t map = 0; map < x.size(0); ++map)
    for (std::int64_t first = 0; first < x.size(1); first += kRowChunk)
      work(map, map * x.size(1) + first, std::min(kRowChunk, x.size(1) - first));
}

class StackedLinear : public torch::autograd::Function<StackedLinear> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given_x,
                            const at::Tensor& given_weight) {
    const at::Tensor x = given_x.contiguous(), weight = given_weight.contiguous();
    context->save_for_backward({x, weight});
    const std::int64_t in = weight.size(1), out = weight.size(2);
    at::Tensor y = at::empty({x.size(0), x.size(1), out}, x.options());
    const KernelTable<float>& kernels = vector_kernels();
    for_pieces(x, [&](std::int64_t map, std::int64_t row, std::int64_t rows) {
      kernels.linear(x.data_ptr<float>() + row * in, rows, in,
                     weight.data_ptr<float>() + map * in * out, nullptr, out, Write::kSet,
                     y.data_ptr<float>() + row * out);
    });
    return y;
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &weight = saved[1];
    const at::Tensor dy = gradients[0].contiguous(), turned = weight.transpose(1, 2).contiguous();
    at::Tensor dx = at::empty_like(x), dweight = at::zeros_like(weight);
    const std::int64_t in = weight.size(1), out = weight.size(2);
    const KernelTable<float>& kernels = vector_kernels();
    for_pieces(x, [&](std::int64_t map, std::int64_t row, std::int64_t rows) {
      const float* const up = dy.data_ptr<float>() + row * out;
      kernels.weight_gradient(x.data_ptr<float>() + row * in, up, rows, in, out,
                              dweight.data_ptr<float>() + map * in * out);
      kernels.linear(up, rows, out, turned.data_ptr<float>() + map * in * out, nullptr, in,
                     Write::kSet, dx.data_ptr<float>() + row * in);
    });
    return {dx, dweight};
  }
};

bool suits_kernels(const at::Tensor& x, const at::Tensor& weight) {
  const std::int64_t lanes = vector_kernels().lanes;
  return x.is_cpu() && x.scalar_type() == at::kFloat && weight.size(1) % lanes == 0 &&
         weight.size(2) % lanes == 0 && std::max(weight.size(1), weight.size(2)) <= kWidest;
}

}  // namespace

at::Tensor stacked_linear(const at::Tensor& x, const at::Tensor& weight) {
  return suits_kernels(x, weight) ? StackedLinear::apply(x, weight) : at::bmm(x, weight);
}

at::Tensor narrow_linear(torch::nn::Linear& layer, const at::Tensor& x) {
  const at::Tensor y = stacked_linear(x.unsqueeze(0), layer->weight.t().unsqueeze(0)).squeeze(0);
  return layer->bias.defined() ? y + layer->bias : y;
}

}  // namespace sgood

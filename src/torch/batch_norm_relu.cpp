// SPDX-License-Identifier: MIT
#include "src/torch/batch_norm_relu.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "sgood/kernels/kernel_table.h"
#include "src/torch/layers.h"

namespace sgood {
namespace {

using kernels::KernelTable;
using kernels::kRowChunk;
using kernels::vector_kernels;
using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

template <typename Work>
void for_chunks(const at::Tensor& x, Work work) {
  for (std::int64_t first = 0; first < x.size(0); first += kRowChunk)
    work(first * x.size(1), std::min(kRowChunk, x.size(0) - first));
}

at::Tensor to_float(const at::Tensor& x) { return x.to(at::kFloat).contiguous(); }

kernels::Norm<float> norm_of(const at::Tensor& mean, const at::Tensor& scale,
                             const at::Tensor& shift) {
  return {mean.data_ptr<float>(), scale.data_ptr<float>(), shift.data_ptr<float>()};
}

/// Returns the result, and mean and biased variance of each column in double.
class BatchNormRelu : public torch::autograd::Function<BatchNormRelu> {
 public:
  static tensor_list forward(AutogradContext* context, const at::Tensor& given,
                             const at::Tensor& weight, const at::Tensor& bias, double epsilon) {
    const at::Tensor x = given.contiguous();
    const std::int64_t width = x.size(1);
    const KernelTable<float>& kernels = vector_kernels();
    const at::TensorOptions doubles = x.options().dtype(at::kDouble);
    at::Tensor mean = at::zeros(width, doubles), variance = at::zeros(width, doubles);
    kernels::Moments moments{0, mean.data_ptr<double>(), variance.data_ptr<double>()};
    for_chunks(x, [&](std::int64_t at, std::int64_t rows) {
      kernels.moments(x.data_ptr<float>() + at, nullptr, rows, width, moments);
    });
    variance /= static_cast<double>(x.size(0));

    const at::Tensor inverse = (variance + epsilon).rsqrt();
    const at::Tensor center = to_float(mean), scale = to_float(weight * inverse);
    const kernels::Norm<float> norm = norm_of(center, scale, bias);
    at::Tensor y = at::empty_like(x);
    for_chunks(x, [&](std::int64_t at, std::int64_t rows) {
      kernels.norm_relu(x.data_ptr<float>() + at, rows, width, norm, y.data_ptr<float>() + at);
    });
    context->save_for_backward({x, bias, center, scale, inverse});
    context->mark_non_differentiable({mean, variance});
    return {y, mean, variance};
  }

  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &x = saved[0], &bias = saved[1], &center = saved[2], &scale = saved[3],
                     &inverse = saved[4];
    const std::int64_t width = x.size(1);
    const auto rows = static_cast<double>(x.size(0));
    const KernelTable<float>& kernels = vector_kernels();
    at::Tensor dx = gradients[0].clone(at::MemoryFormat::Contiguous);  // becomes that of x
    at::Tensor sum = at::zeros(width, inverse.options()), product = at::zeros_like(sum);
    const kernels::Norm<float> norm = norm_of(center, scale, bias);
    for_chunks(x, [&](std::int64_t at, std::int64_t count) {
      kernels.norm_relu_backward(dx.data_ptr<float>() + at, x.data_ptr<float>() + at, count, width,
                                 norm, sum.data_ptr<double>(), product.data_ptr<double>(), nullptr);
    });
    // dz = scale * (dy - average(dy) - zhat * average(dy * zhat)), zhat = (z - mean) * inverse.
    const at::Tensor slope = to_float(-scale * inverse * inverse * product / rows);
    const at::Tensor shift = to_float(-scale * sum / rows);
    const kernels::Norm<float> back = norm_of(center, scale, shift);
    for_chunks(x, [&](std::int64_t at, std::int64_t count) {
      float* const d = dx.data_ptr<float>() + at;
      kernels.norm_backward(d, x.data_ptr<float>() + at, nullptr, count, width, back,
                            slope.data_ptr<float>(), d);
    });
    return {dx, to_float(product * inverse), to_float(sum), {}};
  }
};

bool suits_kernels(const torch::nn::BatchNorm1d& norm, const at::Tensor& x) {
  return norm->is_training() && x.is_cpu() && x.scalar_type() == at::kFloat && x.size(0) >= 2 &&
         x.size(1) % vector_kernels().lanes == 0 && norm->options.affine();
}

}  // namespace

at::Tensor normalise_relu(torch::nn::BatchNorm1d& norm, const at::Tensor& x) {
  if (!suits_kernels(norm, x)) return normalise(norm, x).relu_();
  const tensor_list result = BatchNormRelu::apply(x, norm->weight, norm->bias, norm->options.eps());
  const at::NoGradGuard no_gradients;
  const auto rows = static_cast<double>(x.size(0));
  const double momentum = norm->options.momentum().value();
  norm->running_mean.mul_(1 - momentum).add_(result[1], momentum);
  norm->running_var.mul_(1 - momentum).add_(result[2], momentum * rows / (rows - 1));
  return result[0];
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "src/torch/layers.h"

#include <ATen/ATen.h>

namespace sgood {

torch::nn::Linear linear(std::int64_t inputs, std::int64_t outputs, bool bias) {
  return torch::nn::Linear(torch::nn::LinearOptions(inputs, outputs).bias(bias));
}

at::Tensor normalise(torch::nn::BatchNorm1d& norm, const at::Tensor& x) {
  const bool batch_statistics = norm->is_training() && x.size(0) >= 2;
  return at::batch_norm(x, norm->weight, norm->bias, norm->running_mean, norm->running_var,
                        batch_statistics, norm->options.momentum().value(), norm->options.eps(),
                        /*cudnn_enabled=*/false);
}

at::Tensor dropout(const at::Tensor& x, double p, at::Generator& generator) {
  if (p == 0) return x;
  const at::Tensor kept = at::empty(x.sizes(), at::kFloat).uniform_(0, 1, generator) >= p;
  return x * kept.to(x.options()) / (1 - p);
}

at::Tensor gcn_propagate(const GraphTensors& graphs, const at::Tensor& h) {
  const at::Tensor scale = (graphs.degree + 1).rsqrt();
  const at::Tensor scaled = scale * h;
  return scale * (sum_neighbors(graphs, scaled) + scaled);
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "src/torch/convolution.h"

#include <ATen/ATen.h>

#include <cmath>

#include "src/torch/gather_sum.h"

namespace sgood {

Perceptron::Perceptron(std::int64_t inputs, std::int64_t hidden, std::int64_t outputs, bool bias)
    : first_(register_module("first", linear(inputs, hidden, bias))),
      second_(register_module("second", linear(hidden, outputs, bias))) {}

at::Tensor Perceptron::forward(const at::Tensor& x) { return second_(first_(x).relu_()); }

void Perceptron::initialise_xavier(at::Generator& generator) {
  for (torch::nn::Linear* layer : {&first_, &second_}) {
    at::Tensor& weight = (*layer)->weight;
    const double bound = std::sqrt(6.0 / static_cast<double>(weight.size(0) + weight.size(1)));
    weight.uniform_(-bound, bound, generator);
    if ((*layer)->bias.defined()) (*layer)->bias.zero_();
  }
}

Convolution::Convolution(std::string backbone, std::int64_t inputs, std::int64_t outputs, bool bias)
    : backbone_(std::move(backbone)) {
  if (backbone_ == "gin") {
    perceptron_ =
        register_module("perceptron", std::make_shared<Perceptron>(inputs, outputs, outputs, bias));
    return;
  }
  own_ = register_module("own", linear(inputs, outputs, false));
  if (backbone_ == "sage")
    neighbors_ = register_module("neighbors", linear(inputs, outputs, false));
  if (backbone_ == "gat") attention_ = register_parameter("attention", at::zeros({2, outputs}));
  if (bias) bias_ = register_parameter("bias", at::zeros({outputs}));
}

at::Tensor Convolution::forward(const GraphTensors& graphs, const at::Tensor& h,
                                const at::Tensor& edge_weight) {
  if (backbone_ == "gin") {
    const at::Tensor sum =
        edge_weight.defined()
            ? sum_rows(gather_rows(h, graphs.source) * edge_weight, graphs.target, graphs.num_nodes)
            : sum_neighbors(graphs, h);
    return perceptron_->forward(h + sum);
  }
  const at::Tensor mapped = own_(h);
  const at::Tensor result = backbone_ == "gcn"   ? gcn_propagate(graphs, mapped)
                            : backbone_ == "gat" ? attend(graphs, mapped)
                                                 : mapped + sum_neighbors(graphs, neighbors_(h)) /
                                                                graphs.degree.clamp_min(1);
  return bias_.defined() ? result + bias_ : result;
}

at::Tensor Convolution::attend(const GraphTensors& graphs, const at::Tensor& mapped) const {
  const at::Tensor self = at::arange(graphs.num_nodes, graphs.source.options());
  const at::Tensor source = at::cat({graphs.source, self});
  const at::Tensor target = at::cat({graphs.target, self});
  const at::Tensor parts = at::matmul(mapped, attention_.t());
  const at::Tensor score = at::leaky_relu(gather_rows(parts.select(1, 0).unsqueeze(1), source) +
                                              gather_rows(parts.select(1, 1).unsqueeze(1), target),
                                          0.2);
  const at::Tensor largest = max_rows(score.detach(), target, graphs.num_nodes);
  const at::Tensor share = (score - gather_rows(largest, target)).exp();
  const at::Tensor sum = sum_rows(share * gather_rows(mapped, source), target, graphs.num_nodes);
  return sum / sum_rows(share, target, graphs.num_nodes);
}

ConvolutionStack::ConvolutionStack(const std::string& backbone, std::int64_t inputs,
                                   std::int64_t width, int layers, bool bias, StackNorm norm) {
  for (int l = 0; l < layers; ++l) {
    const std::string name = std::to_string(l);
    convolutions_.push_back(register_module(
        "layer" + name,
        std::make_shared<Convolution>(backbone, l == 0 ? inputs : width, width, bias)));
    if (norm == StackNorm::kNone) continue;
    norms_.push_back(register_module(
        "norm" + name, torch::nn::BatchNorm1d(torch::nn::BatchNorm1dOptions(width).affine(
                           norm == StackNorm::kLearned))));
  }
}

at::Tensor ConvolutionStack::forward(const GraphTensors& graphs, at::Tensor h,
                                     const at::Tensor& edge_weight) {
  std::vector<at::Tensor> layers;
  for (std::size_t l = 0; l < convolutions_.size(); ++l) {
    h = convolutions_[l]->forward(graphs, h, edge_weight).relu_();
    if (!norms_.empty()) h = normalise(norms_[l], h);
    layers.push_back(h);
  }
  return at::cat(layers, 1);
}

}  // namespace sgood

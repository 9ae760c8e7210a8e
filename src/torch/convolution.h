// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "src/torch/layers.h"

namespace sgood {

/// Linear, ReLU, linear.
class Perceptron : public torch::nn::Module {
 public:
  Perceptron(std::int64_t inputs, std::int64_t hidden, std::int64_t outputs, bool bias = true);
  at::Tensor forward(const at::Tensor& x);
  /// Xavier-uniform weights, biases 0.
  void initialise_xavier(at::Generator& generator);

 private:
  torch::nn::Linear first_, second_;
};

/// One round of message passing without an activation, h [num_nodes, inputs] -> [num_nodes,
/// outputs], by `backbone`:
/// "gin"   perceptron of h_v + sum of h_u
/// "gcn"   gcn_propagate() of W h, + b
/// "sage"  W1 h_v + W2 mean of h_u + b
/// "gat"   sum of a_uv W h_u over the neighbours and v itself, + b, with a_uv the softmax over u of
///         LeakyReLU(a . W h_u + a' . W h_v), slope 0.2, one head
class Convolution : public torch::nn::Module {
 public:
  Convolution(std::string backbone, std::int64_t inputs, std::int64_t outputs, bool bias = true);

  /// `edge_weight` [2 num_edges, 1] multiplies what each edge carries; "gin" only.
  at::Tensor forward(const GraphTensors& graphs, const at::Tensor& h,
                     const at::Tensor& edge_weight = {});

 private:
  at::Tensor attend(const GraphTensors& graphs, const at::Tensor& mapped) const;

  std::string backbone_;
  std::shared_ptr<Perceptron> perceptron_;
  torch::nn::Linear own_ = nullptr, neighbors_ = nullptr;
  at::Tensor attention_, bias_;
};

/// Batch norm after each layer of a stack: none, or without or with learned scale and shift.
enum class StackNorm { kNone, kPlain, kLearned };

/// Convolutions one after another, each followed by ReLU and batch norm.
class ConvolutionStack : public torch::nn::Module {
 public:
  ConvolutionStack(const std::string& backbone, std::int64_t inputs, std::int64_t width, int layers,
                   bool bias, StackNorm norm);
  /// All layers side by side, [num_nodes, layers * width].
  at::Tensor forward(const GraphTensors& graphs, at::Tensor h, const at::Tensor& edge_weight = {});

 private:
  std::vector<std::shared_ptr<Convolution>> convolutions_;
  std::vector<torch::nn::BatchNorm1d> norms_;
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "src/torch/graph_net.h"
#include "src/torch/layers.h"

namespace sgood {

/// What an encoder makes of a batch.
struct EncodedGraphs {
  at::Tensor representation;  ///< [num_graphs, width]
  at::Tensor regularisation;  ///< One number that training adds to its loss; undefined: none.
};

/// A net that turns each graph into one vector, trained by the cross-entropy of a head on it:
/// linear layers with ReLU between, and dropout before the last but the widest. Options: epochs,
/// batch_size, learning_rate, weight_decay if any, dropout.
class Encoder : public GraphNet {
 public:
  std::vector<StagePlan> stages() const override;
  at::Tensor loss(std::size_t stage, const GraphTensors& batch, at::Generator& generator) override;
  GraphNetOutput evaluate(const GraphTensors& batch) override;

 protected:
  explicit Encoder(const GraphModelSpec& spec) : options_(spec.options) {}

  /// Makes the head; call once in the constructor. `widths`: of the representation, then of each
  /// hidden layer, then the number of classes.
  void make_head(const std::vector<std::int64_t>& widths);
  /// Without a generator there is no dropout.
  at::Tensor classify(at::Tensor representation, at::Generator* generator);
  virtual EncodedGraphs encode(const GraphTensors& batch) = 0;

  nlohmann::ordered_json options_;

 private:
  std::vector<torch::nn::Linear> head_;
};

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "src/torch/encoder.h"

#include <ATen/ATen.h>

namespace sgood {

std::vector<StagePlan> Encoder::stages() const {
  StagePlan plan;
  plan.epochs = options_.at("epochs");
  plan.batch_size = options_.at("batch_size");
  plan.learning_rate = options_.at("learning_rate");
  plan.weight_decay = options_.value("weight_decay", 0.0);
  return {plan};
}

at::Tensor Encoder::loss(std::size_t, const GraphTensors& batch, at::Generator& generator) {
  const EncodedGraphs encoded = encode(batch);
  const at::Tensor loss =
      at::cross_entropy_loss(classify(encoded.representation, &generator), batch.label);
  return encoded.regularisation.defined() ? loss + encoded.regularisation : loss;
}

GraphNetOutput Encoder::evaluate(const GraphTensors& batch) {
  GraphNetOutput output;
  output.representation = encode(batch).representation;
  output.logits = classify(output.representation, nullptr);
  return output;
}

void Encoder::make_head(const std::vector<std::int64_t>& widths) {
  for (std::size_t i = 0; i + 1 < widths.size(); ++i)
    head_.push_back(register_module("head" + std::to_string(i), linear(widths[i], widths[i + 1])));
}

at::Tensor Encoder::classify(at::Tensor h, at::Generator* generator) {
  for (std::size_t i = 0; i < head_.size(); ++i) {
    if (i == 1 && generator != nullptr) h = dropout(h, options_.at("dropout"), *generator);
    h = head_[i](h);
    if (i + 1 < head_.size()) h = h.relu_();
  }
  return h;
}

}  // namespace sgood

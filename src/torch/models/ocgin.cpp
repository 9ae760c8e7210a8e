// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>

#include "src/torch/convolution.h"
#include "src/torch/models/models.h"

namespace sgood {
namespace {

/// Nothing here has a bias or a learned shift, by which every graph could be sent to the centre.
class Ocgin : public GraphNet {
 public:
  explicit Ocgin(const GraphModelSpec& spec)
      : options_(spec.options), layers_(options_.at("layers")), width_(options_.at("width")) {
    input_ = register_module("input", linear(spec.input_width(), width_, false));
    input_norm_ = register_module(
        "input_norm", torch::nn::BatchNorm1d(torch::nn::BatchNorm1dOptions(width_).affine(false)));
    stack_ = register_module(
        "stack", std::make_shared<ConvolutionStack>(options_.at("backbone"), width_, width_,
                                                    layers_, false, StackNorm::kPlain));
    centre_ = register_buffer("centre", at::zeros({width_}));
  }

  std::vector<StagePlan> stages() const override {
    StagePlan plan;
    plan.epochs = options_.at("epochs");
    plan.batch_size = options_.at("batch_size");
    plan.learning_rate = options_.at("learning_rate");
    plan.weight_decay = options_.at("weight_decay");
    return {plan};
  }

  void begin_stage(std::size_t, TrainingGraphs& training, at::Generator&) override {
    at::Tensor sum = at::zeros_like(centre_);
    training.for_batches(options_.at("batch_size"),
                         [&](const GraphTensors& batch) { sum += represent(batch).sum(0); });
    centre_.copy_(sum / training.size());
  }

  at::Tensor loss(std::size_t, const GraphTensors& batch, at::Generator&) override {
    return (represent(batch) - centre_).square().sum(1).mean();
  }

  GraphNetOutput evaluate(const GraphTensors& batch) override {
    GraphNetOutput output;
    output.representation = represent(batch);
    output.score = (output.representation - centre_).square().sum(1);
    return output;
  }

 private:
  /// The sum over layers of the mean over nodes, [num_graphs, width].
  at::Tensor represent(const GraphTensors& batch) {
    const at::Tensor h = stack_->forward(batch, normalise(input_norm_, input_(batch.x)));
    return mean_rows(h, batch.graph, batch.num_graphs)
        .view({batch.num_graphs, layers_, width_})
        .sum(1);
  }

  nlohmann::ordered_json options_;
  int layers_;
  std::int64_t width_;
  torch::nn::Linear input_ = nullptr;
  torch::nn::BatchNorm1d input_norm_ = nullptr;
  std::shared_ptr<ConvolutionStack> stack_;
  at::Tensor centre_;
};

}  // namespace

std::shared_ptr<GraphNet> make_ocgin(const GraphModelSpec& spec) {
  return std::make_shared<Ocgin>(spec);
}

}  // namespace sgood

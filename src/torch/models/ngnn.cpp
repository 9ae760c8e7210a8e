// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>

#include "src/torch/batch_norm_relu.h"
#include "src/torch/ego_nets.h"
#include "src/torch/encoder.h"
#include "src/torch/gather_sum.h"
#include "src/torch/models/models.h"
#include "src/torch/stacked_linear.h"

namespace sgood {
namespace {

constexpr std::int64_t kLabelWidth = 8;

/// Nested GNN: a GIN on the neighbourhood of every node, pooled to the node, pooled to the graph.
class Ngnn final : public Encoder {
 public:
  explicit Ngnn(const GraphModelSpec& spec)
      : Encoder(spec), hops_(options_.at("hops")), max_per_hop_(options_.at("max_per_hop")) {
    const std::int64_t width = options_.at("width");
    const int layers = hops_ + 1;
    table_ = register_parameter("distance", at::zeros({hops_ + 2, kLabelWidth}));
    label_map_ = register_module("label0", linear(kLabelWidth, width, false));
    for (int l = 0; l < layers; ++l) {
      const std::string name = std::to_string(l);
      const std::int64_t inputs = l == 0 ? spec.input_width() : width;
      epsilon_.push_back(register_parameter("epsilon" + name, at::zeros({1})));
      first_.push_back(register_module("first" + name, linear(inputs, width, false)));
      norm1_.push_back(register_module("norm1_" + name, torch::nn::BatchNorm1d(width)));
      second_.push_back(register_module("second" + name, linear(width, width, false)));
      norm2_.push_back(register_module("norm2_" + name, torch::nn::BatchNorm1d(width)));
    }
    make_head({layers * width, width, spec.num_classes});
  }

  std::vector<StagePlan> stages() const override {
    std::vector<StagePlan> plans = Encoder::stages();
    plans[0].decay_every = 50;
    plans[0].decay = 0.5;
    return plans;
  }

  void initialise_specially(at::Generator& generator) override { table_.normal_(0, 1, generator); }

 protected:
  EncodedGraphs encode(const GraphTensors& batch) override {
    const EgoNets nets = make_ego_nets(batch, hops_, max_per_hop_);
    const at::Tensor label =
        gather_rows(table_, nets.hop + 1) + gather_rows(table_, (nets.hop + 1) * nets.again);
    std::vector<at::Tensor> layers;
    at::Tensor h;
    for (std::size_t l = 0; l < first_.size(); ++l) {
      // Maps of nodes and labels are made before they are copied to the rows, and before the sum.
      const at::Tensor mapped = l == 0
                                    ? gather_rows(first_[0](batch.x), nets.node) + label_map_(label)
                                    : narrow_linear(first_[l], h);
      h = (1 + epsilon_[l]) * mapped + nets.sum_neighbors(mapped);
      h = normalise_relu(norm1_[l], h);
      h = normalise_relu(norm2_[l], narrow_linear(second_[l], h));
      layers.push_back(h);
    }
    const at::Tensor of_nodes = mean_rows(at::cat(layers, 1), nets.root, batch.num_nodes);
    return {mean_rows(of_nodes, batch.graph, batch.num_graphs), {}};
  }

 private:
  int hops_, max_per_hop_;
  at::Tensor table_;
  torch::nn::Linear label_map_{nullptr};
  std::vector<at::Tensor> epsilon_;
  std::vector<torch::nn::Linear> first_, second_;
  std::vector<torch::nn::BatchNorm1d> norm1_, norm2_;
};

}  // namespace

std::shared_ptr<GraphNet> make_ngnn(const GraphModelSpec& spec) {
  return std::make_shared<Ngnn>(spec);
}

}  // namespace sgood

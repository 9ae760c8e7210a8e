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

constexpr std::int64_t kHopWidth = 16;

/// One layer: a node becomes what a GNN makes of the neighbourhoods that it stands in.
class AkLayer : public torch::nn::Module {
 public:
  AkLayer(std::int64_t width, int hops)
      : width_(width),
        hop_(register_parameter("hop", at::zeros({hops + 1, kHopWidth}))),
        edge_(register_parameter("edge", at::zeros({width + kHopWidth}))),
        epsilon_(register_parameter("epsilon", at::zeros({1}))),
        first_(register_module("first", linear(width + kHopWidth, width + kHopWidth, false))),
        norm1_(register_module("norm1", torch::nn::BatchNorm1d(width + kHopWidth))),
        second_(register_module("second", linear(width + kHopWidth, width + kHopWidth, false))),
        norm2_(register_module("norm2", torch::nn::BatchNorm1d(width + kHopWidth))),
        project_(register_module("project", linear(width + kHopWidth, width))),
        parts_(register_module("parts", linear(width, 2 * width, false))),
        norm3_(register_module("norm3", torch::nn::BatchNorm1d(2 * width))),
        gate_(register_module("gate", linear(kHopWidth, 3 * width))),
        output_(register_module("output", linear(3 * width, width))),
        norm4_(register_module("norm4", torch::nn::BatchNorm1d(width))) {}

  void initialise_embeddings(at::Generator& generator) {
    hop_.normal_(0, 1, generator);
    edge_.normal_(0, 1, generator);
  }

  /// [num_nodes, width] from `x` [num_nodes, width].
  at::Tensor forward(const EgoNets& nets, const at::Tensor& x) {
    const at::Tensor rows = at::cat({gather_rows(x, nets.node), gather_rows(hop_, nets.hop)}, 1);
    // All edges are alike, so a row sends the same to every neighbour.
    at::Tensor h = nets.sum_neighbors((rows + edge_).relu_()).add_((1 + epsilon_) * rows);
    h = narrow_linear(second_, normalise_relu(norm1_, narrow_linear(first_, h)));
    h = narrow_linear(project_, normalise_relu(norm2_, h) + rows);

    const at::Tensor gate = gate_(hop_).sigmoid();  // [hops + 1, 3 width]
    const at::Tensor parts = normalise_relu(norm3_, narrow_linear(parts_, h)) *
                             gather_rows(gate.narrow(1, 0, 2 * width_), nets.hop);
    const std::int64_t nodes = x.size(0);
    const std::vector<at::Tensor> halves = parts.split(width_, 1);
    const at::Tensor subgraph = gather_sum(halves[0], {}, nets.root, nodes);
    const at::Tensor context = gather_sum(halves[1], {}, nets.node, nodes);
    const at::Tensor centroid = gather_rows(h, nets.centre) * gate.narrow(1, 2 * width_, width_)[0];
    const at::Tensor joint = output_(at::cat({centroid, subgraph, context}, 1));
    return normalise_relu(norm4_, joint) + x;
  }

 private:
  std::int64_t width_;
  at::Tensor hop_, edge_, epsilon_;
  torch::nn::Linear first_;
  torch::nn::BatchNorm1d norm1_;
  torch::nn::Linear second_;
  torch::nn::BatchNorm1d norm2_;
  torch::nn::Linear project_, parts_;
  torch::nn::BatchNorm1d norm3_;
  torch::nn::Linear gate_, output_;
  torch::nn::BatchNorm1d norm4_;
};

/// GNN-AK+: message passing whose kernel is a GNN on the neighbourhood of each node.
class GnnAk final : public Encoder {
 public:
  explicit GnnAk(const GraphModelSpec& spec)
      : Encoder(spec), hops_(options_.at("hops")), max_per_hop_(options_.at("max_per_hop")) {
    const std::int64_t width = options_.at("width");
    const int layers = options_.at("layers");
    input_ = register_module("input", linear(spec.input_width(), width));
    for (int l = 0; l < layers; ++l)
      layers_.push_back(
          register_module("layer" + std::to_string(l), std::make_shared<AkLayer>(width, hops_)));
    make_head({width, width, spec.num_classes});
  }

  void initialise_specially(at::Generator& generator) override {
    for (auto& layer : layers_) layer->initialise_embeddings(generator);
  }

 protected:
  EncodedGraphs encode(const GraphTensors& batch) override {
    const EgoNets nets = make_ego_nets(batch, hops_, max_per_hop_);
    at::Tensor x = input_(batch.x);
    for (auto& layer : layers_) x = layer->forward(nets, x);
    return {sum_rows(x, batch.graph, batch.num_graphs), {}};
  }

 private:
  int hops_, max_per_hop_;
  torch::nn::Linear input_{nullptr};
  std::vector<std::shared_ptr<AkLayer>> layers_;
};

}  // namespace

std::shared_ptr<GraphNet> make_gnn_ak(const GraphModelSpec& spec) {
  return std::make_shared<GnnAk>(spec);
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "src/torch/encoder.h"
#include "src/torch/gather_sum.h"
#include "src/torch/models/models.h"
#include "src/torch/row_norms.h"

namespace sgood {
namespace {

using Propagation = std::function<at::Tensor(const at::Tensor&)>;

/// Three graph convolutions A x W + b with rows of length 1, ReLU and batch norm between; the
/// outputs of all, side by side.
class Block : public torch::nn::Module {
 public:
  Block(std::int64_t inputs, std::int64_t width, std::int64_t outputs) {
    const std::int64_t widths[] = {inputs, width, width, outputs};
    for (std::size_t l = 0; l < 3; ++l) {
      const std::string name = std::to_string(l);
      map_.push_back(register_module("map" + name, linear(widths[l], widths[l + 1], false)));
      bias_.push_back(register_parameter("bias" + name, at::zeros({widths[l + 1]})));
      if (l < 2) norm_.push_back(register_module("norm" + name, torch::nn::BatchNorm1d(width)));
    }
  }

  /// `propagate` multiplies by A.
  at::Tensor forward(at::Tensor x, const Propagation& propagate) {
    std::vector<at::Tensor> layers;
    for (std::size_t l = 0; l < map_.size(); ++l) {
      x = unit_rows(propagate(map_[l](x)) + bias_[l]);
      if (l < norm_.size()) x = normalise(norm_[l], x.relu());
      layers.push_back(x);
    }
    return at::cat(layers, 1);
  }

 private:
  std::vector<torch::nn::Linear> map_;
  std::vector<at::Tensor> bias_;
  std::vector<torch::nn::BatchNorm1d> norm_;
};

/// Differentiable pooling: a GNN assigns the nodes softly to clusters, which make a smaller graph.
class DiffPool final : public Encoder {
 public:
  explicit DiffPool(const GraphModelSpec& spec) : Encoder(spec) {
    const double ratio = options_.at("assign_ratio");
    const int cap = options_.at("max_clusters");
    const std::int64_t width = options_.at("width");
    clusters_ = std::clamp<std::int64_t>(std::llround(std::ceil(ratio * spec.max_nodes)), 1, cap);
    embed_ = register_module("embed", std::make_shared<Block>(spec.input_width(), width, width));
    assign_ =
        register_module("assign", std::make_shared<Block>(spec.input_width(), width, clusters_));
    assign_map_ = register_module("assign_map", linear(2 * width + clusters_, clusters_));
    coarse_ = register_module("coarse", std::make_shared<Block>(3 * width, width, width));
    make_head({6 * width, options_.at("head_width"), spec.num_classes});
  }

  std::vector<StagePlan> stages() const override {
    std::vector<StagePlan> plans = Encoder::stages();
    plans[0].clip_norm = 2;
    return plans;
  }

 protected:
  EncodedGraphs encode(const GraphTensors& batch) override {
    const Propagation neighbors = [&](const at::Tensor& h) { return sum_neighbors(batch, h); };
    const at::Tensor z = embed_->forward(batch.x, neighbors);
    const at::Tensor s = assign_map_(assign_->forward(batch.x, neighbors)).softmax(1);
    const at::Tensor neighbors_s = neighbors(s);  // A S

    const Padding padding(batch);
    const at::Tensor transposed = padding.pad(s).transpose(1, 2);
    const at::Tensor x = at::bmm(transposed, padding.pad(z));
    const at::Tensor a = at::bmm(transposed, padding.pad(neighbors_s));
    const at::Tensor coarse = coarse_->forward(x.flatten(0, 1), [&](const at::Tensor& h) {
      return at::bmm(a, h.view({batch.num_graphs, clusters_, h.size(1)})).flatten(0, 1);
    });
    const at::Tensor readout = coarse.view({batch.num_graphs, clusters_, coarse.size(1)}).amax(1);
    return {at::cat({max_rows(z, batch.graph, batch.num_graphs), readout}, 1),
            is_training() ? regularisation(batch, s, neighbors_s, transposed) : at::Tensor()};
  }

 private:
  /// Writes the rows of the nodes of each graph into a slice of equal size.
  struct Padding {
    explicit Padding(const GraphTensors& graphs)
        : num_graphs(graphs.num_graphs),
          length(graphs.num_nodes > 0 ? graphs.size.max().item<std::int64_t>() : 0) {
      const at::Tensor size = graphs.size.squeeze(1).to(at::kLong);
      const at::Tensor shift =
          at::arange(num_graphs, size.options()) * length - (size.cumsum(0) - size);
      slot = at::arange(graphs.num_nodes, size.options()) + shift.index_select(0, graphs.graph);
    }

    /// [num_graphs, length, h.size(1)]
    at::Tensor pad(const at::Tensor& h) const {
      return gather_sum(h, {}, slot, num_graphs * length).view({num_graphs, length, h.size(1)});
    }

    std::int64_t num_graphs, length;
    at::Tensor slot;
  };

  /// Weighted |A - S S^T|_F over the pairs of nodes of the batch, and the mean entropy of S.
  at::Tensor regularisation(const GraphTensors& batch, const at::Tensor& s,
                            const at::Tensor& neighbors_s, const at::Tensor& transposed) const {
    const double link = options_.at("link_weight"), entropy = options_.at("entropy_weight");
    at::Tensor result;
    if (link > 0) {
      // |A - S S^T|^2 = |A|^2 - 2 <S, A S> + |S^T S|^2, which needs no matrix of node pairs.
      const at::Tensor square = batch.degree.sum() - 2 * (s * neighbors_s).sum() +
                                at::bmm(transposed, transposed.transpose(1, 2)).square().sum();
      result = link * square.clamp_min(1e-12).sqrt() / batch.size.square().sum().clamp_min(1);
    }
    if (entropy > 0) {
      const at::Tensor part =
          entropy * -(s * (s + 1e-15).log()).sum() / std::max<std::int64_t>(batch.num_nodes, 1);
      result = result.defined() ? result + part : part;
    }
    return result;
  }

  std::int64_t clusters_ = 1;
  std::shared_ptr<Block> embed_, assign_, coarse_;
  torch::nn::Linear assign_map_{nullptr};
};

}  // namespace

std::shared_ptr<GraphNet> make_diffpool(const GraphModelSpec& spec) {
  return std::make_shared<DiffPool>(spec);
}

}  // namespace sgood

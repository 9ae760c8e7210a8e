// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>

#include "src/torch/convolution.h"
#include "src/torch/encoder.h"
#include "src/torch/models/models.h"
#include "src/torch/pooling.h"

namespace sgood {
namespace {

/// Top-k pooling: nodes are scored by a projection of their features.
class TopKPool final : public Encoder {
 public:
  explicit TopKPool(const GraphModelSpec& spec) : Encoder(spec), ratio_(options_.at("ratio")) {
    const int layers = options_.at("layers");
    const std::int64_t width = options_.at("width");
    for (int l = 0; l < layers; ++l) {
      const std::string name = std::to_string(l);
      const std::int64_t inputs = l == 0 ? spec.input_width() : width;
      convolution_.push_back(register_module("convolution" + name,
                                             std::make_shared<Convolution>("sage", inputs, width)));
      projection_.push_back(pools_after(l, layers)
                                ? register_parameter("projection" + name, at::ones({width, 1}))
                                : at::Tensor());
    }
    make_head({layers * width, width, spec.num_classes});
  }

 protected:
  EncodedGraphs encode(const GraphTensors& batch) override {
    PooledGraphs level{batch, batch.x};
    std::vector<at::Tensor> readouts;
    for (std::size_t l = 0; l < convolution_.size(); ++l) {
      const GraphTensors& graphs = level.graphs;
      level.h = convolution_[l]->forward(graphs, level.h).relu_();
      readouts.push_back(mean_rows(level.h, graphs.graph, graphs.num_graphs));
      const at::Tensor& p = projection_[l];
      if (!p.defined()) continue;
      const at::Tensor score = (at::matmul(level.h, p) / p.norm().clamp_min(1e-12)).tanh();
      level = keep_top_nodes(graphs, level.h * score, score.squeeze(1), ratio_);
    }
    return {at::cat(readouts, 1), {}};
  }

 private:
  /// Every second layer, if another one follows.
  static bool pools_after(int layer, int layers) { return layer % 2 == 1 && layer + 1 < layers; }

  double ratio_;
  std::vector<std::shared_ptr<Convolution>> convolution_;
  std::vector<at::Tensor> projection_;
};

}  // namespace

std::shared_ptr<GraphNet> make_topkpool(const GraphModelSpec& spec) {
  return std::make_shared<TopKPool>(spec);
}

}  // namespace sgood

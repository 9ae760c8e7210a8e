// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>

#include "src/torch/convolution.h"
#include "src/torch/encoder.h"
#include "src/torch/models/models.h"
#include "src/torch/pooling.h"

namespace sgood {
namespace {

/// Self-attention graph pooling: nodes are scored by a GCN, so by features and structure.
class SagPool final : public Encoder {
 public:
  explicit SagPool(const GraphModelSpec& spec)
      : Encoder(spec),
        global_(options_.at("variant").get<std::string>() == "global"),
        ratio_(options_.at("ratio")) {
    const int layers = options_.at("layers");
    const std::int64_t width = options_.at("width");
    for (int l = 0; l < layers; ++l) {
      const std::string name = std::to_string(l);
      const std::int64_t inputs = l == 0 ? spec.input_width() : width;
      convolution_.push_back(register_module("convolution" + name,
                                             std::make_shared<Convolution>("gcn", inputs, width)));
      if (!global_)
        score_.push_back(
            register_module("score" + name, std::make_shared<Convolution>("gcn", width, 1)));
    }
    const std::int64_t pooled = global_ ? layers * width : width;
    if (global_)
      score_.push_back(register_module("score", std::make_shared<Convolution>("gcn", pooled, 1)));
    make_head({2 * pooled, width, (width + 1) / 2, spec.num_classes});
  }

 protected:
  EncodedGraphs encode(const GraphTensors& batch) override {
    return {global_ ? encode_global(batch) : encode_hierarchical(batch), {}};
  }

 private:
  PooledGraphs pool(const GraphTensors& graphs, const at::Tensor& h, Convolution& scorer) const {
    const at::Tensor score = scorer.forward(graphs, h);
    return keep_top_nodes(graphs, h * score.tanh(), score.squeeze(1), ratio_);
  }

  at::Tensor encode_hierarchical(const GraphTensors& batch) {
    PooledGraphs level{batch, batch.x};
    at::Tensor sum;
    for (std::size_t l = 0; l < convolution_.size(); ++l) {
      const at::Tensor h = convolution_[l]->forward(level.graphs, level.h).relu_();
      level = pool(level.graphs, h, *score_[l]);
      const at::Tensor readout = max_and_mean(level.graphs, level.h);
      sum = l == 0 ? readout : sum + readout;
    }
    return sum;
  }

  at::Tensor encode_global(const GraphTensors& batch) {
    std::vector<at::Tensor> layers;
    at::Tensor h = batch.x;
    for (auto& convolution : convolution_) {
      h = convolution->forward(batch, h).relu_();
      layers.push_back(h);
    }
    const PooledGraphs pooled = pool(batch, at::cat(layers, 1), *score_[0]);
    return max_and_mean(pooled.graphs, pooled.h);
  }

  bool global_;
  double ratio_;
  std::vector<std::shared_ptr<Convolution>> convolution_, score_;
};

}  // namespace

std::shared_ptr<GraphNet> make_sagpool(const GraphModelSpec& spec) {
  return std::make_shared<SagPool>(spec);
}

}  // namespace sgood

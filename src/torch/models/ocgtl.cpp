// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>

#include <cmath>

#include "src/torch/gather_sum.h"
#include "src/torch/layers.h"
#include "src/torch/models/models.h"
#include "src/torch/row_norms.h"
#include "src/torch/stacked_linear.h"

namespace sgood {
namespace {

/// A linear map without bias for each of several encoders.
class EncoderMaps : public torch::nn::Module {
 public:
  EncoderMaps(std::int64_t encoders, std::int64_t width)
      : weight_(register_parameter("weight", at::zeros({encoders, width, width}))) {}

  void initialise_specially(at::Generator& generator) {
    const double bound = 1 / std::sqrt(static_cast<double>(weight_.size(1)));
    weight_.uniform_(-bound, bound, generator);
  }

  /// [encoders * rows, width], both; each encoder's rows in one piece
  at::Tensor forward(const at::Tensor& x) {
    return stacked_linear(x.view({weight_.size(0), x.size(0) / weight_.size(0), weight_.size(1)}),
                          weight_)
        .view_as(x);
  }

 private:
  at::Tensor weight_;
};

/// Normalisation of each column over the nodes of a graph, with a learned share of the mean, then
/// ReLU; for each of several encoders.
class EncoderNorms : public torch::nn::Module {
 public:
  EncoderNorms(std::int64_t encoders, std::int64_t width)
      : width_(width),
        share_(register_parameter("share", at::ones({encoders * width}))),
        weight_(register_parameter("weight", at::ones({encoders * width}))) {}

  at::Tensor forward(const GraphTensors& copies, const at::Tensor& x) {
    return graph_norm_relu(copies, x, share_.view({-1, width_}), weight_.view({-1, width_}));
  }

 private:
  std::int64_t width_;
  at::Tensor share_, weight_;
};

/// The structure of `count` copies of a batch, one after the other.
GraphTensors copies_of(const GraphTensors& batch, std::int64_t count) {
  const at::Tensor copy = at::arange(count, batch.graph.options()).unsqueeze(1);
  GraphTensors result;
  result.num_graphs = count * batch.num_graphs;
  result.num_nodes = count * batch.num_nodes;
  result.source = (batch.source + copy * batch.num_nodes).flatten();
  result.target = (batch.target + copy * batch.num_nodes).flatten();
  result.graph = (batch.graph + copy * batch.num_graphs).flatten();
  return result;
}

/// All encoders run together, each on its own copy of the batch: GIN whose layers are read out
/// apart, by an MLP of the nodes, summed.
class Ocgtl : public GraphNet {
 public:
  explicit Ocgtl(const GraphModelSpec& spec)
      : options_(spec.options),
        encoders_(int(options_.at("transformations")) + 1),
        width_(options_.at("width")) {
    const int layers = options_.at("layers");
    const auto maps = [&](const std::string& name) {
      all_.push_back(register_module(name, std::make_shared<EncoderMaps>(encoders_, width_)));
      return all_.back();
    };
    input_ = register_module("input", linear(spec.input_width(), encoders_ * width_, false));
    for (int l = 0; l < layers; ++l) {
      const std::string name = std::to_string(l);
      if (l > 0) first_.push_back(maps("first" + name));
      second_.push_back(maps("second" + name));
      norm_.push_back(
          register_module("norm" + name, std::make_shared<EncoderNorms>(encoders_, width_)));
      readout1_.push_back(maps("readout1_" + name));
      readout2_.push_back(maps("readout2_" + name));
    }
    centre_ = register_parameter("centre", at::zeros({layers * width_}));
  }

  std::vector<StagePlan> stages() const override {
    StagePlan plan;
    plan.epochs = options_.at("epochs");
    plan.batch_size = options_.at("batch_size");
    plan.learning_rate = options_.at("learning_rate");
    plan.decay_every = 100;
    plan.decay = 0.5;
    return {plan};
  }

  void initialise_specially(at::Generator& generator) override {
    for (auto& map : all_) map->initialise_specially(generator);
    centre_.normal_(0, 1, generator);
  }

  at::Tensor loss(std::size_t, const GraphTensors& batch, at::Generator&) override {
    return losses(batch).mean();
  }

  GraphNetOutput evaluate(const GraphTensors& batch) override {
    GraphNetOutput output;
    output.score = losses(batch);
    return output;
  }

 private:
  /// [num_graphs, 1 + K, layers * width]
  at::Tensor encode(const GraphTensors& graphs) {
    const GraphTensors copies = copies_of(graphs, encoders_);
    const at::Tensor first = input_(graphs.x).view({graphs.num_nodes, encoders_, width_});
    std::vector<at::Tensor> readouts;
    at::Tensor h = first.transpose(0, 1).reshape({copies.num_nodes, width_});
    for (std::size_t l = 0; l < second_.size(); ++l) {
      // The sum over neighbours commutes with the first map, which makes the rows narrower, and
      // that over nodes with the last, which then has fewer rows.
      if (l > 0) h = first_[l - 1]->forward(h);
      h = second_[l]->forward(sum_neighbors(copies, h).add_(h).relu_());
      h = norm_[l]->forward(copies, h);
      const at::Tensor sum =
          sum_rows(readout1_[l]->forward(h).relu_(), copies.graph, copies.num_graphs);
      readouts.push_back(readout2_[l]->forward(sum).view({encoders_, graphs.num_graphs, width_}));
    }
    return at::cat(readouts, 2).transpose(0, 1);
  }

  /// sum over k >= 1 of |z_k - centre| + log sum over l != k of exp(cos(z_k, z_l) / tau)
  /// - cos(z_k, z_0) / tau, with z_0 taken from the centre; [num_graphs].
  at::Tensor losses(const GraphTensors& batch) {
    const at::Tensor encoded = encode(batch);
    const at::Tensor z =
        at::cat({encoded.narrow(1, 0, 1) + centre_, encoded.narrow(1, 1, encoders_ - 1)}, 1);
    const at::Tensor unit = unit_rows(z);
    const at::Tensor similarity =
        at::matmul(unit, unit.transpose(1, 2)) / double(options_.at("tau"));
    const at::Tensor self = at::eye(encoders_, similarity.options().dtype(at::kBool));
    const at::Tensor others = similarity.masked_fill(self, -1e30).logsumexp(2);
    const at::Tensor distance = ((z - centre_).square().sum(2) + 1e-24).sqrt();
    const at::Tensor each = distance + others - similarity.select(2, 0);
    return each.narrow(1, 1, encoders_ - 1).sum(1);
  }

  nlohmann::ordered_json options_;
  std::int64_t encoders_, width_;
  torch::nn::Linear input_ = nullptr;
  std::vector<std::shared_ptr<EncoderMaps>> first_, second_, readout1_, readout2_, all_;
  std::vector<std::shared_ptr<EncoderNorms>> norm_;
  at::Tensor centre_;
};

}  // namespace

std::shared_ptr<GraphNet> make_ocgtl(const GraphModelSpec& spec) {
  return std::make_shared<Ocgtl>(spec);
}

}  // namespace sgood

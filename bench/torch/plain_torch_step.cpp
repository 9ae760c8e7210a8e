// SPDX-License-Identifier: MIT
#include "bench/torch/plain_torch_step.h"

#include <torch/torch.h>

#include <limits>
#include <string>
#include <vector>

namespace sgood::bench {
namespace {

using torch::Tensor;
namespace nn = torch::nn;

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// One level of a batch: for each neighbour entry the row whose list it is in, and the row it
/// names.
struct Level {
  Tensor owner, neighbor;
};

struct Tensors {
  std::int64_t num_graphs = 0, num_blocks = 0;
  Tensor features;
  Level nodes, blocks;
  Tensor node_block, block_graph;
};

struct StepTensors {
  Tensors original, view0, view1;
  Tensor labels;
  double weight = 0, temperature = 1;
};

Tensor indices(const std::vector<std::int64_t>& values) {
  return torch::tensor(values, torch::kLong);
}

template <typename Neighbors>
Level make_level(std::int32_t rows, Neighbors neighbors_of) {
  std::vector<std::int64_t> owner, neighbor;
  for (std::int32_t row = 0; row < rows; ++row)
    for (const std::int32_t u : neighbors_of(row)) {
      owner.push_back(row);
      neighbor.push_back(u);
    }
  return {indices(owner), indices(neighbor)};
}

Tensor segments(const std::vector<std::int32_t>& bounds) {
  std::vector<std::int64_t> segment;
  for (std::size_t s = 0; s + 1 < bounds.size(); ++s)
    segment.insert(segment.end(), idx(bounds[s + 1] - bounds[s]), static_cast<std::int64_t>(s));
  return indices(segment);
}

Tensors make_tensors(const PackedBatch& batch, const NetworkShape& shape) {
  const std::vector<std::int32_t> narrow = codes_of(batch, 0, batch.num_nodes);
  const std::vector<std::int64_t> codes(narrow.begin(), narrow.end());
  const Tensor code = indices(codes).view({batch.num_nodes, batch.input_columns()});
  Tensor features = torch::zeros({batch.num_nodes, shape.vocabulary})
                        .scatter_add(1, code, torch::ones(code.sizes()));
  if (batch.num_dense > 0)
    features = torch::cat(
        {features, torch::tensor(batch.dense).view({batch.num_nodes, batch.num_dense})}, 1);
  return {batch.num_graphs,
          batch.num_blocks,
          features,
          make_level(batch.num_nodes, [&](std::int32_t v) { return batch.neighbors(v); }),
          make_level(batch.num_blocks, [&](std::int32_t b) { return batch.super_neighbors(b); }),
          segments(batch.block_ptr),
          segments(batch.graph_ptr)};
}

Tensor sum_by(RowSum how, const Tensor& index, const Tensor& x, std::int64_t rows) {
  const Tensor zeros = torch::zeros({rows, x.size(1)});
  return how == RowSum::kIndexAdd ? zeros.index_add(0, index, x)
                                  : zeros.scatter_add(0, index.unsqueeze(1).expand_as(x), x);
}

struct GinImpl : nn::Module {
  nn::Linear linear1, linear2;
  nn::BatchNorm1d bn1, bn2;

  GinImpl(std::int64_t inputs, std::int64_t width)
      : linear1(
            register_module("linear1", nn::Linear(nn::LinearOptions(inputs, width).bias(false)))),
        linear2(
            register_module("linear2", nn::Linear(nn::LinearOptions(width, width).bias(false)))),
        bn1(register_module("bn1", nn::BatchNorm1d(width))),
        bn2(register_module("bn2", nn::BatchNorm1d(width))) {}

  Tensor forward(const Tensor& h, const Level& level, RowSum how) {
    const Tensor sum = sum_by(how, level.owner, h.index_select(0, level.neighbor), h.size(0));
    const Tensor x = torch::relu(bn1(linear1(h + sum)));
    return torch::relu(bn2(linear2(x)));
  }
};
TORCH_MODULE(Gin);

/// Modules have the names of ParameterLayout, so that parameters can be copied by name.
struct Network : nn::Module {
  std::vector<Gin> node_layers, super_layers;
  nn::Linear phi = nullptr, rho = nullptr, classifier = nullptr, linear1 = nullptr,
             linear2 = nullptr;

  explicit Network(const NetworkShape& shape) {
    for (std::int32_t l = 0; l < shape.node_layers; ++l)
      node_layers.push_back(
          register_module("node-" + std::to_string(l),
                          Gin(l == 0 ? shape.input_width() : shape.width, shape.width)));
    for (std::int32_t l = 0; l < shape.super_layers; ++l)
      super_layers.push_back(
          register_module("super-" + std::to_string(l), Gin(shape.width, shape.width)));
    const std::int32_t readout = shape.readout_width();
    phi = register_module("pool-phi", nn::Linear(shape.node_width(), shape.width));
    rho = register_module("pool-rho", nn::Linear(shape.width, shape.width));
    classifier = register_module("classifier", nn::Linear(readout, shape.num_classes));
    linear1 = register_module("projection-linear1", nn::Linear(readout, readout));
    linear2 = register_module("projection-linear2", nn::Linear(readout, readout));
  }

  Tensor readout(const Tensors& batch, RowSum how) {
    std::vector<Tensor> states;
    Tensor h = batch.features;
    for (Gin& layer : node_layers) states.push_back(h = layer(h, batch.nodes, how));
    const Tensor inner = torch::relu(phi(torch::cat(states, 1)));
    h = torch::relu(rho(sum_by(how, batch.node_block, inner, batch.num_blocks)));
    states = {h};
    for (Gin& layer : super_layers) states.push_back(h = layer(h, batch.blocks, how));
    return sum_by(how, batch.block_graph, torch::cat(states, 1), batch.num_graphs);
  }

  Tensor project(const Tensor& x) { return linear2(torch::relu(linear1(x))); }

  Tensor loss(const StepTensors& step, RowSum how) {
    const Tensor z =
        torch::cat({project(readout(step.view0, how)), project(readout(step.view1, how))});
    const Tensor u = nn::functional::normalize(z);
    const Tensor similarity = u.matmul(u.t()) / step.temperature;
    const std::int64_t graphs = step.view0.num_graphs;
    const Tensor same_graph = torch::eye(graphs, torch::kBool).repeat({2, 2});
    const Tensor others =
        similarity.masked_fill(same_graph, -std::numeric_limits<float>::infinity());
    const Tensor contrastive = (others.logsumexp(1) - similarity.diagonal(graphs).repeat(2)).mean();
    return torch::cross_entropy_loss(classifier(readout(step.original, how)), step.labels) +
           step.weight * contrastive;
  }
};

/// "node.0.linear1.weight" of the layout is "node-0.linear1.weight" here: torch's names have no
/// dots.
std::string layout_name(std::string name) {
  for (char& c : name)
    if (c == '-') c = '.';
  return name;
}

}  // namespace

struct PlainTorchStep::Implementation {
  NetworkShape shape;
  RowSum row_sum;
  Network network;
  torch::optim::Adam adam;
  std::vector<StepTensors> steps;

  Implementation(const ParameterLayout& layout, std::span<const float> parameters, RowSum how)
      : shape(layout.shape()),
        row_sum(how),
        network(shape),
        adam(network.parameters(), torch::optim::AdamOptions(1e-3)) {
    const torch::NoGradGuard no_gradients;
    for (auto& item : network.named_parameters()) {
      const Slot& slot = layout.slot(layout_name(item.key()));
      const auto first = parameters.begin() + slot.offset;
      const Tensor values = torch::tensor(std::vector<float>(first, first + slot.size()))
                                .view({slot.rows, slot.cols});
      // Ours are [inputs, outputs], torch's [outputs, inputs].
      item.value().copy_(item.value().dim() == 2 ? values.t() : values.view({slot.cols}));
    }
  }
};

PlainTorchStep::PlainTorchStep(const ParameterLayout& layout, std::span<const float> parameters,
                               RowSum row_sum) {
  torch::set_num_threads(1);
  implementation_ = std::make_unique<Implementation>(layout, parameters, row_sum);
}

PlainTorchStep::~PlainTorchStep() = default;

void PlainTorchStep::add(const TrainingStep& step) {
  const NetworkShape& shape = implementation_->shape;
  const std::vector<std::int64_t> labels(step.labels.begin(), step.labels.end());
  implementation_->steps.push_back({make_tensors(*step.original, shape),
                                    make_tensors(*step.view0, shape),
                                    make_tensors(*step.view1, shape), indices(labels),
                                    step.contrastive_weight, step.temperature});
}

double PlainTorchStep::run(std::size_t i) {
  Implementation& self = *implementation_;
  self.adam.zero_grad();
  const Tensor loss = self.network.loss(self.steps.at(i), self.row_sum);
  loss.backward();
  self.adam.step();
  return loss.item<double>();
}

}  // namespace sgood::bench

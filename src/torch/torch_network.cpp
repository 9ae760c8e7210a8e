// SPDX-License-Identifier: MIT
#include "src/torch/torch_network.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "sgood/core/error.h"

namespace sgood {
namespace {

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

at::Tensor index_tensor(const std::vector<std::int64_t>& values, const at::TensorOptions& options) {
  return at::tensor(values, at::kLong).to(options.device());
}

/// Lists of rows [first, last), renumbered from 0.
template <typename Neighbors>
TorchLists make_lists(Neighbors neighbors_of, std::int32_t first, std::int32_t last,
                      const at::TensorOptions& options) {
  std::vector<std::int64_t> owner, neighbor, length;
  for (std::int32_t row = first; row < last; ++row) {
    const std::vector<std::int32_t> list = neighbors_of(row);
    for (const std::int32_t u : list) {
      owner.push_back(row - first);
      neighbor.push_back(u - first);
    }
    length.push_back(std::ssize(list));
  }
  return {index_tensor(owner, options), index_tensor(neighbor, options),
          index_tensor(length, options).to(options).unsqueeze(1)};
}

/// [num_nodes] or [num_blocks]: the segment of each row; segment s is [bounds[s], bounds[s + 1]).
at::Tensor segment_index(std::span<const std::int32_t> bounds, const at::TensorOptions& options) {
  std::vector<std::int64_t> segment;
  for (std::size_t s = 0; s + 1 < bounds.size(); ++s)
    segment.insert(segment.end(), idx(bounds[s + 1] - bounds[s]), static_cast<std::int64_t>(s));
  return index_tensor(segment, options);
}

at::Tensor make_features(const PackedBatch& batch, std::int32_t first, std::int32_t last,
                         const NetworkShape& shape, const at::TensorOptions& options) {
  const std::int64_t rows = last - first;
  const std::vector<std::int32_t> narrow = codes_of(batch, first, last);
  const std::vector<std::int64_t> codes(narrow.begin(), narrow.end());
  for (const std::int64_t code : codes)
    SGOOD_CHECK(code >= 0 && code < shape.vocabulary, "node code is {} but must be in [0, {})",
                code, shape.vocabulary);
  const at::Tensor code = index_tensor(codes, options).view({rows, batch.input_columns()});
  const at::Tensor one_hot = at::zeros({rows, shape.vocabulary}, options)
                                 .scatter_add(1, code, at::ones(code.sizes(), options));

  const float* dense = batch.dense.data() + static_cast<std::ptrdiff_t>(first) * batch.num_dense;
  const at::Tensor reals = at::tensor(
      at::ArrayRef<float>(dense, static_cast<std::size_t>(rows * batch.num_dense)), at::kFloat);
  return at::cat({one_hot, reals.view({rows, batch.num_dense}).to(options)}, 1);
}

/// Sums the rows of `x` that share an index: [num_rows, x.cols].
at::Tensor sum_by(const at::Tensor& index, const at::Tensor& x, std::int64_t num_rows) {
  return at::zeros({num_rows, x.size(1)}, x.options()).index_add(0, index, x);
}

at::Tensor sum_neighbors(const TorchLists& lists, const at::Tensor& h) {
  return sum_by(lists.owner, h.index_select(0, lists.neighbor), h.size(0));
}

/// D~^-1/2 (A + I) D~^-1/2 h, where I is left out when the lists hold the self-loops already.
at::Tensor gcn_propagate(const TorchLists& lists, const at::Tensor& h) {
  const at::Tensor scale = (lists.self_loops ? lists.length : lists.length + 1).rsqrt();
  const at::Tensor scaled = scale * h;
  const at::Tensor sum = sum_neighbors(lists, scaled);
  return scale * (lists.self_loops ? sum : sum + scaled);
}

}  // namespace

TorchBatch make_torch_batch(const PackedBatch& batch, std::int32_t first, std::int32_t last,
                            const NetworkShape& shape, const at::TensorOptions& options) {
  SGOOD_CHECK(batch.input_columns() == shape.code_columns, "the batch has {} code columns, not {}",
              batch.input_columns(), shape.code_columns);
  SGOOD_CHECK(batch.num_dense == shape.num_dense, "the batch has {} real columns, not {}",
              batch.num_dense, shape.num_dense);
  const auto first_node = batch.graph_node(first), last_node = batch.graph_node(last);
  const auto first_block = batch.graph_ptr[idx(first)], last_block = batch.graph_ptr[idx(last)];
  std::vector<std::int32_t> graph_node;
  for (std::int32_t g = first; g <= last; ++g) graph_node.push_back(batch.graph_node(g));

  TorchBatch result;
  result.num_graphs = last - first;
  result.num_blocks = last_block - first_block;
  result.features = make_features(batch, first_node, last_node, shape, options);
  result.nodes = make_lists([&](std::int32_t v) { return batch.neighbors(v); }, first_node,
                            last_node, options);
  result.blocks = make_lists([&](std::int32_t b) { return batch.super_neighbors(b); }, first_block,
                             last_block, options);
  result.blocks.self_loops = batch.super_self_loops;
  const auto between = [](const std::vector<std::int32_t>& bounds, std::int32_t begin,
                          std::int32_t end) {
    return std::span(bounds).subspan(idx(begin), idx(end - begin + 1));
  };
  result.node_block = segment_index(between(batch.block_ptr, first_block, last_block), options);
  result.node_graph = segment_index(graph_node, options);
  result.block_graph = segment_index(between(batch.graph_ptr, first, last), options);
  return result;
}

TorchNetwork::TorchNetwork(const ParameterLayout& layout, at::Tensor parameters,
                           at::Tensor statistics)
    : layout_(&layout), parameters_(std::move(parameters)), statistics_(std::move(statistics)) {}

at::Tensor TorchNetwork::parameter(const std::string& name) const {
  const Slot& slot = layout_->slot(name);
  return parameters_.narrow(0, slot.offset, slot.size()).view({slot.rows, slot.cols});
}

at::Tensor TorchNetwork::linear(const std::string& name, const at::Tensor& x) const {
  return x.matmul(parameter(name + ".weight")) + parameter(name + ".bias");
}

at::Tensor TorchNetwork::batch_norm(const std::string& name, const at::Tensor& x,
                                    std::vector<at::Tensor>& moments) const {
  at::Tensor mean, variance;
  if (statistics_.defined()) {
    mean = statistics_.narrow(0, layout_->statistic(name + ".mean").offset, shape().width);
    variance = statistics_.narrow(0, layout_->statistic(name + ".var").offset, shape().width);
  } else {
    // A batch without rows has nothing to normalise; its moments are 0, not NaN.
    const auto rows = static_cast<double>(std::max<std::int64_t>(x.size(0), 1));
    mean = x.sum(0, true) / rows;
    variance = (x - mean).square().sum(0, true) / rows;
    moments.push_back(mean.detach());
    moments.push_back(variance.detach());
  }
  const at::Tensor normalised = (x - mean) * (variance + kBatchNormEpsilon).rsqrt();
  return normalised * parameter(name + ".weight") + parameter(name + ".bias");
}

at::Tensor TorchNetwork::layer(const std::string& name, const TorchLists& lists,
                               const at::Tensor& h, std::vector<at::Tensor>& moments) const {
  const auto weight = [&](const char* linear) { return parameter(name + linear); };
  at::Tensor x;
  switch (shape().backbone) {
    case Backbone::kGin:
      x = (h + sum_neighbors(lists, h)).matmul(weight(".linear1.weight"));
      x = batch_norm(name + ".bn1", x, moments).relu().matmul(weight(".linear2.weight"));
      return batch_norm(name + ".bn2", x, moments).relu();
    case Backbone::kGcn:
      x = gcn_propagate(lists, h).matmul(weight(".linear1.weight"));
      break;
    case Backbone::kSage:
      x = sum_neighbors(lists, h) / lists.length.clamp_min(1);
      x = h.matmul(weight(".self.weight")) + x.matmul(weight(".neighbor.weight"));
      break;
  }
  return batch_norm(name + ".bn1", x, moments).relu();
}

TorchEncoding TorchNetwork::encode(const TorchBatch& batch) const {
  TorchEncoding result;
  std::vector<at::Tensor> states;
  at::Tensor h = batch.features;
  for (std::int32_t l = 0; l < shape().node_layers; ++l) {
    h = layer(fmt::format("node.{}", l), batch.nodes, h, result.moments);
    states.push_back(h);
  }
  result.node_state = at::cat(states, 1);
  result.node_sum = sum_by(batch.node_graph, result.node_state, batch.num_graphs);
  if (!shape().super_graph) {
    result.super_sum = at::zeros({batch.num_graphs, 0}, options());
    result.readout = result.node_sum;
    return result;
  }

  const at::Tensor phi = linear("pool.phi", result.node_state).relu();
  h = linear("pool.rho", sum_by(batch.node_block, phi, batch.num_blocks)).relu();
  states = {h};
  for (std::int32_t l = 0; l < shape().super_layers; ++l) {
    h = layer(fmt::format("super.{}", l), batch.blocks, h, result.moments);
    states.push_back(h);
  }
  result.super_sum = sum_by(batch.block_graph, at::cat(states, 1), batch.num_graphs);
  result.readout = result.super_sum;
  return result;
}

at::Tensor TorchNetwork::classify(const at::Tensor& readout) const {
  if (shape().num_classes == 0) return at::zeros({readout.size(0), 0}, options());
  return linear("classifier", readout);
}

at::Tensor TorchNetwork::project(const at::Tensor& readout) const {
  return linear("projection.linear2", linear("projection.linear1", readout).relu());
}

at::Tensor contrastive_loss(const at::Tensor& view0, const at::Tensor& view1, double temperature) {
  constexpr double kMinimumNorm = 1e-12;
  const std::int64_t graphs = view0.size(0);
  const at::Tensor projected = at::cat({view0, view1});
  const at::Tensor u = projected / projected.norm(2, 1, true).clamp_min(kMinimumNorm);
  const at::Tensor similarity = u.matmul(u.t()) / temperature;

  // Rows i and graphs + i are one graph; the positive of each is the other.
  const at::Tensor same_graph = at::eye(graphs, u.options().dtype(at::kBool)).repeat({2, 2});
  const at::Tensor positive = similarity.diagonal(graphs).repeat(2);
  const at::Tensor others =
      similarity.masked_fill(same_graph, -std::numeric_limits<double>::infinity());
  return (others.logsumexp(1) - positive).mean();
}

TorchLoss training_loss(const TorchNetwork& network, const TrainingStep& step) {
  SGOOD_CHECK(step.original != nullptr || step.view0 != nullptr,
              "a training step needs graphs to classify or views to contrast");
  SGOOD_CHECK((step.view0 == nullptr) == (step.view1 == nullptr),
              "a training step needs both views or none");
  const NetworkShape& shape = network.shape();
  const at::TensorOptions options = network.options();
  const auto encode = [&](const PackedBatch& batch) {
    return network.encode(make_torch_batch(batch, 0, batch.num_graphs, shape, options)).readout;
  };

  TorchLoss loss;
  loss.total = loss.cross_entropy = loss.contrastive = at::zeros({}, options);
  if (step.original != nullptr) {
    SGOOD_CHECK(step.original->num_graphs >= 1, "a batch to classify needs at least one graph");
    SGOOD_CHECK(step.labels.size() == idx(step.original->num_graphs),
                "{} labels were given for {} graphs", step.labels.size(),
                step.original->num_graphs);
    for (const std::int32_t label : step.labels)
      SGOOD_CHECK(label >= 0 && label < shape.num_classes, "label is {} but must be in [0, {})",
                  label, shape.num_classes);
    const std::vector<std::int64_t> labels(step.labels.begin(), step.labels.end());
    loss.cross_entropy = at::cross_entropy_loss(network.classify(encode(*step.original)),
                                                index_tensor(labels, options));
    loss.total = loss.cross_entropy;
  }
  if (step.view0 != nullptr) {
    SGOOD_CHECK(step.view0->num_graphs == step.view1->num_graphs,
                "the views have {} and {} graphs but must have equally many",
                step.view0->num_graphs, step.view1->num_graphs);
    SGOOD_CHECK(step.view0->num_graphs >= 2,
                "the views have {} graphs but contrast needs at least two", step.view0->num_graphs);
    SGOOD_CHECK(step.temperature > 0, "temperature is {} but must be positive", step.temperature);
    loss.contrastive = contrastive_loss(network.project(encode(*step.view0)),
                                        network.project(encode(*step.view1)), step.temperature);
    loss.total = loss.total + step.contrastive_weight * loss.contrastive;
  }
  return loss;
}

}  // namespace sgood

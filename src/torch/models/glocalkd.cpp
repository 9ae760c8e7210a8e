// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>

#include <cmath>
#include <vector>

#include "src/torch/gather_sum.h"
#include "src/torch/layers.h"
#include "src/torch/models/models.h"
#include "src/torch/row_norms.h"

namespace sgood {
namespace {

constexpr int kLayers = 3;
/// Numbers of the teacher that may be kept in memory: 1 GiB.
constexpr std::int64_t kMostKept = std::int64_t{1} << 28;

/// Every graph of `batch` filled up with lonely nodes that show nothing, to `count` nodes each.
GraphTensors padded(const GraphTensors& batch, std::int64_t count) {
  const at::Tensor first = batch.size.squeeze(1).to(at::kLong).cumsum(0).roll(1);
  if (batch.num_graphs > 0) first[0] = 0;
  const at::Tensor moved = at::arange(batch.num_nodes, batch.graph.options()) +
                           batch.graph * count - first.index_select(0, batch.graph);
  const auto spread = [&](const at::Tensor& rows) {
    return gather_sum(rows, {}, moved, batch.num_graphs * count);
  };
  GraphTensors result = batch;
  result.num_nodes = batch.num_graphs * count;
  result.x = spread(batch.x);
  result.degree = spread(batch.degree);
  result.source = moved.index_select(0, batch.source);
  result.target = moved.index_select(0, batch.target);
  result.graph = at::arange(batch.num_graphs, batch.graph.options()).repeat_interleave(count);
  result.size = at::full_like(batch.size, count);
  return result;
}

/// Three graph convolutions (A + I) X W + b with rows of length 1; ReLU and a normalisation without
/// parameters between them.
class Network : public torch::nn::Module {
 public:
  Network(std::int64_t inputs, std::int64_t width, std::int64_t outputs, bool by_position)
      : by_position_(by_position) {
    for (int l = 0; l < kLayers; ++l)
      layers_.push_back(
          register_module("layer" + std::to_string(l),
                          linear(l == 0 ? inputs : width, l + 1 < kLayers ? width : outputs)));
  }

  /// Kaiming-uniform for layers with ReLU, biases 0.
  void initialise_specially(at::Generator& generator) {
    for (torch::nn::Linear& layer : layers_) {
      const double bound = std::sqrt(6.0 / static_cast<double>(layer->options.in_features()));
      layer->weight.uniform_(-bound, bound, generator);
      layer->bias.zero_();
    }
  }

  /// [num_nodes, outputs]
  at::Tensor forward(const GraphTensors& graphs) {
    at::Tensor h = graphs.x;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      h = unit_rows(layers_[l](h + sum_neighbors(graphs, h)));
      if (l + 1 < layers_.size()) h = normalised(graphs, h.relu());
    }
    return h;
  }

 private:
  /// Over the columns of each node; by position: also over the nodes that stand at the same place
  /// of each graph, all graphs having equally many.
  at::Tensor normalised(const GraphTensors& graphs, const at::Tensor& h) const {
    if (!by_position_) return at::layer_norm(h, {h.size(1)});
    const at::Tensor by_graph = h.view(
        {graphs.num_graphs, h.size(0) / std::max<std::int64_t>(graphs.num_graphs, 1), h.size(1)});
    const std::vector<std::int64_t> axes = {0, 2};
    const at::Tensor centred = by_graph - by_graph.mean(axes, true);
    return (centred * (centred.square().mean(axes, true) + 1e-5).rsqrt()).view_as(h);
  }

  bool by_position_;
  std::vector<torch::nn::Linear> layers_;
};

class Glocalkd : public GraphNet {
 public:
  explicit Glocalkd(const GraphModelSpec& spec)
      : options_(spec.options), published_(options_.at("published")) {
    const std::int64_t width = options_.at("width"), outputs = options_.at("outputs");
    const auto network = [&] {
      return std::make_shared<Network>(spec.input_width(), width, outputs, published_);
    };
    teacher_ = register_module("teacher", network());
    student_ = register_module("student", network());
    largest_ = register_buffer("largest", at::zeros({1}));
  }

  std::vector<StagePlan> stages() const override {
    StagePlan plan;
    plan.epochs = options_.at("epochs");
    plan.batch_size = options_.at("batch_size");
    plan.learning_rate = options_.at("learning_rate");
    plan.decay_every = 50;
    plan.decay_counts_steps = true;
    plan.decay = 0.5;
    plan.clip_norm = 0.1;
    return {plan};
  }

  void initialise_specially(at::Generator& generator) override {
    teacher_->initialise_specially(generator);
    student_->initialise_specially(generator);
  }

  std::vector<at::Tensor> trained_in(std::size_t) override { return student_->parameters(); }

  void begin_stage(std::size_t, TrainingGraphs& training, at::Generator&) override {
    std::vector<at::Tensor> outputs;
    std::int64_t nodes = 0;
    first_node_.clear();
    training.for_batches(options_.at("batch_size"), [&](const GraphTensors& batch) {
      largest_.copy_(at::maximum(largest_, batch.size.max()));
      for (const PackedGraph* graph : batch.graphs) {
        first_node_.push_back(nodes);
        nodes += graph->num_nodes();
      }
      if (published_ || nodes * std::int64_t(options_.at("outputs")) > kMostKept) return;
      outputs.push_back(teacher_->forward(batch));
    });
    first_node_.push_back(nodes);
    if (nodes > 0 && !outputs.empty()) kept_ = at::cat(outputs);
    if (kept_.defined() && kept_.size(0) < nodes) kept_.reset();
  }

  /// What the teacher said of the training graphs is not kept any longer.
  void finish(TrainingGraphs&, at::Generator&) override { kept_.reset(); }

  /// Half the square: the published code scales the gradient of the loss by the loss.
  at::Tensor loss(std::size_t, const GraphTensors& batch, at::Generator&) override {
    return errors(batch).mean().square() / 2;
  }

  GraphNetOutput evaluate(const GraphTensors& batch) override {
    GraphNetOutput output;
    output.score = errors(batch);
    return output;
  }

 private:
  /// Mean squared difference of the nodes plus that of the graphs, [num_graphs].
  at::Tensor errors(const GraphTensors& given) {
    const GraphTensors batch =
        published_ ? padded(given, at::maximum(largest_, given.size.max()).item<std::int64_t>())
                   : given;
    const at::Tensor student = student_->forward(batch);
    const at::Tensor teacher = taught(batch);
    const auto readout = [&](const at::Tensor& h) {
      return max_rows(h, batch.graph, batch.num_graphs);
    };
    const at::Tensor of_nodes = (student - teacher).square().mean(1, true);
    return mean_rows(of_nodes, batch.graph, batch.num_graphs).squeeze(1) +
           (readout(student) - readout(teacher)).square().mean(1);
  }

  /// The teacher's output, which is the same in every epoch unless graphs are padded together.
  at::Tensor taught(const GraphTensors& batch) {
    const at::NoGradGuard no_gradients;
    if (!kept_.defined() || batch.position.empty()) return teacher_->forward(batch);
    std::vector<std::int64_t> rows;
    for (const std::int32_t p : batch.position)
      for (std::int64_t v = first_node_[static_cast<std::size_t>(p)];
           v < first_node_[static_cast<std::size_t>(p) + 1]; ++v)
        rows.push_back(v);
    return kept_.index_select(0, at::tensor(rows, at::kLong).to(kept_.device()));
  }

  nlohmann::ordered_json options_;
  bool published_;
  std::shared_ptr<Network> teacher_, student_;
  at::Tensor kept_;  // [nodes of the training graphs, outputs], during training
  std::vector<std::int64_t> first_node_;  // of each training graph, and the end
  at::Tensor largest_;                    // nodes of a training graph
};

}  // namespace

std::shared_ptr<GraphNet> make_glocalkd(const GraphModelSpec& spec) {
  return std::make_shared<Glocalkd>(spec);
}

}  // namespace sgood

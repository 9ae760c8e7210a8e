// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "sgood/core/hash.h"
#include "src/torch/convolution.h"
#include "src/torch/gather_sum.h"
#include "src/torch/models/models.h"
#include "src/torch/row_norms.h"

namespace sgood {
namespace {

/// Graphs up to so many nodes show all their non-edges; of larger ones so many pairs are looked at.
constexpr std::int32_t kAllPairsUpTo = 200;
constexpr std::int64_t kSampledPairs = 20000;
constexpr double kMargin = 1e-4;  // keeps logarithms finite
constexpr int kHeads = 2;

/// Pairs of nodes of a batch.
struct Pairs {
  std::vector<std::int64_t> u, v, graph;
};

using NodePairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

bool has_edge(const PackedGraph& graph, std::int32_t u, std::int32_t v) {
  const auto row = static_cast<std::size_t>(u);
  return std::binary_search(graph.col.begin() + graph.row_ptr[row],
                            graph.col.begin() + graph.row_ptr[row + 1], v);
}

NodePairs all_absent(const PackedGraph& graph) {
  NodePairs pairs;
  for (std::int32_t u = 0; u < graph.num_nodes(); ++u)
    for (std::int32_t v = u + 1; v < graph.num_nodes(); ++v)
      if (!has_edge(graph, u, v)) pairs.emplace_back(u, v);
  return pairs;
}

/// Those without an edge of `tries` random pairs.
NodePairs sampled_absent(const PackedGraph& graph, std::int64_t tries, Rng& rng) {
  const auto n = static_cast<std::uint64_t>(graph.num_nodes());
  NodePairs pairs;
  for (std::int64_t i = 0; i < tries; ++i) {
    const auto u = static_cast<std::int32_t>(rng.below(n));
    const auto v = static_cast<std::int32_t>(rng.below(n));
    if (u != v && !has_edge(graph, u, v)) pairs.emplace_back(u, v);
  }
  return pairs;
}

/// The same for the same graph.
Rng own_rng(const PackedGraph& graph) {
  return Rng(hash64(
      {reinterpret_cast<const char*>(graph.col.data()), graph.col.size() * sizeof(std::int32_t)}));
}

/// `absent` of each graph, as nodes of the batch.
template <typename Absent>
Pairs collect(const GraphTensors& batch, Absent absent) {
  Pairs pairs;
  std::int64_t first = 0, g = 0;
  for (const PackedGraph* graph : batch.graphs) {
    for (const auto& [u, v] : absent(*graph)) {
      pairs.u.push_back(first + u);
      pairs.v.push_back(first + v);
      pairs.graph.push_back(g);
    }
    first += graph->num_nodes();
    ++g;
  }
  return pairs;
}

Pairs all_non_edges(const GraphTensors& batch) {
  return collect(batch, [](const PackedGraph& graph) {
    if (graph.num_nodes() <= kAllPairsUpTo) return all_absent(graph);
    Rng rng = own_rng(graph);
    return sampled_absent(graph, kSampledPairs, rng);
  });
}

/// As many of each graph as it has edges, drawn with replacement; none where there are none.
Pairs some_non_edges(const GraphTensors& batch, Rng& rng) {
  return collect(batch, [&](const PackedGraph& graph) {
    const auto wanted = std::ssize(graph.col) / 2;
    if (graph.num_nodes() > kAllPairsUpTo) return sampled_absent(graph, wanted, rng);
    const NodePairs absent = all_absent(graph);
    NodePairs chosen;
    while (!absent.empty() && std::ssize(chosen) < wanted)
      chosen.push_back(absent[rng.below(absent.size())]);
    return chosen;
  });
}

class Graphde : public GraphNet {
 public:
  explicit Graphde(const GraphModelSpec& spec)
      : options_(spec.options),
        classes_(std::max(spec.num_classes, 1)),
        width_(options_.at("width")),
        amortised_(options_.at("variant") == "amortised"),
        published_(options_.at("published")) {
    const std::string backbone = options_.at("backbone");
    structure_ = register_module("structure", linear(spec.input_width(), kHeads * width_));
    if (classes_ < 2) return;
    for (int l = 0; l < int(options_.at("layers")); ++l)
      convolutions_.push_back(register_module(
          "layer" + std::to_string(l),
          std::make_shared<Convolution>(backbone, l == 0 ? spec.input_width() : width_, width_)));
    classifier_ =
        register_module("classifier", std::make_shared<Perceptron>(width_, 2 * width_, classes_));
  }

  std::vector<StagePlan> stages() const override {
    StagePlan plan;
    plan.epochs = options_.at("epochs");
    plan.batch_size = options_.at("batch_size");
    plan.learning_rate = options_.at("learning_rate");
    plan.one_step_an_epoch = true;
    return {plan};
  }

  void begin_stage(std::size_t, TrainingGraphs& training, at::Generator&) override {
    if (!amortised_) environment_ = at::ones({training.size(), 2}, structure_->weight.options());
  }

  std::vector<at::Tensor> trained_in(std::size_t) override {
    std::vector<at::Tensor> all = parameters();
    if (environment_.defined()) all.push_back(environment_.requires_grad_());
    return all;
  }

  at::Tensor loss(std::size_t, const GraphTensors& batch, at::Generator& generator) override {
    Rng rng = make_rng(generator);
    const at::Tensor of_structure = structure_loss(batch, some_non_edges(batch, rng));
    const at::Tensor of_class = classes_ < 2 ? at::zeros_like(of_structure)
                                             : at::cross_entropy_loss(classify(batch), batch.label,
                                                                      {}, at::Reduction::None);
    const at::Tensor log_in_out = environment(batch, of_structure + of_class);
    const at::Tensor in = log_in_out.select(1, 0).exp(), out = log_in_out.select(1, 1).exp();
    const double uniform = std::log(classes_) + std::log(2);
    return (in * (of_class + of_structure) + out * uniform + divergence(log_in_out)).mean();
  }

  GraphNetOutput evaluate(const GraphTensors& batch) override {
    Rng fixed(0);
    GraphNetOutput output;
    output.score =
        structure_loss(batch, published_ ? some_non_edges(batch, fixed) : all_non_edges(batch));
    if (classes_ >= 2) output.logits = classify(batch);
    return output;
  }

 private:
  /// Half the sum of the means of -log p over the edges and of -log(1 - p) over `absent`, where p
  /// is the mean over heads of (1 + cos) / 2, [num_graphs]; a mean of nothing is 0.
  at::Tensor structure_loss(const GraphTensors& batch, const Pairs& absent) {
    const at::Tensor q = structure_(batch.x).relu_().view({batch.num_nodes, kHeads, width_});
    const at::Tensor unit = unit_rows(q).flatten(1);
    const auto probability = [&](const at::Tensor& u, const at::Tensor& v) {
      const at::Tensor cosines = (gather_rows(unit, u) * gather_rows(unit, v)).sum(1, true);
      return (1 + cosines / kHeads) / 2;
    };
    const auto indices = [&](const std::vector<std::int64_t>& values) {
      return at::tensor(values, at::kLong).to(batch.graph.device());
    };
    const at::Tensor present = -(probability(batch.source, batch.target) + kMargin).log();
    const at::Tensor missing =
        -(1 - probability(indices(absent.u), indices(absent.v)) + kMargin).log();
    const at::Tensor edge_graph = batch.graph.index_select(0, batch.target);
    return (mean_rows(present, edge_graph, batch.num_graphs) +
            mean_rows(missing, indices(absent.graph), batch.num_graphs))
               .squeeze(1) /
           2;
  }

  /// [num_graphs, num_classes]
  at::Tensor classify(const GraphTensors& batch) {
    at::Tensor h = batch.x;
    for (std::size_t l = 0; l < convolutions_.size(); ++l) {
      h = convolutions_[l]->forward(batch, h);
      if (l + 1 < convolutions_.size()) h = h.relu_();
    }
    return classifier_->forward(max_rows(h, batch.graph, batch.num_graphs));
  }

  /// Logarithms of the probabilities that each graph is in and out, [num_graphs, 2].
  at::Tensor environment(const GraphTensors& batch, const at::Tensor& cost) const {
    if (amortised_) {
      const at::Tensor out = at::full_like(cost, -std::log(2.0 * classes_));
      return at::log_softmax(at::stack({-cost, out}, 1), 1);
    }
    const std::vector<std::int64_t> position(batch.position.begin(), batch.position.end());
    return at::log_softmax(
        environment_.index_select(0, at::tensor(position, at::kLong).to(environment_.device())), 1);
  }

  /// KL of the prior from the environment of each graph.
  at::Tensor divergence(const at::Tensor& log_in_out) const {
    const double out = options_.at("outlier_share");
    const at::Tensor prior = at::tensor({1 - out, out}, at::kDouble).to(log_in_out.options());
    return (prior * (prior.log() - log_in_out)).sum(1);
  }

  nlohmann::ordered_json options_;
  int classes_;
  std::int64_t width_;
  bool amortised_, published_;
  torch::nn::Linear structure_ = nullptr;
  std::vector<std::shared_ptr<Convolution>> convolutions_;
  std::shared_ptr<Perceptron> classifier_;
  at::Tensor environment_;  // [training graphs, 2] logits; of training alone
};

}  // namespace

std::shared_ptr<GraphNet> make_graphde(const GraphModelSpec& spec) {
  return std::make_shared<Graphde>(spec);
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>

#include <algorithm>

#include "src/torch/convolution.h"
#include "src/torch/k_means.h"
#include "src/torch/models/models.h"
#include "src/torch/random_walk.h"
#include "src/torch/row_norms.h"

namespace sgood {
namespace {

constexpr int kWalkSteps = 16;
constexpr int kDegreeBins = 16;  // the last one: 15 and more
constexpr double kTiny = 1e-12;

/// -1/2 (log s_ii / (sum over j != i of s_ji) + log s_ii / (sum over j != i of s_ij)) for each i,
/// with s = exp(similarity) and 1e-12 added to both sums.
at::Tensor contrast(const at::Tensor& similarity) {
  const at::Tensor s = similarity.exp();
  const at::Tensor self = at::eye(s.size(0), s.options().dtype(at::kBool));
  const at::Tensor others = s.masked_fill(self, 0);
  return ((others.sum(0) + kTiny).log() + (others.sum(1) + kTiny).log()) / 2 -
         similarity.diagonal();
}

/// Graphs, their nodes, and both views together; rows of length 1 but for `group`.
struct Embedding {
  at::Tensor graph_f, graph_s;  ///< [num_graphs, width]
  at::Tensor node_f, node_s;    ///< [num_nodes, width]
  at::Tensor group;             ///< [num_graphs, width]
};

class GoodD : public GraphNet {
 public:
  explicit GoodD(const GraphModelSpec& spec)
      : options_(spec.options), tau_(options_.at("tau")), published_(options_.at("published")) {
    const int layers = options_.at("layers");
    const std::int64_t hidden = options_.at("width"), width = layers * hidden;
    const auto encoder = [&](const std::string& name, std::int64_t inputs) {
      return register_module(
          name, std::make_shared<ConvolutionStack>(options_.at("backbone"), inputs, hidden, layers,
                                                   true, StackNorm::kNone));
    };
    encoder_f_ = encoder("encoder_f", spec.input_width());
    encoder_s_ = encoder("encoder_s", kWalkSteps + kDegreeBins);
    const auto head = [&](const std::string& name, std::int64_t inputs) {
      heads_.push_back(register_module(name, std::make_shared<Perceptron>(inputs, width, width)));
      return heads_.back();
    };
    graph_f_ = head("graph_f", width);
    graph_s_ = head("graph_s", width);
    node_f_ = head("node_f", width);
    node_s_ = head("node_s", width);
    group_ = head("group", 2 * width);
    const auto empty = [&](const std::string& name) {
      return register_buffer(name, at::empty({0}));
    };
    prototype_ = empty("prototype");
    density_ = empty("density");
    bank_f_ = empty("bank_f");
    bank_s_ = empty("bank_s");
    mean_ = register_buffer("mean", at::zeros({3}));
    deviation_ = register_buffer("deviation", at::ones({3}));
  }

  std::vector<StagePlan> stages() const override {
    StagePlan plan;
    plan.epochs = options_.at("epochs");
    plan.batch_size = options_.at("batch_size");
    plan.learning_rate = options_.at("learning_rate");
    return {plan};
  }

  void initialise_specially(at::Generator& generator) override {
    for (const auto& head : heads_) head->initialise_xavier(generator);
  }

  void begin_stage(std::size_t, TrainingGraphs& training, at::Generator&) override {
    walks_.clear();
    for_all(training, [&](const GraphTensors& batch) {
      for (const PackedGraph* graph : batch.graphs) walks_.push_back(walk_returns(*graph));
    });
  }

  void begin_epoch(std::size_t, int, TrainingGraphs& training, at::Generator& generator) override {
    find_prototypes(training, generator);
    seen_.clear();
  }

  at::Tensor loss(std::size_t, const GraphTensors& batch, at::Generator&) override {
    const Embedding e = embed(batch);
    const at::Tensor position = at::tensor(
        std::vector<std::int64_t>(batch.position.begin(), batch.position.end()), at::kLong);
    const at::Tensor own = cluster_.index_select(0, position.to(cluster_.device()));
    const at::Tensor losses = at::stack(
        {contrast(similarity(e.graph_f, e.graph_s)), node_losses(batch, e), group_loss(e, own)}, 1);
    const at::Tensor known = has_terms(batch);
    seen_.push_back(at::stack({losses.detach(), known}));
    const at::Tensor means = (losses * known).sum(0) / known.sum(0).clamp_min(1);
    // The deviations are those of the epoch before; in the first all weights are 1.
    const at::Tensor strength = deviation_.pow(double(options_.at("alpha")));
    return (means * strength / strength.mean()).sum();
  }

  void end_epoch(std::size_t, int, TrainingGraphs&, at::Generator&) override {
    const at::Tensor all = at::cat(seen_, 1);
    standardise_by(all[0], all[1]);
  }

  void finish(TrainingGraphs& training, at::Generator& generator) override {
    find_prototypes(training, generator);
    if (!published_) fill_bank(training, generator);
    walks_.clear();
  }

  GraphNetOutput evaluate(const GraphTensors& batch) override {
    const Embedding e = embed(batch);
    const at::Tensor graph =
        published_ ? contrast(similarity(e.graph_f, e.graph_s)) : contrast_with_bank(e);
    return {unusualness(batch, e, graph), {}, {}};
  }

 private:
  template <typename Work>
  void for_all(TrainingGraphs& training, Work work) {
    training.for_batches(options_.at("batch_size"), work);
  }

  at::Tensor similarity(const at::Tensor& a, const at::Tensor& b) const {
    return at::matmul(a, b.t()) / tau_;
  }

  /// Return probabilities of a random walk, and the degree, [num_nodes, 32].
  at::Tensor structure(const GraphTensors& batch) const {
    std::vector<at::Tensor> walks;
    for (std::size_t g = 0; g < batch.graphs.size(); ++g)
      walks.push_back(batch.position.empty() || walks_.empty()
                          ? walk_returns(*batch.graphs[g])
                          : walks_[static_cast<std::size_t>(batch.position[g])]);
    const at::Tensor degree = batch.degree.squeeze(1).to(at::kLong).clamp_max(kDegreeBins - 1);
    return at::cat({at::cat(walks).to(batch.x.options()),
                    at::one_hot(degree, kDegreeBins).to(batch.x.options())},
                   1);
  }

  static at::Tensor walk_returns(const PackedGraph& graph) {
    return at::tensor(walk_return_probabilities(graph, kWalkSteps), at::kFloat)
        .view({graph.num_nodes(), kWalkSteps});
  }

  Embedding embed(const GraphTensors& batch) {
    const at::Tensor nodes_f = encoder_f_->forward(batch, batch.x);
    const at::Tensor nodes_s = encoder_s_->forward(batch, structure(batch));
    const at::Tensor sum_f = sum_rows(nodes_f, batch.graph, batch.num_graphs);
    const at::Tensor sum_s = sum_rows(nodes_s, batch.graph, batch.num_graphs);
    return {unit_rows(graph_f_->forward(sum_f)), unit_rows(graph_s_->forward(sum_s)),
            unit_rows(node_f_->forward(nodes_f)), unit_rows(node_s_->forward(nodes_s)),
            group_->forward(at::cat({sum_f, sum_s}, 1))};
  }

  /// [num_graphs]; 0 for a graph of fewer than two nodes, which has_terms() tells.
  at::Tensor node_losses(const GraphTensors& batch, const Embedding& e) const {
    std::vector<std::int64_t> sizes;
    for (const PackedGraph* graph : batch.graphs) sizes.push_back(graph->num_nodes());
    const auto f = e.node_f.split_with_sizes(sizes), s = e.node_s.split_with_sizes(sizes);
    std::vector<at::Tensor> losses;
    for (std::size_t g = 0; g < sizes.size(); ++g)
      losses.push_back(sizes[g] < 2 ? at::zeros({}, e.node_f.options())
                                    : contrast(similarity(f[g], s[g])).mean());
    return at::stack(losses);
  }

  /// 1 for each loss that a graph has and else 0, [num_graphs, 3].
  static at::Tensor has_terms(const GraphTensors& batch) {
    const at::Tensor always = at::ones_like(batch.size);
    return at::cat({always, batch.size.ge(2).to(always.options()), always}, 1);
  }

  /// cos / (tau density) to each prototype, [num_graphs, clusters].
  at::Tensor prototype_similarity(const Embedding& e) const {
    return similarity(unit_rows(e.group), prototype_) / density_;
  }

  /// -log(s_own / (sum over the other prototypes of s) + 1e-12), [num_graphs].
  at::Tensor group_loss(const Embedding& e, const at::Tensor& own) const {
    const at::Tensor s = prototype_similarity(e).exp();
    const at::Tensor mine = s.gather(1, own.unsqueeze(1));
    const at::Tensor others = s.scatter(1, own.unsqueeze(1), 0).sum(1, true) + kTiny;
    return -(mine / others + kTiny).log().squeeze(1);
  }

  void find_prototypes(TrainingGraphs& training, at::Generator& generator) {
    constexpr int kIterations = 20, kRestarts = 5;
    std::vector<at::Tensor> groups;
    for_all(training, [&](const GraphTensors& batch) { groups.push_back(embed(batch).group); });
    const Clusters found =
        k_means(at::cat(groups), options_.at("clusters"), kIterations, kRestarts, generator);
    cluster_ = found.cluster;
    prototype_.set_data(unit_rows(found.centroid));
    density_.set_data(densities(found));
  }

  /// Mean distance to the centroid, damped in small clusters, without extremes, around 1.5.
  static at::Tensor densities(const Clusters& found) {
    const std::int64_t k = found.centroid.size(0);
    const at::Tensor size =
        at::bincount(found.cluster, {}, k).to(found.distance.options()).unsqueeze(1);
    const at::Tensor density =
        mean_rows(found.distance.unsqueeze(1), found.cluster, k) / (size + 10).log();
    const at::Tensor filled = at::where(size > 1, density, density.max()).squeeze(1);
    const at::Tensor clipped =
        at::minimum(at::maximum(filled, filled.quantile(0.3)), filled.quantile(0.7));
    return clipped / clipped.mean().clamp_min(kTiny) + 0.5;
  }

  /// Mean and deviation of the three `losses` [num_graphs, 3] over the graphs that have them.
  void standardise_by(const at::Tensor& losses, const at::Tensor& known) {
    const at::Tensor count = known.sum(0).clamp_min(1);
    mean_.copy_((losses * known).sum(0) / count);
    deviation_.copy_((((losses - mean_).square() * known).sum(0) / count).sqrt().clamp_min(1e-6));
  }

  /// Negatives for the graph loss of any graph, and what is usual among them.
  void fill_bank(TrainingGraphs& training, at::Generator& generator) {
    const std::int64_t size = std::min<std::int64_t>(training.size(), options_.at("bank"));
    const at::Tensor chosen =
        std::get<0>(at::randperm(training.size(), generator, at::kLong).narrow(0, 0, size).sort());
    std::vector<std::int32_t> positions(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i)
      positions[static_cast<std::size_t>(i)] = chosen[i].item<std::int32_t>();

    std::vector<at::Tensor> f, s, nodes, groups, known;
    constexpr std::size_t kChunk = 64;
    for (std::size_t first = 0; first < positions.size(); first += kChunk) {
      const GraphTensors batch = training.batch(
          std::span(positions).subspan(first, std::min(kChunk, positions.size() - first)));
      const Embedding e = embed(batch);
      f.push_back(e.graph_f);
      s.push_back(e.graph_s);
      nodes.push_back(node_losses(batch, e));
      groups.push_back(group_loss(e, nearest(e)));
      known.push_back(has_terms(batch));
    }
    bank_f_.set_data(at::cat(f));
    bank_s_.set_data(at::cat(s));
    const at::Tensor graphs = contrast(similarity(bank_f_, bank_s_));
    standardise_by(at::stack({graphs, at::cat(nodes), at::cat(groups)}, 1), at::cat(known));
  }

  at::Tensor nearest(const Embedding& e) const { return prototype_similarity(e).argmax(1); }

  /// The graph loss with the bank as the other graphs.
  at::Tensor contrast_with_bank(const Embedding& e) const {
    const auto log_sum = [&](const at::Tensor& own, const at::Tensor& bank) {
      return (similarity(own, bank).exp().sum(1) + kTiny).log();
    };
    return (log_sum(e.graph_s, bank_f_) + log_sum(e.graph_f, bank_s_)) / 2 -
           (e.graph_f * e.graph_s).sum(1) / tau_;
  }

  /// The sum of the three standardised losses, [num_graphs].
  at::Tensor unusualness(const GraphTensors& batch, const Embedding& e,
                         const at::Tensor& graph) const {
    const at::Tensor group =
        published_ ? std::get<0>(prototype_similarity(e).min(1)).exp() : group_loss(e, nearest(e));
    const at::Tensor losses = at::stack({graph, node_losses(batch, e), group}, 1);
    return (has_terms(batch) * (losses - mean_) / deviation_).sum(1);
  }

  nlohmann::ordered_json options_;
  double tau_;
  bool published_;
  std::shared_ptr<ConvolutionStack> encoder_f_, encoder_s_;
  std::vector<std::shared_ptr<Perceptron>> heads_;
  std::shared_ptr<Perceptron> graph_f_, graph_s_, node_f_, node_s_, group_;
  at::Tensor prototype_, density_;  // [clusters, width], [clusters]
  at::Tensor bank_f_, bank_s_;      // [bank, width]
  at::Tensor mean_, deviation_;     // [3] of the losses of training graphs
  // Of training alone: returns of each graph, cluster of each graph, losses seen in the epoch.
  std::vector<at::Tensor> walks_;
  at::Tensor cluster_;
  std::vector<at::Tensor> seen_;
};

}  // namespace

std::shared_ptr<GraphNet> make_good_d(const GraphModelSpec& spec) {
  return std::make_shared<GoodD>(spec);
}

}  // namespace sgood

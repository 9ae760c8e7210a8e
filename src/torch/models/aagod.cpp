// SPDX-License-Identifier: MIT
#include <ATen/ATen.h>

#include "sgood/augment/augmentation.h"
#include "sgood/graph/batch_writer.h"
#include "src/torch/convolution.h"
#include "src/torch/gather_sum.h"
#include "src/torch/local_outlier_factor.h"
#include "src/torch/models/models.h"
#include "src/torch/torch_network.h"

namespace sgood {
namespace {

constexpr int kLayers = 5;
constexpr std::int64_t kHidden = 32, kWidth = kLayers * kHidden, kAmplifierHidden = 64;
constexpr double kMeanReduction = 0.4;        // of edge weights in training
constexpr double kSmallestEigenvalue = 1e-8;  // of the largest; below is rounding

/// A Gaussian as its mean [width] and the pseudo-inverse of its covariance [width, width].
struct Gaussian {
  at::Tensor mean, precision;

  /// Of the rows of `z`, at least two.
  explicit Gaussian(const at::Tensor& z) : mean(z.mean(0)) {
    const at::Tensor centred = z - mean;
    const at::Tensor covariance = at::matmul(centred.t(), centred) / (z.size(0) - 1);
    precision = at::linalg_pinv(covariance, /*atol=*/0.0, kSmallestEigenvalue, /*hermitian=*/true);
  }
  Gaussian(at::Tensor given_mean, at::Tensor given_precision)
      : mean(std::move(given_mean)), precision(std::move(given_precision)) {}

  /// Squared Mahalanobis distances of rows, [num_rows].
  at::Tensor distance(const at::Tensor& rows) const {
    const at::Tensor centred = rows - mean;
    return (at::matmul(centred, precision) * centred).sum(1);
  }
};

class Aagod : public GraphNet {
 public:
  enum Stage : std::size_t { kPreTraining, kAmplifier };

  explicit Aagod(const GraphModelSpec& spec)
      : spec_(spec),
        options_(spec_.options),
        published_(options_.at("published")),
        by_density_(options_.at("outlier_score") == "lof") {
    encoder_ = register_module(
        "encoder", std::make_shared<ConvolutionStack>("gin", spec.input_width(), kHidden, kLayers,
                                                      true, StackNorm::kLearned));
    projection_ =
        register_module("projection", std::make_shared<Perceptron>(kWidth, kWidth, kWidth));
    amplifier_ =
        register_module("amplifier", std::make_shared<Perceptron>(2 * kWidth, kAmplifierHidden, 1));
    if (by_density_) {
      // Filled by finish().
      const auto empty = [&](const char* name) { return register_buffer(name, at::zeros({0})); };
      factor_ = {empty("point"), empty("reach"), empty("density")};
    } else {
      mean_ = register_buffer("mean", at::zeros({kWidth}));
      precision_ = register_buffer("precision", at::zeros({kWidth, kWidth}));
    }
  }

  std::vector<StagePlan> stages() const override {
    StagePlan contrast;
    contrast.name = "pre-training";
    contrast.epochs = options_.at("pretrain_epochs");
    contrast.learning_rate = options_.at("pretrain_lr");
    StagePlan amplifier;
    amplifier.name = "amplifier";
    amplifier.epochs = options_.at("epochs");
    amplifier.batch_size = options_.at("batch_size");
    amplifier.learning_rate = options_.at("learning_rate");
    return {contrast, amplifier};
  }

  void initialise_specially(at::Generator& generator) override {
    amplifier_->initialise_xavier(generator);
  }

  void begin_stage(std::size_t stage, TrainingGraphs&, at::Generator&) override {
    if (stage != kAmplifier) return;
    for (const auto& frozen : frozen_parts()) {
      frozen->eval();
      for (at::Tensor& parameter : frozen->parameters()) parameter.set_requires_grad(false);
    }
  }

  std::vector<at::Tensor> trained_in(std::size_t stage) override {
    if (stage == kAmplifier) return amplifier_->parameters();
    std::vector<at::Tensor> result;
    for (const auto& part : frozen_parts())
      for (const at::Tensor& parameter : part->parameters()) result.push_back(parameter);
    return result;
  }

  at::Tensor loss(std::size_t stage, const GraphTensors& batch, at::Generator& generator) override {
    return stage == kPreTraining ? contrast(batch, generator) : separation(batch, generator);
  }

  void finish(TrainingGraphs& training, at::Generator& generator) override {
    std::vector<at::Tensor> all;
    training.for_batches(options_.at("batch_size"), [&](const GraphTensors& batch) {
      all.push_back(represent(batch, scoring_weights(batch, generator)));
    });
    if (by_density_) {
      const LocalOutlierFactor found = LocalOutlierFactor::fit(at::cat(all));
      factor_.point.set_data(found.point);
      factor_.reach.set_data(found.reach);
      factor_.density.set_data(found.density);
    } else {
      const Gaussian gaussian(at::cat(all));
      mean_.copy_(gaussian.mean);
      precision_.copy_(gaussian.precision);
    }
  }

  GraphNetOutput evaluate(const GraphTensors& batch) override {
    at::Generator fixed = make_generator(Rng(0));
    GraphNetOutput output;
    output.representation = represent(batch, scoring_weights(batch, fixed));
    output.score = by_density_ ? factor_.score(output.representation)
                               : Gaussian(mean_, precision_).distance(output.representation);
    return output;
  }

 private:
  std::vector<std::shared_ptr<torch::nn::Module>> frozen_parts() const {
    return {encoder_, projection_};
  }

  /// [num_graphs, width]; without weights every edge counts 1.
  at::Tensor represent(const GraphTensors& batch, const at::Tensor& edge_weight = {}) {
    return projection_->forward(
        sum_rows(encoder_->forward(batch, batch.x, edge_weight), batch.graph, batch.num_graphs));
  }

  /// Contrast of two views of each graph: one lacks nodes, the other has some edges moved.
  at::Tensor contrast(const GraphTensors& batch, at::Generator& generator) {
    const AugmentationContext context{.training = {}, .ratio = 0.2};
    Rng rng = make_rng(generator);
    std::vector<at::Tensor> views;
    for (const char* name : {"node-drop", "edge-perturb"}) {
      PackedBatch view;
      BatchWriter writer(view, spec_.code_columns, spec_.num_dense, false);
      const auto augmentation = make_augmentation(name, context);
      for (const PackedGraph* graph : batch.graphs) augmentation->write_view(*graph, rng, writer);
      writer.finish();
      views.push_back(represent(make_graph_tensors(view, spec_, batch.x.options())));
    }
    return contrastive_loss(views[0], views[1], options_.at("tau"));
  }

  /// What the amplifier says of each edge, [2 num_edges, 1].
  at::Tensor edge_logits(const GraphTensors& batch) {
    const at::Tensor h = [&] {
      const at::NoGradGuard no_gradients;
      return encoder_->forward(batch, batch.x);
    }();
    return amplifier_->forward(
        at::cat({gather_rows(h, batch.source), gather_rows(h, batch.target)}, 1));
  }

  /// sigmoid(logit + log e - log(1 - e)), e uniform.
  static at::Tensor noisy(const at::Tensor& logits, at::Generator& generator) {
    constexpr double kEdge = 1e-4;
    const at::Tensor e = at::empty(logits.sizes(), at::kDouble)
                             .uniform_(kEdge, 1 - kEdge, generator)
                             .to(logits.options());
    return (logits + e.log() - (1 - e).log()).sigmoid();
  }

  at::Tensor scoring_weights(const GraphTensors& batch, at::Generator& generator) {
    const at::Tensor logits = edge_logits(batch);
    return published_ ? noisy(logits, generator) : logits.sigmoid();
  }

  /// Noisy weights w, times 0.4 over the mean of 1 - w: over the edges of a graph, then over
  /// graphs.
  at::Tensor training_weights(const GraphTensors& batch, at::Generator& generator) {
    const at::Tensor weight = noisy(edge_logits(batch), generator);
    const at::Tensor graph = batch.graph.index_select(0, batch.target);
    const at::Tensor reduction = mean_rows(1 - weight, graph, batch.num_graphs).mean();
    return weight * (kMeanReduction / reduction.clamp_min(1e-6));
  }

  /// Graphs with weights w must be a tight Gaussian, those with weights w - 1 far from it.
  at::Tensor separation(const GraphTensors& batch, at::Generator& generator) {
    const at::Tensor weight = training_weights(batch, generator);
    const at::Tensor inside = represent(batch, weight).to(at::kDouble);
    const at::Tensor outside = represent(batch, weight - 1).to(at::kDouble);
    const Gaussian gaussian(inside);
    return gaussian.distance(inside).mean() +
           double(options_.at("lambda1")) / gaussian.distance(outside).mean().clamp_min(1e-6) +
           double(options_.at("lambda2")) * ((weight - 1).square().sum() + 1e-24).sqrt();
  }

  GraphModelSpec spec_;
  const nlohmann::ordered_json& options_;
  bool published_, by_density_;
  std::shared_ptr<ConvolutionStack> encoder_;
  std::shared_ptr<Perceptron> projection_, amplifier_;
  at::Tensor mean_, precision_;
  LocalOutlierFactor factor_;
};

}  // namespace

std::shared_ptr<GraphNet> make_aagod(const GraphModelSpec& spec) {
  return std::make_shared<Aagod>(spec);
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sgood/core/rng.h"
#include "sgood/nn/graph_model.h"
#include "src/torch/graph_tensors.h"

namespace sgood {

/// How one stage of a training goes. Adam; each stage starts with fresh moments.
struct StagePlan {
  std::string name = "training";
  int epochs = 0;
  int batch_size = 128;
  double learning_rate = 0.001;
  double weight_decay = 0;
  int decay_every = 0;  ///< Epochs after which the learning rate is multiplied; 0: never.
  bool decay_counts_steps = false;  ///< Steps instead of epochs.
  double decay = 1;                 ///< The factor.
  double clip_norm = 0;             ///< Largest norm of the whole gradient; 0: no limit.
  bool one_step_an_epoch = false;   ///< Gradients of all batches are averaged into one step.
};

/// The training graphs, in batches.
class TrainingGraphs {
 public:
  TrainingGraphs(std::span<const PackedGraph> graphs, const GraphModelSpec& spec,
                 const at::TensorOptions& options);

  std::int64_t size() const { return std::ssize(graphs_); }
  /// The graphs at `positions` (all when empty) as one batch; valid as long as this object and
  /// `positions` and until the next call of batch().
  GraphTensors batch(std::span<const std::int32_t> positions = {});
  /// Calls `work` with batches of at most `batch_size` graphs, in order, until all had their turn.
  template <typename Work>
  void for_batches(int batch_size, Work work);

 private:
  std::span<const PackedGraph> graphs_;
  const GraphModelSpec& spec_;
  at::TensorOptions options_;
  std::vector<std::int32_t> everywhere_;
  std::vector<const PackedGraph*> selected_;
};

/// Tensors that say something of each graph of a batch; undefined: not said.
struct GraphNetOutput {
  at::Tensor score;           ///< [num_graphs]
  at::Tensor representation;  ///< [num_graphs, width]
  at::Tensor logits;          ///< [num_graphs, num_classes]
};

/// A model as LibTorch sees it: parameters and buffers are registered with torch::nn::Module, so
/// that they are initialised, trained, moved, saved and loaded without further work. All that
/// a trained model needs to score must be a parameter or a buffer.
class GraphNet : public torch::nn::Module {
 public:
  /// The stages of training, in order.
  virtual std::vector<StagePlan> stages() const = 0;
  /// The parameters that `stage` trains; all by default.
  virtual std::vector<at::Tensor> trained_in(std::size_t stage) {
    (void)stage;
    return parameters();
  }
  /// Overwrites what initialise() (below) set, for parameters that start otherwise.
  virtual void initialise_specially(at::Generator& generator) { (void)generator; }
  /// Before a stage, outside autograd, and before trained_in() is asked.
  virtual void begin_stage(std::size_t stage, TrainingGraphs& training, at::Generator& generator);
  /// Before and after each epoch, outside autograd. `training` gives batches of the training
  /// graphs.
  virtual void begin_epoch(std::size_t stage, int epoch, TrainingGraphs& training,
                           at::Generator& generator);
  virtual void end_epoch(std::size_t stage, int epoch, TrainingGraphs& training,
                         at::Generator& generator);
  /// After the last stage, in evaluation mode and outside autograd: what scoring needs of the
  /// training graphs.
  virtual void finish(TrainingGraphs& training, at::Generator& generator);

  /// The loss of a batch: one number, differentiable. `generator` is the only source of randomness.
  virtual at::Tensor loss(std::size_t stage, const GraphTensors& batch,
                          at::Generator& generator) = 0;

  /// In evaluation mode, outside autograd, in double precision, without randomness; must not change
  /// the model.
  virtual GraphNetOutput evaluate(const GraphTensors& batch) = 0;
};

/// Linear layers uniform in +-1/sqrt(inputs), batch norms 1 and 0, other matrices Xavier-uniform,
/// other vectors left as constructed: from `generator` alone, in the order of registration.
void initialise(torch::nn::Module& module, at::Generator& generator);

/// LibTorch's generator seeded from ours, and ours from LibTorch's, which moves on.
at::Generator make_generator(Rng rng);
Rng make_rng(at::Generator& generator);

template <typename Work>
void TrainingGraphs::for_batches(int batch_size, Work work) {
  std::vector<std::int32_t> positions;
  for (std::int32_t g = 0; g < size(); ++g) {
    positions.push_back(g);
    if (std::ssize(positions) < batch_size && g + 1 < size()) continue;
    work(batch(positions));
    positions.clear();
  }
}

}  // namespace sgood

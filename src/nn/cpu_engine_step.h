// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "sgood/nn/engine.h"
#include "src/nn/cpu_engine_losses.h"
#include "src/nn/cpu_engine_pass.h"

namespace sgood::cpu {

/// Losses and gradients of training steps over one table of kernels, in float or double.
template <typename T>
class StepRunner {
 public:
  StepRunner(const NetworkShape& shape, const KernelTable<T>& kernels, Folding folding);

  /// See Engine::loss_and_gradient().
  StepLoss loss_and_gradient(const TrainingStep& step, std::span<const T> parameters,
                             std::span<T> gradient);
  /// See Engine::batch_statistics().
  void batch_statistics(const PackedBatch& batch, std::span<const T> parameters,
                        std::span<double> statistics);
  const std::shared_ptr<const Model<T>>& model() const { return model_; }

 private:
  /// A batch after its forward pass, and the gradient of its readouts, [num_graphs, readout_width].
  struct Encoded {
    const PackedBatch* batch = nullptr;
    const T* readout = nullptr;
    T* gradient = nullptr;
  };
  void check(const TrainingStep& step) const;
  void transpose_weights(const T* parameters);

  std::shared_ptr<const Model<T>> model_;
  std::vector<Weight> weights_;
  std::vector<T> transposed_;  // each weight of `weights_` at its own offset
  PassScratch<T> scratch_;
  std::array<Pass<T>, 3> passes_;  // one for each batch of a step
  CrossEntropy<T> cross_entropy_;
  Contrast<T> contrast_;
};

/// The engine for `shape` over `kernels`, whose lanes divide the width.
std::unique_ptr<Engine> make_engine_with(const NetworkShape& shape,
                                         const KernelTable<float>& kernels, Folding folding);

/// See FrozenNetwork::input_gradient(); plain loops in double.
Matrix input_gradient(const NetworkShape& shape, std::span<const float> parameters,
                      std::span<const double> statistics, const PackedBatch& batch,
                      double temperature);

/// See Engine::freeze().
std::unique_ptr<FrozenNetwork> freeze_network(std::shared_ptr<const Model<float>> model,
                                              std::span<const float> parameters,
                                              std::span<const double> statistics);

}  // namespace sgood::cpu

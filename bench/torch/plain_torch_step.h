// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "sgood/nn/engine.h"

namespace sgood::bench {

/// Which operator sums rows that share an index.
enum class RowSum { kIndexAdd, kScatterAdd };

/// SGOOD's fine-tuning step (GIN) as a user of LibTorch writes it: torch::nn modules, autograd,
/// torch::optim::Adam, one-hot features, batches that are tensors already. The opponent of our
/// engines, apart from the engine of `torch/`, which favours exactness.
class PlainTorchStep {
 public:
  /// Starts at `parameters`, laid out by `layout`. Sets LibTorch to one thread.
  PlainTorchStep(const ParameterLayout& layout, std::span<const float> parameters, RowSum row_sum);
  ~PlainTorchStep();

  /// Keeps the batches of `step` as tensors, which is not part of a step's time.
  void add(const TrainingStep& step);
  /// Forward, backward and update for the step added `i`-th; returns the total loss.
  double run(std::size_t i);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace sgood::bench

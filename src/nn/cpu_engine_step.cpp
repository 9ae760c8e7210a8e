// SPDX-License-Identifier: MIT
#include "src/nn/cpu_engine_step.h"

#include <algorithm>

#include "sgood/core/error.h"

namespace sgood::cpu {

template <typename T>
StepRunner<T>::StepRunner(const NetworkShape& shape, const KernelTable<T>& kernels)
    : model_(std::make_shared<const Model<T>>(shape, kernels)),
      weights_(model_->transposed_weights()),
      transposed_(static_cast<std::size_t>(model_->layout.num_parameters())),
      original_(*model_, scratch_),
      view0_(*model_, scratch_),
      view1_(*model_, scratch_),
      cross_entropy_(*model_),
      contrast_(*model_) {}

template <typename T>
void StepRunner<T>::check(const TrainingStep& step) const {
  SGOOD_CHECK(step.original != nullptr || step.view0 != nullptr,
              "a training step needs graphs to classify or graphs to contrast");
  if (step.original != nullptr) {
    const std::int32_t graphs = step.original->num_graphs;
    SGOOD_CHECK(model_->shape.num_classes > 0, "a network without classes cannot classify");
    SGOOD_CHECK(graphs >= 1, "there is no graph to classify");
    SGOOD_CHECK(step.labels.size() == static_cast<std::size_t>(graphs),
                "there are {} labels but {} graphs to classify", step.labels.size(), graphs);
  }
  SGOOD_CHECK((step.view0 == nullptr) == (step.view1 == nullptr),
              "contrast needs both views but has one");
  if (step.view0 == nullptr) return;
  SGOOD_CHECK(step.view0->num_graphs == step.view1->num_graphs,
              "the views have {} and {} graphs but must have the same number",
              step.view0->num_graphs, step.view1->num_graphs);
  SGOOD_CHECK(step.view0->num_graphs >= 2,
              "there are {} graphs to contrast but it takes at least 2", step.view0->num_graphs);
  SGOOD_CHECK(step.temperature > 0, "temperature is {} but must be positive", step.temperature);
}

template <typename T>
void StepRunner<T>::transpose_weights(const T* parameters) {
  for (const Weight& w : weights_)
    transpose(parameters + w.offset, w.rows, w.cols, transposed_.data() + w.offset);
}

template <typename T>
StepLoss StepRunner<T>::loss_and_gradient(const TrainingStep& step, std::span<const T> parameters,
                                          std::span<T> gradient) {
  SGOOD_ASSERT(parameters.size() == transposed_.size() && gradient.size() == transposed_.size());
  check(step);
  std::fill(gradient.begin(), gradient.end(), T(0));
  transpose_weights(parameters.data());
  const T* w = parameters.data();
  const T* turned = transposed_.data();
  T* dw = gradient.data();

  StepLoss loss;
  if (step.original != nullptr) {
    const T* readout = original_.forward(*step.original, w);
    loss.cross_entropy = cross_entropy_.forward(readout, step.labels, w, dw);
    original_.backward(cross_entropy_.readout_gradient(), turned, dw);
    loss.total += loss.cross_entropy;
  }
  if (step.view0 != nullptr) {
    const T* readout0 = view0_.forward(*step.view0, w);
    const T* readout1 = view1_.forward(*step.view1, w);
    loss.contrastive =
        contrast_.forward(readout0, readout1, step.view0->num_graphs,
                          {step.contrastive_weight, step.temperature}, w, turned, dw);
    view0_.backward(contrast_.readout_gradient(0), turned, dw);
    view1_.backward(contrast_.readout_gradient(1), turned, dw);
    loss.total += step.contrastive_weight * loss.contrastive;
  }
  return loss;
}

template <typename T>
void StepRunner<T>::batch_statistics(const PackedBatch& batch, std::span<const T> parameters,
                                     std::span<double> statistics) {
  SGOOD_ASSERT(parameters.size() == transposed_.size());
  SGOOD_ASSERT(statistics.size() == static_cast<std::size_t>(model_->layout.num_statistics()));
  original_.forward(batch, parameters.data());
  original_.write_statistics(statistics.data());
}

template class StepRunner<float>;
template class StepRunner<double>;

}  // namespace sgood::cpu

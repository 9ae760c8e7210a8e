// SPDX-License-Identifier: MIT
#include "src/nn/cpu_engine_step.h"

#include <algorithm>
#include <array>

#include "sgood/core/error.h"

namespace sgood::cpu {

template <typename T>
StepRunner<T>::StepRunner(const NetworkShape& shape, const KernelTable<T>& kernels, Folding folding)
    : model_(std::make_shared<const Model<T>>(shape, kernels, folding)),
      weights_(model_->transposed_weights()),
      transposed_(static_cast<std::size_t>(model_->layout.num_parameters())),
      passes_{Pass<T>(*model_, scratch_), Pass<T>(*model_, scratch_), Pass<T>(*model_, scratch_)},
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
  SGOOD_CHECK(step.temperature >= kSmallestTemperature, "temperature is {} but must be at least {}",
              step.temperature, kSmallestTemperature);
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

  // A batch that plays several parts, as when a view is the identity, passes through once.
  std::array<Encoded, 3> encoded;
  const auto encode = [&](const PackedBatch& batch) -> Encoded& {
    std::size_t i = 0;
    while (encoded[i].batch != nullptr && encoded[i].batch != &batch) ++i;
    if (encoded[i].batch == nullptr) encoded[i] = {&batch, passes_[i].forward(batch, w)};
    return encoded[i];
  };
  const auto add_gradient = [&](Encoded& to, T* more) {
    const Index size = to.batch->num_graphs * model_->shape.readout_width();
    if (to.gradient != nullptr)
      for (Index i = 0; i < size; ++i) more[i] += to.gradient[i];
    to.gradient = more;
  };
  const auto backward = [&](std::size_t i) {
    if (encoded[i].gradient != nullptr) passes_[i].backward(encoded[i].gradient, turned, dw);
    encoded[i].gradient = nullptr;
  };

  StepLoss loss;
  if (step.original != nullptr) {
    Encoded& original = encode(*step.original);
    loss.cross_entropy = cross_entropy_.forward(original.readout, step.labels, w, dw);
    add_gradient(original, cross_entropy_.readout_gradient());
    // At once, while its activations are in the cache.
    if (step.original != step.view0 && step.original != step.view1) backward(0);
  }
  if (step.view0 != nullptr) {
    Encoded& view0 = encode(*step.view0);
    Encoded& view1 = encode(*step.view1);
    loss.contrastive =
        contrast_.forward(view0.readout, view1.readout, step.view0->num_graphs,
                          {step.contrastive_weight, step.temperature}, w, turned, dw);
    add_gradient(view0, contrast_.readout_gradient(0));
    add_gradient(view1, contrast_.readout_gradient(1));
  }
  for (std::size_t i = encoded.size(); i-- > 0;) backward(i);
  loss.total = loss.cross_entropy + step.contrastive_weight * loss.contrastive;
  return loss;
}

template <typename T>
void StepRunner<T>::batch_statistics(const PackedBatch& batch, std::span<const T> parameters,
                                     std::span<double> statistics) {
  SGOOD_ASSERT(parameters.size() == transposed_.size());
  SGOOD_ASSERT(statistics.size() == static_cast<std::size_t>(model_->layout.num_statistics()));
  passes_[0].forward(batch, parameters.data());
  passes_[0].write_statistics(statistics.data());
}

template class StepRunner<float>;
template class StepRunner<double>;

}  // namespace sgood::cpu

// SPDX-License-Identifier: MIT
#include <algorithm>

#include "src/nn/cpu_engine_stack.h"

namespace sgood::cpu {

/// weight += x^T dy; dy [rows, width].
template <typename T>
void GnnStack<T>::apply_gradient(const Run& run, const LayerInput<T>& in, Index rows, const T* dy,
                                 Index weight) const {
  T* dw = run.gradient + weight;
  if (in.columns > 0)
    kernels_.scatter(in.codes, rows, in.columns, dy, width_,
                     in.table != nullptr ? table_rows(run, weight) : dw);
  if (in.num_dense > 0)
    kernels_.weight_gradient(in.dense, dy, rows, in.num_dense, width_, dw + in.vocabulary * width_);
}

/// Completes `sent`, the gradient of what layer l's rows received, for input_gradient().
template <typename T>
void GnnStack<T>::send_back(const Run& run, std::size_t l, T* sent) const {
  if (run.level.folded == nullptr) return add_block_sums(run, sent);
  const Index rows = run.level.rows_below(l);
  T* received = run.scratch.projected.resize(0, rows, width_);
  std::fill_n(received, rows * width_, T(0));
  kernels_.aggregate_adjoint(run.level.lists_of(l), sent, width_, received);
}

/// Layer l's share of the gradient of its `columns` inputs: dx += it, unless dx is null. Returns
/// the gradient of what the rows sent. The graph is undirected, so the neighbour sum is its own
/// adjoint unless nodes are folded.
template <typename T>
const T* GnnStack<T>::input_gradient(const Run& run, std::size_t l, Rows rows, Index columns,
                                     T* dx) const {
  T* received = run.scratch.received.get();
  if (run.level.folded != nullptr) {
    received = run.scratch.projected.get() + rows.first * width_;
  } else {
    const T* sent = (sage() ? run.scratch.scaled : run.scratch.message_gradient).get();
    sum_neighbors(run, l, rows, sent, received);
  }
  if (backbone_ == Backbone::kGcn)
    kernels_.scale_rows(received, rows.count(), width_, run.scratch.row_scale.get() + rows.first,
                        Write::kSet, received);
  if (dx == nullptr) return received;
  const auto add = [&](const T* dy, Index weight) {
    kernels_.linear(dy, rows.count(), width_, run.weights + weight, nullptr, columns, Write::kAdd,
                    dx);
  };
  add(received, layers_[l].weight);
  if (sage()) add(run.scratch.message_gradient.get() + rows.first * width_, layers_[l].self_weight);
  return received;
}

/// Gradients of layer l's input weights; `received` from input_gradient(), `h` as in input().
template <typename T>
void GnnStack<T>::input_weight_gradient(const Run& run, std::size_t l, Rows rows, const T* received,
                                        const T* h) const {
  const LayerInput<T> in = input(run, l, rows, h);
  apply_gradient(run, in, rows.count(), received, layers_[l].weight);
  if (sage())
    apply_gradient(run, in, rows.count(), run.scratch.message_gradient.get() + rows.first * width_,
                   layers_[l].self_weight);
}

/// From the gradient of the mix at the rows of layer l + 1 to that at the rows of layer l.
template <typename T>
void GnnStack<T>::mixed_backward(const Run& run, std::size_t l) const {
  const FoldedNodes<T>* folded = run.level.folded;
  if (!mix_ || folded == nullptr || l + 1 == layers_.size()) return;
  const Index rows = folded->outputs(l).count;
  T* dmixed = run.state.mixed_gradient[l].resize(rows * width_);
  std::fill_n(dmixed, rows * width_, T(0));
  kernels_.scatter(folded->outputs(l + 1).parent.data(), folded->outputs(l + 1).count, 1,
                   run.state.mixed_gradient[l + 1].get(), width_, dmixed);
}

/// dy = the gradient of the last normalisation of layer l, from all that read the layer's outputs.
template <typename T>
void GnnStack<T>::output_backward(const Run& run, std::size_t l, Rows rows, T* dy) const {
  BatchNorm<T>& norm = run.state.norms[last_norm(l)];
  const bool read_above = l + 1 < layers_.size();
  const T* dmixed = nullptr;
  if (mix_) {
    const auto& buffers = run.state.mixed_gradient;
    dmixed = buffers[l % buffers.size()].get() + rows.first * width_;
  }
  if (mix_)
    kernels_.linear(dmixed, rows.count(), width_, run.weights + mix_weight(l), nullptr, width_,
                    Write::kSet, dy);
  const T* received = read_above ? input_gradient(run, l + 1, rows, width_, dy) : nullptr;
  T* h = run.scratch.active.get();
  kernels_.norm_relu_backward(dy, last_input(run, l, rows), rows.count(), width_, norm.norm(),
                              norm.gradient_sum(), norm.gradient_product(), h);
  if (mix_)
    kernels_.weight_gradient(h, dmixed, rows.count(), width_, width_, run.gradient + mix_weight(l));
  if (read_above) input_weight_gradient(run, l + 1, rows, received, h);
}

/// From dy, the gradient of GIN's second normalisation, to that of the first.
template <typename T>
void GnnStack<T>::transform_backward(const Run& run, std::size_t l, T* dy) const {
  BatchNorm<T>& first = run.state.norms[norms_per_layer() * l];
  const BatchNorm<T>& second = run.state.norms[last_norm(l)];
  const Index weight = layers_[l].weight2;
  T* active = run.scratch.active.get();
  for_chunks(run.level.rows(l), [&](Rows rows) {
    const Index at = rows.first * width_, count = rows.count();
    const T* z = message(run, l, rows);
    T* dz = run.scratch.message_gradient.get() + at;
    kernels_.norm_backward(dy + at, last_input(run, l, rows), run.level.copies(l, rows), count,
                           width_, second.backward(), second.backward_slope(), dy + at);
    kernels_.linear(dy + at, count, width_, run.weights + weight, nullptr, width_, Write::kSet, dz);
    kernels_.norm_relu_backward(dz, z, count, width_, first.norm(), first.gradient_sum(),
                                first.gradient_product(), active);
    kernels_.weight_gradient(active, dy + at, count, width_, width_, run.gradient + weight);
  });
  first.finish_gradient(run.gradient);
}

template <typename T>
void GnnStack<T>::backward(const Level<T>& level, const T* transposed, StackState<T>& state,
                           StackScratch<T>& scratch, T* gradient, T* dense_gradient) const {
  if (layers_.empty()) return;
  const Run run{level, state, scratch, transposed, gradient};
  const Index rows = level.rows(layers_.size() - 1);
  scale_of_rows(run);
  scratch.gradient.resize(rows * width_);
  T* dz = scratch.message_gradient.resize(std::ssize(level.complete), rows, width_);
  T* sent = sage() ? scratch.scaled.resize(std::ssize(level.complete), rows, width_) : dz;

  for (std::size_t l = layers_.size(); l-- > 0;) {
    mixed_backward(run, l);
    T* dy = (mix_ ? scratch.gradient : state.output_gradient[l]).get();
    for_chunks(level.rows(l),
               [&](Rows chunk) { output_backward(run, l, chunk, dy + chunk.first * width_); });
    state.norms[last_norm(l)].finish_gradient(gradient);
    if (gin()) transform_backward(run, l, dy);
    const BatchNorm<T>& norm = state.norms[norms_per_layer() * l];
    for_chunks(level.rows(l), [&](Rows chunk) {
      const Index at = chunk.first * width_, count = chunk.count();
      kernels_.norm_backward((gin() ? dz : dy) + at, message(run, l, chunk), level.copies(l, chunk),
                             count, width_, norm.backward(), norm.backward_slope(), dz + at);
      if (!gin())
        kernels_.scale_rows(dz + at, count, width_, scratch.row_scale.get() + chunk.first,
                            Write::kSet, sent + at);
    });
    send_back(run, l, sent);
  }
  const CodeTable* table = level.input.table;
  for_tabulated(run, [&](Index, T* sums) { std::fill_n(sums, table->num_rows() * width_, T(0)); });
  for_chunks(level.rows_below(0), [&](Rows chunk) {
    T* dx = dense_gradient;
    if (dx != nullptr) dx += chunk.first * level.input.num_dense;
    const T* received = input_gradient(run, 0, chunk, level.input.num_dense, dx);
    input_weight_gradient(run, 0, chunk, received, nullptr);
  });
  for_tabulated(run, [&](Index weight, const T* sums) {
    kernels_.scatter(table->codes.data(), table->num_rows(), table->columns, sums, width_,
                     gradient + weight);
  });
}

template void GnnStack<float>::backward(const Level<float>&, const float*, StackState<float>&,
                                        StackScratch<float>&, float*, float*) const;
template void GnnStack<double>::backward(const Level<double>&, const double*, StackState<double>&,
                                         StackScratch<double>&, double*, double*) const;

}  // namespace sgood::cpu

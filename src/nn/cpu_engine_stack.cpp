// SPDX-License-Identifier: MIT
#include "src/nn/cpu_engine_stack.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sgood::cpu {

template <typename T>
GnnStack<T>::GnnStack(const KernelTable<T>& kernels, const ParameterLayout& layout,
                      std::string_view prefix, std::optional<Mix> mix)
    : kernels_(kernels),
      backbone_(layout.shape().backbone),
      width_(layout.shape().width),
      mix_(mix) {
  const NetworkShape& shape = layout.shape();
  std::int32_t count = shape.node_layers;
  if (prefix == "super") count = shape.super_graph ? shape.super_layers : 0;
  for (std::int32_t l = 0; l < count; ++l) {
    const std::string name = fmt::format("{}.{}", prefix, l);
    const auto offset = [&](const char* tensor) { return layout.slot(name + tensor).offset; };
    Layer layer;
    const bool sage = backbone_ == Backbone::kSage;
    layer.weight = offset(sage ? ".neighbor.weight" : ".linear1.weight");
    if (sage) layer.self_weight = offset(".self.weight");
    if (gin()) layer.weight2 = offset(".linear2.weight");
    layers_.push_back(layer);
    norms_.emplace_back(layout, name + ".bn1");
    if (gin()) norms_.emplace_back(layout, name + ".bn2");
  }
}

template <typename T>
T* GnnStack<T>::message(const Run& run, std::size_t l, Rows rows) const {
  const auto& buffers = run.state.message;  // one for all layers when nothing is kept
  return buffers[l % buffers.size()].get() + rows.first * width_;
}

/// The input of the layer's last normalisation.
template <typename T>
T* GnnStack<T>::last_input(const Run& run, std::size_t l, Rows rows) const {
  if (!gin()) return message(run, l, rows);
  const auto& buffers = run.state.hidden;
  return buffers[l % buffers.size()].get() + rows.first * width_;
}

/// What the layers up to l add to the mix, at the rows of layer l.
template <typename T>
T* GnnStack<T>::mixed(const Run& run, std::size_t l, Rows rows) const {
  const auto& buffers = run.state.mixed;  // one for all layers unless nodes are folded
  return buffers[l % buffers.size()].get() + rows.first * width_;
}

/// Completes `sent` for sum_neighbors().
template <typename T>
void GnnStack<T>::add_block_sums(const Run& run, T* sent) const {
  std::int32_t k = 0;
  for (const std::int32_t b : run.level.complete)
    kernels_.segment_sum(sent, nullptr, run.level.block_ptr + b, 1, width_,
                         sent + complete_row(k++) * width_, width_);
}

/// Sums over the neighbours of the rows, and in GIN and GCN over the row itself.
template <typename T>
void GnnStack<T>::sum_neighbors(const Run& run, std::size_t l, Rows rows, const T* sent,
                                T* sum) const {
  const Level<T>& level = run.level;
  kernels_.aggregate(level.lists_of(l), rows.first, rows.last, sent, width_, sum);
  if (!level.own_share.empty())
    kernels_.scale_rows(sent + rows.first * width_, rows.count(), width_,
                        level.own_share.data() + rows.first, Write::kAdd, sum);
}

/// What layer l reads at the rows; `h` are the outputs of the layer below, if there is one.
template <typename T>
LayerInput<T> GnnStack<T>::input(const Run& run, std::size_t l, Rows rows, const T* h) const {
  LayerInput<T> in;
  if (l > 0) {
    in.dense = h;
    in.num_dense = width_;
    return in;
  }
  in = run.level.input;
  in.codes += rows.first * in.columns;
  in.dense += rows.first * in.num_dense;
  return in;
}

/// GCN: D~^-1/2, applied before and after the sum. SAGE: 1 / degree, applied after it.
template <typename T>
void GnnStack<T>::scale_of_rows(const Run& run) const {
  if (gin()) return;
  T* scale = run.scratch.row_scale.resize(run.level.lists.rows);
  for (Index r = 0; r < run.level.lists.rows; ++r) {
    const auto degree = static_cast<double>(run.level.degree[static_cast<std::size_t>(r)]);
    if (backbone_ == Backbone::kGcn)
      scale[r] = static_cast<T>(1 / std::sqrt(degree + (run.level.self_loops ? 0 : 1)));
    else
      scale[r] = static_cast<T>(degree > 0 ? 1 / degree : 0);
  }
}

template <typename T>
void GnnStack<T>::prepare(const Run& run, const std::vector<BatchNorm<T>>* fixed) const {
  StackState<T>& state = run.state;
  const auto make = [&](std::vector<Buffer<T>>& buffers, std::size_t count) {
    buffers.resize(count);
    for (std::size_t l = 0; l < count; ++l) buffers[l].resize(run.level.rows(l) * width_);
  };
  const bool keep = fixed == nullptr || state.keep_inputs;
  make(state.message, keep ? layers_.size() : 1);
  if (gin()) make(state.hidden, keep ? layers_.size() : 1);
  if (state.keep_outputs) make(state.output, layers_.size());
  if (mix_) make(state.mixed, run.level.folded != nullptr ? layers_.size() : 1);
  if (fixed != nullptr && keep) state.norms = *fixed;
  if (fixed == nullptr && state.norms.empty()) state.norms = norms_;

  run.scratch.projected.resize(
      std::ssize(run.level.complete),
      std::max(run.level.rows_below(0), run.level.rows(layers_.size() - 1)), width_);
  run.scratch.active.resize(kernels::kRowChunk * width_);
  run.scratch.received.resize(kernels::kRowChunk * width_);
  if (const CodeTable* table = run.level.input.table) {
    run.scratch.table_rows.resize(2 * table->num_rows() * width_);
    for_tabulated(run, [&](Index weight, T* sums) {
      kernels_.gather(table->codes.data(), table->num_rows(), table->columns, run.weights + weight,
                      width_, sums);
    });
  }
  scale_of_rows(run);
}

/// The outputs of layer l, in place or in a chunk's memory, and their share of the mix.
template <typename T>
const T* GnnStack<T>::activate(const Run& run, std::size_t l, Rows rows,
                               const Norm<T>& norm) const {
  T* h = run.state.keep_outputs ? run.state.output[l].get() + rows.first * width_
                                : run.scratch.active.get();
  kernels_.norm_relu(last_input(run, l, rows), rows.count(), width_, norm, h);
  if (!mix_) return h;
  T* sum = mixed(run, l, rows);
  if (l > 0 && run.level.folded != nullptr)
    kernels_.gather(run.level.folded->outputs(l).parent.data() + rows.first, rows.count(), 1,
                    mixed(run, l - 1, {}), width_, sum);
  kernels_.linear(h, rows.count(), width_, run.weights + mix_weight(l), run.weights + mix_->bias,
                  width_, l == 0 ? Write::kSet : Write::kAdd, sum);
  return h;
}

template <typename T>
T* GnnStack<T>::table_rows(const Run& run, Index weight) const {
  const Index place = weight == layers_.front().weight ? 0 : 1;
  return run.scratch.table_rows.get() + place * run.level.input.table->num_rows() * width_;
}

template <typename T>
void GnnStack<T>::apply(const Run& run, const LayerInput<T>& in, Index rows, Index weight,
                        T* y) const {
  const T* w = run.weights + weight;
  if (in.columns > 0)
    kernels_.gather(in.codes, rows, in.columns, in.table != nullptr ? table_rows(run, weight) : w,
                    width_, y);
  if (in.num_dense > 0)
    kernels_.linear(in.dense, rows, in.num_dense, w + in.vocabulary * width_, nullptr, width_,
                    in.columns > 0 ? Write::kAdd : Write::kSet, y);
}

/// What the rows send. The linear map comes before the neighbour sum: the same result, and codes
/// stay indices.
template <typename T>
void GnnStack<T>::project(const Run& run, std::size_t l, Rows rows, const T* h) const {
  const LayerInput<T> in = input(run, l, rows, h);
  T* projected = run.scratch.projected.get() + rows.first * width_;
  apply(run, in, rows.count(), layers_[l].weight, projected);
  if (backbone_ == Backbone::kGcn)
    kernels_.scale_rows(projected, rows.count(), width_, run.scratch.row_scale.get() + rows.first,
                        Write::kSet, projected);
  if (sage()) apply(run, in, rows.count(), layers_[l].self_weight, message(run, l, rows));
}

/// The messages that the rows receive.
template <typename T>
const T* GnnStack<T>::receive(const Run& run, std::size_t l, Rows rows) const {
  T* received = message(run, l, rows);
  T* sum = gin() ? received : run.scratch.received.get();
  sum_neighbors(run, l, rows, run.scratch.projected.get(), sum);
  if (!gin())
    kernels_.scale_rows(sum, rows.count(), width_, run.scratch.row_scale.get() + rows.first,
                        sage() ? Write::kAdd : Write::kSet, received);
  return received;
}

/// ReLU(BN(message)) W2 of GIN.
template <typename T>
const T* GnnStack<T>::transform(const Run& run, std::size_t l, Rows rows,
                                const Norm<T>& norm) const {
  T* active = run.scratch.active.get();
  T* hidden = last_input(run, l, rows);
  kernels_.norm_relu(message(run, l, rows), rows.count(), width_, norm, active);
  kernels_.linear(active, rows.count(), width_, run.weights + layers_[l].weight2, nullptr, width_,
                  Write::kSet, hidden);
  return hidden;
}

template <typename T>
void GnnStack<T>::forward(const Level<T>& level, const T* parameters,
                          const std::vector<BatchNorm<T>>* fixed, StackState<T>& state,
                          StackScratch<T>& scratch) const {
  if (layers_.empty()) return;
  const Run run{level, state, scratch, parameters};
  prepare(run, fixed);
  const auto norm = [&](std::size_t i) {
    return (fixed != nullptr ? (*fixed)[i] : state.norms[i]).norm();
  };
  // One pass over the rows; `input_of(chunk)` makes the input of normalisation i.
  const auto pass = [&](std::size_t i, auto input_of) {
    const std::size_t l = i / norms_per_layer();
    const Index rows = level.rows(l);
    if (fixed != nullptr) return for_chunks(rows, [&](Rows chunk) { input_of(chunk); });
    BatchNorm<T>& batch_norm = state.norms[i];
    batch_norm.start();
    for_chunks(rows, [&](Rows chunk) {
      kernels_.moments(input_of(chunk), level.copies(l, chunk), chunk.count(), width_,
                       batch_norm.moments());
    });
    batch_norm.use_moments(parameters);
  };
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    for_chunks(level.rows_below(l), [&](Rows chunk) {
      const T* h = l == 0 ? nullptr : activate(run, l - 1, chunk, norm(last_norm(l - 1)));
      project(run, l, chunk, h);
    });
    add_block_sums(run, scratch.projected.get());
    const std::size_t first = norms_per_layer() * l;
    pass(first, [&](Rows chunk) { return receive(run, l, chunk); });
    if (gin()) pass(first + 1, [&](Rows chunk) { return transform(run, l, chunk, norm(first)); });
  }
  const std::size_t top = layers_.size() - 1;
  for_chunks(level.rows(top), [&](Rows chunk) { activate(run, top, chunk, norm(last_norm(top))); });
}

template class GnnStack<float>;
template class GnnStack<double>;

}  // namespace sgood::cpu

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sgood/graph/code_table.h"
#include "sgood/graph/packed_graph.h"
#include "src/nn/cpu_engine_norm.h"
#include "src/nn/folded_nodes.h"

namespace sgood::cpu {

using kernels::KernelTable;
using kernels::Write;

/// What a layer reads: one-hot codes [rows, columns], real columns [rows, num_dense], or both.
template <typename T>
struct LayerInput {
  const std::int32_t* codes = nullptr;
  Index columns = 0;
  const CodeTable* table = nullptr;  ///< When set, codes are rows of it, and it holds the codes.
  Index vocabulary = 0;  ///< Rows of the weight that belong to codes; those of `dense` follow.
  const T* dense = nullptr;
  Index num_dense = 0;
};

/// A linear map of the concatenated outputs of all layers, as DeepSets pooling reads them; offsets
/// in the flat buffer of its weight [layers * d, d] and bias.
struct Mix {
  Index weight = 0, bias = 0;
};

/// One level of a batch: nodes, or super nodes.
template <typename T>
struct Level {
  kernels::Lists lists;                     ///< With their starts.
  std::span<const T> own_share;             ///< [lists.rows] what of a row its sum lacks; empty: 0
  bool self_loops = false;                  ///< The lists hold the row itself.
  std::span<const std::int32_t> complete;   ///< Blocks whose sums stand before row 0.
  const std::int32_t* block_ptr = nullptr;  ///< Where blocks begin and end.
  std::span<const std::int32_t> degree;     ///< [lists.rows], but for GIN
  LayerInput<T> input;
  const FoldedNodes<T>* folded = nullptr;  ///< GIN's distinct rows: used in place of `lists`.

  /// Rows that layer l reads.
  Index rows_below(std::size_t l) const {
    if (l > 0) return rows(l - 1);
    return folded != nullptr ? folded->inputs().count : lists.rows;
  }
  /// Rows of the outputs of layer l.
  Index rows(std::size_t l) const {
    return folded != nullptr ? folded->outputs(l).count : lists.rows;
  }
  kernels::Lists lists_of(std::size_t l) const {
    return folded != nullptr ? folded->outputs(l).lists() : lists;
  }
  /// How many nodes each of these outputs of layer l stands for; null: one.
  const T* copies(std::size_t l, Rows rows) const {
    return folded != nullptr ? folded->outputs(l).copies.data() + rows.first : nullptr;
  }
};

/// Rows that neighbour sums read: before row 0 stands a row of zeros, before that the sums over
/// complete blocks.
template <typename T>
class SentRows {
 public:
  T* resize(Index sums, Index rows, Index width) {
    first_ = data_.resize((sums + 1 + rows) * width) + (sums + 1) * width;
    std::fill_n(first_ + kNoNeighbor * width, width, T(0));
    return first_;
  }
  T* get() const { return first_; }

 private:
  Buffer<T> data_;
  T* first_ = nullptr;
};

/// Activations of a stack for one batch, as many as its user asks for.
template <typename T>
struct StackState {
  std::vector<BatchNorm<T>> norms;         ///< Of each layer: the first, then GIN's second.
  std::vector<Buffer<T>> message, hidden;  ///< z1 and (GIN) z2 of each layer
  bool keep_outputs = false;               ///< Fill `output`; else outputs only go into `mixed`.
  bool keep_inputs = false;                ///< With fixed norms too, for backward().
  std::vector<Buffer<T>> output;           ///< h of each layer
  std::vector<Buffer<T>> output_gradient;  ///< Read by backward() when there is no mix.
  /// The mix of all layers, [rows, d]; of folded nodes, that of the layers up to each.
  std::vector<Buffer<T>> mixed, mixed_gradient;
};

/// Memory that no later function reads again, so that passes can share it.
template <typename T>
struct StackScratch {
  SentRows<T> projected;                 ///< [rows, d]; backward: of folded nodes
  SentRows<T> message_gradient, scaled;  ///< [rows, d]
  Buffer<T> gradient;                    ///< [rows, d]
  Buffer<T> row_scale;                   ///< [rows]
  Buffer<T> table_rows;  ///< Of each weight of layer 0: what (backward: the gradient of what) the
                         ///< rows of a code table add up to, [table rows, d].
  Buffer<T> active, received;  ///< one chunk
};

/// Message-passing layers of one level; the same code for nodes and super nodes.
template <typename T>
class GnnStack {
 public:
  /// `prefix` is "node" or "super".
  GnnStack(const KernelTable<T>& kernels, const ParameterLayout& layout, std::string_view prefix,
           std::optional<Mix> mix);

  std::size_t num_layers() const { return layers_.size(); }
  /// The stack's normalisations, as yet without values.
  const std::vector<BatchNorm<T>>& norms() const { return norms_; }

  /// All layers. `fixed` holds the normalisations to use; null: those of the batch. What backward()
  /// reads is kept unless they are fixed and state.keep_inputs is off.
  void forward(const Level<T>& level, const T* parameters, const std::vector<BatchNorm<T>>* fixed,
               StackState<T>& state, StackScratch<T>& scratch) const;
  /// Adds the parameters' gradient, given that of the mix or of each output. `transposed` holds the
  /// transposes of the weights at their own offsets (each layer's share of the mix apart). Adds to
  /// `dense_gradient` [rows, num_dense] the gradient of level.input.dense unless it is null.
  void backward(const Level<T>& level, const T* transposed, StackState<T>& state,
                StackScratch<T>& scratch, T* gradient, T* dense_gradient) const;

 private:
  struct Layer {  // offsets; SAGE has a self_weight and GIN a weight2
    Index weight = 0, self_weight = 0, weight2 = 0;
  };
  /// What the steps of one call share. Each step works on a chunk of rows.
  struct Run {
    const Level<T>& level;
    StackState<T>& state;
    StackScratch<T>& scratch;
    const T* weights;  // the parameters; in backward() their transposes
    T* gradient = nullptr;
  };
  bool gin() const { return backbone_ == Backbone::kGin; }
  bool sage() const { return backbone_ == Backbone::kSage; }
  std::size_t norms_per_layer() const { return gin() ? 2 : 1; }
  /// The normalisation before the outputs of layer l.
  std::size_t last_norm(std::size_t l) const { return norms_per_layer() * (l + 1) - 1; }
  Index mix_weight(std::size_t l) const {
    return mix_->weight + static_cast<Index>(l) * width_ * width_;
  }
  T* message(const Run& run, std::size_t l, Rows rows) const;
  T* last_input(const Run& run, std::size_t l, Rows rows) const;
  T* mixed(const Run& run, std::size_t l, Rows rows) const;
  LayerInput<T> input(const Run& run, std::size_t l, Rows rows, const T* h) const;
  void scale_of_rows(const Run& run) const;

  void add_block_sums(const Run& run, T* sent) const;
  void sum_neighbors(const Run& run, std::size_t l, Rows rows, const T* sent, T* sum) const;

  void prepare(const Run& run, const std::vector<BatchNorm<T>>* fixed) const;
  const T* activate(const Run& run, std::size_t l, Rows rows, const Norm<T>& norm) const;
  template <typename Work>
  void for_tabulated(const Run& run, Work work) const;
  T* table_rows(const Run& run, Index weight) const;
  void apply(const Run& run, const LayerInput<T>& in, Index rows, Index weight, T* y) const;
  void project(const Run& run, std::size_t l, Rows rows, const T* h) const;
  const T* receive(const Run& run, std::size_t l, Rows rows) const;
  const T* transform(const Run& run, std::size_t l, Rows rows, const Norm<T>& norm) const;

  void apply_gradient(const Run& run, const LayerInput<T>& in, Index rows, const T* dy,
                      Index weight) const;
  void mixed_backward(const Run& run, std::size_t l) const;
  void output_backward(const Run& run, std::size_t l, Rows rows, T* dy) const;
  void send_back(const Run& run, std::size_t l, T* sent) const;
  const T* input_gradient(const Run& run, std::size_t l, Rows rows, Index columns, T* dx) const;
  void input_weight_gradient(const Run& run, std::size_t l, Rows rows, const T* received,
                             const T* h) const;
  void transform_backward(const Run& run, std::size_t l, T* dy) const;

  const KernelTable<T>& kernels_;
  Backbone backbone_;
  Index width_;
  std::vector<Layer> layers_;
  std::vector<BatchNorm<T>> norms_;
  std::optional<Mix> mix_;
};

/// Calls work(weight, rows of the table for it) for the weights that read codes through a table.
template <typename T>
template <typename Work>
void GnnStack<T>::for_tabulated(const Run& run, Work work) const {
  if (run.level.input.table == nullptr) return;
  const Layer& layer = layers_.front();
  work(layer.weight, table_rows(run, layer.weight));
  if (sage()) work(layer.self_weight, table_rows(run, layer.self_weight));
}

}  // namespace sgood::cpu

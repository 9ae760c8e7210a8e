// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sgood/graph/packed_graph.h"
#include "src/nn/cpu_engine_stack.h"

namespace sgood::cpu {

/// A weight inside the flat parameter buffer.
struct Weight {
  Index offset = 0, rows = 0, cols = 0;
};

/// Whether a training pass computes equal rows of nodes once.
enum class Folding { kNone, kEqualNodes };

/// What does not change between steps: kernels, layout and both stacks.
template <typename T>
struct Model {
  Model(const NetworkShape& network, const KernelTable<T>& table, Folding folds);

  /// Throws InvalidArgument unless `batch` has the columns that the network reads.
  void check(const PackedBatch& batch) const;
  /// The weights whose transposes backward passes read; each layer's share of phi counts as one.
  /// Those of the features are read only for `input_gradient`.
  std::vector<Weight> transposed_weights(bool input_gradient = false) const;
  /// Number of classes, padded to whole vectors.
  Index class_columns() const;
  /// The classifier's weight and, as the last row, its bias, padded: [readout + 1, class_columns].
  void pad_classifier(const T* parameters, Buffer<T>& padded) const;

  const KernelTable<T>& kernels;
  Folding folding;
  NetworkShape shape;
  ParameterLayout layout;
  std::optional<Mix> phi;     ///< First half of the DeepSets pool; none in a flat network.
  GnnStack<T> nodes, supers;  ///< `supers` is empty in a flat network.
  Index rho = 0, rho_bias = 0, classifier = 0, classifier_bias = 0;
};

/// out [cols, rows] = in^T.
template <typename T>
void transpose(const T* in, Index rows, Index cols, T* out) {
  for (Index c = 0; c < cols; ++c)
    for (Index r = 0; r < rows; ++r) out[c * rows + r] = in[r * cols + c];
}

/// Memory that passes share: what one of them leaves there, no later step reads.
template <typename T>
struct PassScratch {
  StackScratch<T> stack;
  Buffer<T> pooled_gradient, super_input_gradient;  ///< [num_blocks, d]
};

/// One batch on its way through the network, from features to each graph's readout and back. Keeps
/// the activations, and the memory for the next batch.
template <typename T>
class Pass {
 public:
  Pass(const Model<T>& model, PassScratch<T>& scratch) : model_(model), scratch_(scratch) {}

  /// Normalisations to use in place of the batch's own.
  struct Fixed {
    const std::vector<BatchNorm<T>>* nodes = nullptr;
    const std::vector<BatchNorm<T>>* supers = nullptr;
    bool backward = false;  ///< backward() will follow.
  };
  /// Readouts [num_graphs, readout_width]; `batch` must outlive backward(). Nodes are folded only
  /// without `fixed`: a folded row adds up its neighbours in the order of another graph's, and so
  /// may be rounded otherwise than if its graph were alone.
  const T* forward(const PackedBatch& batch, const T* parameters, const Fixed& fixed = {});
  /// Adds to `gradient`, given that of the readouts. `transposed` and `dense_gradient`: see
  /// GnnStack::backward(); the latter only for a network that reads no codes.
  void backward(const T* readout_gradient, const T* transposed, T* gradient,
                T* dense_gradient = nullptr);

  /// Batch statistics of the last forward().
  void write_statistics(double* statistics) const;
  /// h_G of the last forward() with fixed normalisations, [num_graphs, node_width].
  const T* node_sum() const { return node_sum_.get(); }
  /// Outputs of node layer l of the last forward() with fixed normalisations, [num_nodes, d].
  const T* node_output(std::size_t l) const { return nodes_.output[l].get(); }

 private:
  Index width() const { return model_.shape.width; }
  void load(const PackedBatch& batch, bool may_fold);
  const std::int32_t* rows_of_nodes(std::size_t l) const;
  void pool(const T* parameters);
  void sum_nodes(T* sums);
  T* spread_to_nodes(const T* dy, Index stride, std::span<const std::int32_t> ptr, std::size_t l,
                     Buffer<T>& dx) const;
  void sum_blocks();
  void supers_backward(const T* readout_gradient, const T* transposed, T* gradient);
  void pool_backward(const T* transposed, T* gradient);

  const Model<T>& model_;
  PassScratch<T>& scratch_;
  const PackedBatch* batch_ = nullptr;
  Level<T> node_level_, super_level_;
  StackState<T> nodes_, supers_;
  std::vector<std::int32_t> graph_nodes_;            // [num_graphs + 1] first node of each graph
  std::vector<std::int32_t> degree_, super_degree_;  // empty for GIN
  std::vector<std::int32_t> start_;                  // of SAGE's node sums
  std::vector<T> own_share_;                         // see Level; for SAGE
  std::vector<std::int32_t> numbers_;                // 0, 1, ...
  FoldedNodes<T> folded_;
  Buffer<T> dense_;
  Buffer<T> pooled_, super_input_;  // [num_blocks, d]
  Buffer<T> readout_, node_sum_;
};

}  // namespace sgood::cpu

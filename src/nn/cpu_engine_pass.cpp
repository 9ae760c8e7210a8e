// SPDX-License-Identifier: MIT
#include "src/nn/cpu_engine_pass.h"

#include <algorithm>
#include <type_traits>

#include "sgood/core/error.h"

namespace sgood::cpu {

namespace {

std::optional<Mix> phi_of(const ParameterLayout& layout) {
  if (!layout.shape().super_graph) return std::nullopt;
  return Mix{layout.slot("pool.phi.weight").offset, layout.slot("pool.phi.bias").offset};
}

}  // namespace

template <typename T>
Model<T>::Model(const NetworkShape& network, const KernelTable<T>& table, Folding folds)
    : kernels(table),
      folding(folds),
      shape(network),
      layout(network),
      phi(phi_of(layout)),
      nodes(table, layout, "node", phi),
      supers(table, layout, "super", std::nullopt) {
  SGOOD_ASSERT(shape.width % table.lanes == 0);
  if (shape.super_graph) {
    rho = layout.slot("pool.rho.weight").offset;
    rho_bias = layout.slot("pool.rho.bias").offset;
  }
  if (shape.num_classes > 0) {
    classifier = layout.slot("classifier.weight").offset;
    classifier_bias = layout.slot("classifier.bias").offset;
  }
}

template <typename T>
void Model<T>::check(const PackedBatch& batch) const {
  const std::int32_t columns = shape.vocabulary > 0 ? shape.code_columns : 0;
  SGOOD_ASSERT(batch.code_table == nullptr || batch.code_columns == 1);
  SGOOD_CHECK(batch.input_columns() == columns,
              "the batch has {} code columns but the network reads {}", batch.input_columns(),
              columns);
  SGOOD_CHECK(batch.num_dense == shape.num_dense,
              "the batch has {} real columns but the network reads {}", batch.num_dense,
              shape.num_dense);
}

template <typename T>
std::vector<Weight> Model<T>::transposed_weights(bool input_gradient) const {
  std::vector<Weight> weights;
  for (const Slot& slot : layout.slots()) {
    // Not told apart by their shape: a matrix may have one row too.
    const bool matrix = slot.name.ends_with(".weight") && slot.name.find(".bn") == slot.name.npos;
    if (!matrix || slot.name.starts_with("classifier")) continue;
    const bool reads_features =
        slot.name.starts_with("node.0.") && !slot.name.ends_with("linear2.weight");
    if (reads_features && !input_gradient) continue;
    const Index rows = slot.name == "pool.phi.weight" ? slot.cols : slot.rows;
    for (Index offset = 0; offset < slot.size(); offset += rows * slot.cols)
      weights.push_back({slot.offset + offset, rows, slot.cols});
  }
  return weights;
}

template <typename T>
Index Model<T>::class_columns() const {
  return (shape.num_classes + kernels.lanes - 1) / kernels.lanes * kernels.lanes;
}

template <typename T>
void Model<T>::pad_classifier(const T* parameters, Buffer<T>& padded) const {
  const Index inputs = shape.readout_width(), columns = class_columns();
  T* out = padded.resize((inputs + 1) * columns);
  std::fill_n(out, (inputs + 1) * columns, T(0));
  for (Index k = 0; k < inputs; ++k)
    std::copy_n(parameters + classifier + k * shape.num_classes, shape.num_classes,
                out + k * columns);
  std::copy_n(parameters + classifier_bias, shape.num_classes, out + inputs * columns);
}

template <typename T>
void Pass<T>::load(const PackedBatch& batch, bool may_fold) {
  model_.check(batch);
  batch_ = &batch;
  graph_nodes_.resize(static_cast<std::size_t>(batch.num_graphs) + 1);
  for (std::int32_t g = 0; g <= batch.num_graphs; ++g)
    graph_nodes_[static_cast<std::size_t>(g)] = batch.graph_node(g);

  LayerInput<T> features;
  features.codes = batch.codes.data();
  features.columns = batch.code_columns;
  features.table = batch.code_table;
  features.vocabulary = model_.shape.vocabulary;
  features.num_dense = batch.num_dense;
  if constexpr (std::is_same_v<T, float>) {
    features.dense = batch.dense.data();
  } else {
    T* dense = dense_.resize(static_cast<Index>(batch.dense.size()));
    std::copy(batch.dense.begin(), batch.dense.end(), dense);
    features.dense = dense;
  }
  const Backbone backbone = model_.shape.backbone;
  while (std::ssize(numbers_) < std::max(batch.num_blocks, kMostTableRows))
    numbers_.push_back(static_cast<std::int32_t>(numbers_.size()));
  const std::int32_t kinds =
      batch.code_table != nullptr ? batch.code_table->num_rows() : model_.shape.vocabulary;
  may_fold &= model_.folding == Folding::kEqualNodes && backbone == Backbone::kGin &&
              model_.shape.node_layers > 0 && batch.code_columns == 1 && batch.num_dense == 0 &&
              kinds <= kMostTableRows;
  const bool folds = may_fold && folded_.fold(batch, kinds, model_.shape.node_layers);
  if (folds && batch.code_table != nullptr) {
    features.codes = batch.code_table->codes.data();
    features.columns = batch.code_table->columns;
    features.table = nullptr;
  } else if (folds) {
    features.codes = numbers_.data();
  }
  if (backbone != Backbone::kGin) degree_ = batch.degrees();
  own_share_.clear();
  if (backbone == Backbone::kSage) {
    // The mean is over neighbours alone, but the sum over a complete block holds the node.
    start_.clear();
    for (const std::int32_t s : batch.start) {
      start_.push_back(std::min(s, kNoNeighbor));
      own_share_.push_back(s < 0 ? T(-1) : T(0));
    }
    if (batch.complete.empty()) own_share_.clear();
  }
  const auto& start = backbone == Backbone::kSage ? start_ : batch.start;
  node_level_ = {
      {batch.num_nodes, batch.lists.row_ptr.data(), batch.lists.col.data(), start.data()},
      own_share_,
      false,
      folds ? std::span<const std::int32_t>() : batch.complete,
      batch.block_ptr.data(),
      degree_,
      features,
      folds ? &folded_ : nullptr};
  nodes_.keep_outputs = !model_.phi;
  readout_.resize(batch.num_graphs * model_.shape.readout_width());
  if (!model_.phi) return;

  pooled_.resize(batch.num_blocks * width());
  LayerInput<T> input;
  input.dense = super_input_.resize(batch.num_blocks * width());
  input.num_dense = width();
  if (backbone != Backbone::kGin) super_degree_ = batch.super_degrees();
  const bool adds_block =
      backbone == Backbone::kGin || (backbone == Backbone::kGcn && !batch.super_self_loops);
  super_level_ = {{batch.num_blocks, batch.super_lists.row_ptr.data(), batch.super_lists.col.data(),
                   adds_block ? numbers_.data() : nullptr},
                  {},
                  batch.super_self_loops,
                  {},
                  nullptr,
                  super_degree_,
                  input};
  supers_.keep_outputs = true;
}

template <typename T>
const T* Pass<T>::forward(const PackedBatch& batch, const T* parameters, const Fixed& fixed) {
  const bool sums_wanted = fixed.nodes != nullptr;
  load(batch, !sums_wanted);
  if (sums_wanted) nodes_.keep_outputs = true;
  nodes_.keep_inputs = supers_.keep_inputs = fixed.backward;
  model_.nodes.forward(node_level_, parameters, fixed.nodes, nodes_, scratch_.stack);
  if (sums_wanted) sum_nodes(node_sum_.resize(batch.num_graphs * model_.shape.node_width()));
  if (!model_.phi) {
    sum_nodes(readout_.get());
  } else {
    pool(parameters);
    model_.supers.forward(super_level_, parameters, fixed.supers, supers_, scratch_.stack);
    sum_blocks();
  }
  return readout_.get();
}

/// h_g^0 = ReLU((sum of phi over the block) W_rho + b_rho), phi = ReLU(the mix of the node layers).
template <typename T>
void Pass<T>::pool(const T* parameters) {
  const Index blocks = batch_->num_blocks;
  T* super_input = super_input_.get();
  const std::size_t top = model_.nodes.num_layers() - 1;
  T* mixed = nodes_.mixed.back().get();
  model_.kernels.relu(mixed, node_level_.rows(top) * width());
  model_.kernels.segment_sum(mixed, rows_of_nodes(top), batch_->block_ptr.data(), blocks, width(),
                             pooled_.get(), width());
  model_.kernels.linear(pooled_.get(), blocks, width(), parameters + model_.rho,
                        parameters + model_.rho_bias, width(), Write::kSet, super_input);
  model_.kernels.relu(super_input, blocks * width());
}

/// Which row of layer l's outputs each node has; null: its own.
template <typename T>
const std::int32_t* Pass<T>::rows_of_nodes(std::size_t l) const {
  return node_level_.folded != nullptr ? folded_.outputs(l).rows_of_nodes() : nullptr;
}

template <typename T>
void Pass<T>::sum_nodes(T* sums) {
  for (std::size_t l = 0; l < nodes_.output.size(); ++l)
    model_.kernels.segment_sum(nodes_.output[l].get(), rows_of_nodes(l), graph_nodes_.data(),
                               batch_->num_graphs, width(), sums + static_cast<Index>(l) * width(),
                               model_.shape.node_width());
}

template <typename T>
void Pass<T>::sum_blocks() {
  const T* x = super_input_.get();
  for (std::size_t l = 0; l <= model_.supers.num_layers(); ++l) {
    if (l > 0) x = supers_.output[l - 1].get();
    model_.kernels.segment_sum(x, nullptr, batch_->graph_ptr.data(), batch_->num_graphs, width(),
                               readout_.get() + static_cast<Index>(l) * width(),
                               model_.shape.readout_width());
  }
}

template <typename T>
void Pass<T>::backward(const T* readout_gradient, const T* transposed, T* gradient,
                       T* dense_gradient) {
  if (model_.phi) {
    supers_backward(readout_gradient, transposed, gradient);
    pool_backward(transposed, gradient);
  } else {
    nodes_.output_gradient.resize(model_.nodes.num_layers());
    for (std::size_t l = 0; l < model_.nodes.num_layers(); ++l)
      spread_to_nodes(readout_gradient + static_cast<Index>(l) * width(),
                      model_.shape.readout_width(), graph_nodes_, l, nodes_.output_gradient[l]);
  }
  model_.nodes.backward(node_level_, transposed, nodes_, scratch_.stack, gradient, dense_gradient);
}

/// dx = the gradient of layer l's outputs, given that of the sums over segments of nodes.
template <typename T>
T* Pass<T>::spread_to_nodes(const T* dy, Index stride, std::span<const std::int32_t> ptr,
                            std::size_t l, Buffer<T>& dx) const {
  const Index size = node_level_.rows(l) * width();
  T* rows = dx.resize(size);
  if (node_level_.folded != nullptr) std::fill_n(rows, size, T(0));
  model_.kernels.segment_spread(dy, stride, rows_of_nodes(l), ptr.data(), std::ssize(ptr) - 1,
                                width(), rows);
  return rows;
}

/// From the readouts to the gradient of the super graph's input.
template <typename T>
void Pass<T>::supers_backward(const T* readout_gradient, const T* transposed, T* gradient) {
  const auto spread = [&](std::size_t l, Buffer<T>& dx) {
    model_.kernels.segment_spread(readout_gradient + static_cast<Index>(l) * width(),
                                  model_.shape.readout_width(), nullptr, batch_->graph_ptr.data(),
                                  batch_->num_graphs, width(),
                                  dx.resize(batch_->num_blocks * width()));
  };
  spread(0, scratch_.super_input_gradient);
  supers_.output_gradient.resize(model_.supers.num_layers());
  for (std::size_t l = 0; l < model_.supers.num_layers(); ++l)
    spread(l + 1, supers_.output_gradient[l]);
  model_.supers.backward(super_level_, transposed, supers_, scratch_.stack, gradient,
                         scratch_.super_input_gradient.get());
}

/// From the super graph's input to the gradient of the node layers' mix.
template <typename T>
void Pass<T>::pool_backward(const T* transposed, T* gradient) {
  const KernelTable<T>& k = model_.kernels;
  const Index blocks = batch_->num_blocks, d = width();
  T* dx = scratch_.super_input_gradient.get();
  T* dpooled = scratch_.pooled_gradient.resize(blocks * d);
  k.relu_backward(super_input_.get(), dx, blocks * d);
  k.column_sum(dx, blocks, d, gradient + model_.rho_bias);
  k.weight_gradient(pooled_.get(), dx, blocks, d, d, gradient + model_.rho);
  k.linear(dx, blocks, d, transposed + model_.rho, nullptr, d, Write::kSet, dpooled);

  const std::size_t top = model_.nodes.num_layers() - 1;
  nodes_.mixed_gradient.resize(nodes_.mixed.size());
  T* dmixed = spread_to_nodes(dpooled, d, batch_->block_ptr, top, nodes_.mixed_gradient.back());
  for_chunks(node_level_.rows(top), [&](Rows rows) {
    const Index at = rows.first * d;
    k.relu_backward(nodes_.mixed.back().get() + at, dmixed + at, rows.count() * d);
    k.column_sum(dmixed + at, rows.count(), d, gradient + model_.phi->bias);
  });
}

template <typename T>
void Pass<T>::write_statistics(double* statistics) const {
  for (const auto* norms : {&nodes_.norms, &supers_.norms})
    for (const BatchNorm<T>& norm : *norms) norm.write_statistics(statistics);
}

template struct Model<float>;
template struct Model<double>;
template class Pass<float>;
template class Pass<double>;

}  // namespace sgood::cpu

// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sgood/core/error.h"
#include "src/nn/cpu_engine_step.h"

namespace sgood::cpu {
namespace {

/// Graphs that go through all layers together: few enough to stay in the cache, enough to fill the
/// row tiles of the kernels. Every row is computed alike in any slice.
constexpr std::int32_t kGraphsPerSlice = 16;

/// Lists [first, last) as lists over those rows alone.
void slice_lists(const PaddedLists& all, std::int32_t first, std::int32_t last, PaddedLists& part) {
  part.row_ptr.assign(all.row_ptr.begin() + first, all.row_ptr.begin() + last + 1);
  part.col.assign(all.col.begin() + part.row_ptr.front(), all.col.begin() + part.row_ptr.back());
  const std::int32_t shift = part.row_ptr.front();
  for (std::int32_t& p : part.row_ptr) p -= shift;
  for (std::int32_t& u : part.col) u -= u == kNoNeighbor ? 0 : first;
}

template <typename V>
void slice_rows(const std::vector<V>& all, std::int32_t columns, std::int32_t first,
                std::int32_t last, std::vector<V>& part) {
  part.assign(all.begin() + static_cast<Index>(first) * columns,
              all.begin() + static_cast<Index>(last) * columns);
}

/// Graphs [first, last) of `batch` as a batch of their own.
void slice(const PackedBatch& batch, std::int32_t first, std::int32_t last, PackedBatch& part) {
  const auto begin = static_cast<std::size_t>(first), end = static_cast<std::size_t>(last);
  const std::int32_t block0 = batch.graph_ptr[begin], block1 = batch.graph_ptr[end];
  const std::int32_t node0 = batch.graph_node(first), node1 = batch.graph_node(last);
  part.num_graphs = last - first;
  part.num_blocks = block1 - block0;
  part.num_nodes = node1 - node0;
  part.code_columns = batch.code_columns;
  part.code_table = batch.code_table;
  part.num_dense = batch.num_dense;
  part.super_self_loops = batch.super_self_loops;
  slice_rows(batch.codes, batch.code_columns, node0, node1, part.codes);
  slice_rows(batch.dense, batch.num_dense, node0, node1, part.dense);
  slice_lists(batch.lists, node0, node1, part.lists);
  slice_lists(batch.super_lists, block0, block1, part.super_lists);
  const auto complete0 = std::ranges::lower_bound(batch.complete, block0);
  const auto complete1 = std::ranges::lower_bound(batch.complete, block1);
  part.complete.assign(complete0, complete1);
  for (std::int32_t& b : part.complete) b -= block0;
  const auto sums_before = static_cast<std::int32_t>(complete0 - batch.complete.begin());
  slice_rows(batch.start, 1, node0, node1, part.start);
  for (std::int32_t& s : part.start) s += s < 0 ? sums_before : -node0;
  slice_rows(batch.block_ptr, 1, block0, block1 + 1, part.block_ptr);
  slice_rows(batch.graph_ptr, 1, first, last + 1, part.graph_ptr);
  for (std::int32_t& p : part.block_ptr) p -= node0;
  for (std::int32_t& p : part.graph_ptr) p -= block0;
}

class Frozen : public FrozenNetwork {
 public:
  Frozen(std::shared_ptr<const Model<float>> model, std::span<const float> parameters,
         std::span<const double> statistics)
      : model_(std::move(model)),
        parameters_(parameters.begin(), parameters.end()),
        statistics_(statistics.begin(), statistics.end()),
        node_norms_(model_->nodes.norms()),
        super_norms_(model_->supers.norms()) {
    SGOOD_ASSERT(parameters.size() == static_cast<std::size_t>(model_->layout.num_parameters()));
    SGOOD_ASSERT(statistics.size() == static_cast<std::size_t>(model_->layout.num_statistics()));
    for (auto* norms : {&node_norms_, &super_norms_})
      for (BatchNorm<float>& norm : *norms)
        norm.use_statistics(parameters.data(), statistics.data());
    model_->pad_classifier(parameters.data(), classifier_);
  }

  Encoding encode(const PackedBatch& batch) const override {
    const std::int32_t graphs = batch.num_graphs;
    Encoding encoding;
    encoding.node_sum = Matrix(graphs, model_->shape.node_width());
    encoding.super_sum = Matrix(graphs, model_->shape.super_width());
    encoding.logits = Matrix(graphs, model_->shape.num_classes);
    PassScratch<float> scratch;
    Pass<float> pass(*model_, scratch);
    Buffer<float> logits;
    PackedBatch part;
    for (std::int32_t first = 0; first < graphs; first += kGraphsPerSlice) {
      slice(batch, first, std::min(first + kGraphsPerSlice, graphs), part);
      const float* readout = pass.forward(part, parameters_.data(), {&node_norms_, &super_norms_});
      copy_rows(pass.node_sum(), encoding.node_sum.cols, part.num_graphs, first, encoding.node_sum);
      copy_rows(readout, encoding.super_sum.cols, part.num_graphs, first, encoding.super_sum);
      copy_rows(classify(readout, part.num_graphs, logits), model_->class_columns(),
                part.num_graphs, first, encoding.logits);
    }
    return encoding;
  }

  Matrix node_representations(const PackedBatch& batch) const override {
    Matrix nodes(batch.num_nodes, model_->shape.node_width());
    PassScratch<float> scratch;
    Pass<float> pass(*model_, scratch);
    pass.forward(batch, parameters_.data(), {&node_norms_, &super_norms_});
    const Index width = model_->shape.width;
    for (Index v = 0; v < nodes.rows; ++v)
      for (Index l = 0; l < model_->shape.node_layers; ++l)
        std::copy_n(pass.node_output(static_cast<std::size_t>(l)) + v * width, width,
                    nodes.row(v).begin() + l * width);
    return nodes;
  }

  Matrix input_gradient(const PackedBatch& batch, double temperature) const override {
    return cpu::input_gradient(model_->shape, parameters_, statistics_, batch, temperature);
  }

 private:
  /// The leading columns of x [rows, stride] become rows of `out` from `first` on.
  static void copy_rows(const float* x, Index stride, Index rows, Index first, Matrix& out) {
    for (Index r = 0; r < rows; ++r)
      std::copy_n(x + r * stride, out.cols, out.row(first + r).begin());
  }

  /// Padded logits [rows, class_columns].
  const float* classify(const float* readout, Index rows, Buffer<float>& logits) const {
    const Index inputs = model_->shape.readout_width(), columns = model_->class_columns();
    float* out = logits.resize(rows * columns);
    model_->kernels.linear(readout, rows, inputs, classifier_.get(),
                           classifier_.get() + inputs * columns, columns, Write::kSet, out);
    return out;
  }

  std::shared_ptr<const Model<float>> model_;
  std::vector<float> parameters_;
  std::vector<double> statistics_;
  std::vector<BatchNorm<float>> node_norms_, super_norms_;
  Buffer<float> classifier_;
};

}  // namespace

std::unique_ptr<FrozenNetwork> freeze_network(std::shared_ptr<const Model<float>> model,
                                              std::span<const float> parameters,
                                              std::span<const double> statistics) {
  return std::make_unique<Frozen>(std::move(model), parameters, statistics);
}

}  // namespace sgood::cpu

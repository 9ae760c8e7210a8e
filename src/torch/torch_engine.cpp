// SPDX-License-Identifier: MIT
#include "sgood/torch/torch_engine.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <span>
#include <vector>

#include "sgood/core/error.h"
#include "src/torch/one_thread.h"
#include "src/torch/torch_network.h"

namespace sgood {
namespace {

/// Graphs that are scored together; bounds the memory of one call.
constexpr std::int32_t kChunkGraphs = 256;

template <typename T>
at::Tensor to_tensor(std::span<const T> values, const at::TensorOptions& options) {
  return at::tensor(at::ArrayRef<T>(values.data(), values.size())).to(options);
}

template <typename T>
void copy_to(std::span<T> destination, const at::Tensor& tensor) {
  const at::Tensor source =
      tensor.detach().to(at::kCPU, c10::CppTypeToScalarType<T>::value).contiguous();
  SGOOD_ASSERT(source.numel() == static_cast<std::int64_t>(destination.size()));
  std::copy_n(source.data_ptr<T>(), destination.size(), destination.data());
}

/// Copies `tensor` [num_rows, matrix.cols] into rows [first, first + num_rows) of `matrix`.
void copy_rows(Matrix& matrix, std::int64_t first, const at::Tensor& tensor) {
  copy_to(std::span(matrix.values)
              .subspan(static_cast<std::size_t>(first * matrix.cols),
                       static_cast<std::size_t>(tensor.numel())),
          tensor);
}

class TorchFrozenNetwork final : public FrozenNetwork {
 public:
  TorchFrozenNetwork(const ParameterLayout& layout, at::Tensor parameters, at::Tensor statistics)
      : layout_(layout), network_(layout_, std::move(parameters), std::move(statistics)) {}

  Encoding encode(const PackedBatch& batch) const override {
    use_one_thread();
    const at::NoGradGuard no_gradients;
    const NetworkShape& shape = layout_.shape();
    const std::int32_t graphs = batch.num_graphs;
    Encoding result{Matrix(graphs, shape.node_width()), Matrix(graphs, shape.super_width()),
                    Matrix(graphs, shape.num_classes)};
    for (std::int32_t first = 0; first < graphs; first += kChunkGraphs) {
      const std::int32_t last = std::min(first + kChunkGraphs, graphs);
      const TorchEncoding chunk =
          network_.encode(make_torch_batch(batch, first, last, shape, network_.options()));
      copy_rows(result.node_sum, first, chunk.node_sum);
      copy_rows(result.super_sum, first, chunk.super_sum);
      copy_rows(result.logits, first, network_.classify(chunk.readout));
    }
    return result;
  }

  Matrix node_representations(const PackedBatch& batch) const override {
    use_one_thread();
    const at::NoGradGuard no_gradients;
    Matrix result(batch.num_nodes, layout_.shape().node_width());
    copy_rows(result, 0, network_.encode(whole(batch)).node_state);
    return result;
  }

  Matrix input_gradient(const PackedBatch& batch, double temperature) const override {
    use_one_thread();
    const NetworkShape& shape = layout_.shape();
    SGOOD_CHECK(shape.num_classes > 0, "a network without classes has no input gradient");
    SGOOD_CHECK(shape.vocabulary == 0, "a network that reads codes has no input gradient");
    SGOOD_CHECK(temperature > 0, "temperature is {} but must be positive", temperature);
    Matrix result(batch.num_nodes, shape.num_dense);
    if (result.values.empty()) return result;
    TorchBatch tensors = whole(batch);
    tensors.features.requires_grad_();
    const at::Tensor logits = network_.classify(network_.encode(tensors).readout) / temperature;
    const at::Tensor largest = std::get<0>(logits.max(1));
    (logits.logsumexp(1) - largest).sum().backward();
    copy_rows(result, 0, tensors.features.grad());
    return result;
  }

 private:
  TorchBatch whole(const PackedBatch& batch) const {
    return make_torch_batch(batch, 0, batch.num_graphs, layout_.shape(), network_.options());
  }

  ParameterLayout layout_;
  TorchNetwork network_;
};

class TorchEngine final : public Engine {
 public:
  TorchEngine(const NetworkShape& shape, const at::TensorOptions& options)
      : layout_(shape), options_(options) {}

  StepLoss loss_and_gradient(const TrainingStep& step, std::span<const float> parameters,
                             std::span<float> gradient) override {
    use_one_thread();
    check_parameters(parameters.size());
    check_size("gradient", gradient.size(), layout_.num_parameters());
    const at::Tensor leaf = to_tensor(parameters, options_).requires_grad_();
    const TorchLoss loss = training_loss(TorchNetwork(layout_, leaf), step);
    loss.total.backward();
    copy_to(gradient, leaf.grad());
    return {loss.total.item<double>(), loss.cross_entropy.item<double>(),
            loss.contrastive.item<double>()};
  }

  void batch_statistics(const PackedBatch& batch, std::span<const float> parameters,
                        std::span<double> statistics) override {
    use_one_thread();
    const at::NoGradGuard no_gradients;
    check_parameters(parameters.size());
    check_size("statistics", statistics.size(), layout_.num_statistics());
    const TorchNetwork network(layout_, to_tensor(parameters, options_));
    const TorchBatch tensors =
        make_torch_batch(batch, 0, batch.num_graphs, layout_.shape(), options_);
    copy_to(statistics, at::cat(network.encode(tensors).moments, 1));
  }

  std::unique_ptr<FrozenNetwork> freeze(std::span<const float> parameters,
                                        std::span<const double> statistics) const override {
    check_parameters(parameters.size());
    check_size("statistics", statistics.size(), layout_.num_statistics());
    // Matrix products round differently near the edges of a batch; in double precision that stays
    // far below what a score shows.
    const at::TensorOptions exact = options_.dtype(at::kDouble);
    return std::make_unique<TorchFrozenNetwork>(layout_, to_tensor(parameters, exact),
                                                to_tensor(statistics, exact));
  }

 private:
  static void check_size(const char* name, std::size_t size, std::int64_t expected) {
    SGOOD_CHECK(static_cast<std::int64_t>(size) == expected, "{} has {} elements, not {}", name,
                size, expected);
  }
  void check_parameters(std::size_t size) const {
    check_size("parameters", size, layout_.num_parameters());
  }

  ParameterLayout layout_;
  at::TensorOptions options_;
};

}  // namespace

std::unique_ptr<Engine> make_torch_engine(const NetworkShape& shape, const TorchOptions& options) {
  const bool cuda = options.device == TorchDevice::kCuda;
  if (cuda && !at::hasCUDA())
    throw Unavailable("this LibTorch finds no CUDA device; use the CPU instead");
  const auto precision = options.precision == TorchPrecision::kDouble ? at::kDouble : at::kFloat;
  return std::make_unique<TorchEngine>(
      shape, at::TensorOptions().dtype(precision).device(cuda ? at::kCUDA : at::kCPU));
}

}  // namespace sgood

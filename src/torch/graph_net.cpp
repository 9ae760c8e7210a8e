// SPDX-License-Identifier: MIT
#include "src/torch/graph_net.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adam.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "sgood/core/error.h"
#include "sgood/nn/batch_ranges.h"
#include "sgood/torch/torch_models.h"
#include "src/torch/models/models.h"
#include "src/torch/one_thread.h"

namespace sgood {
namespace {

using Clock = std::chrono::steady_clock;

Matrix to_matrix(const at::Tensor& tensor) {
  if (!tensor.defined()) return {};
  const at::Tensor source =
      (tensor.dim() == 1 ? tensor.unsqueeze(1) : tensor).to(at::kCPU, at::kDouble).contiguous();
  Matrix matrix(source.size(0), source.size(1));
  std::copy_n(source.data_ptr<double>(), matrix.values.size(), matrix.values.begin());
  return matrix;
}

/// Runs `work` on one thread. LibTorch's own errors, which symbolise a stack when asked what they
/// are, become ours.
template <typename Work>
auto guarded(Work work) {
  use_one_thread();
  try {
    return work();
  } catch (const c10::Error& error) {
    throw Error(fmt::format("LibTorch: {}", error.what_without_backtrace()));
  }
}

/// Trains a net and keeps it for scoring.
class NetModel final : public GraphModel {
 public:
  NetModel(std::shared_ptr<GraphNet> net, const GraphModelSpec& spec, bool cuda)
      : net_(std::move(net)), spec_(spec), device_(cuda ? at::kCUDA : at::kCPU) {
    use_one_thread();
  }

  GraphModelTraining fit(std::span<const PackedGraph> graphs, const Rng& rng,
                         const RunControl& control) override {
    return guarded([&] { return train(graphs, rng, control); });
  }

  GraphModelOutput evaluate(std::span<const PackedGraph> graphs) const override {
    return guarded([&] { return run(graphs); });
  }

  void save(TensorFile& file) const override {
    for_tensors([&](const std::string& name, const at::Tensor& tensor) {
      const at::Tensor values = tensor.to(at::kDouble).contiguous();
      file.tensors["model." + name] =
          Tensor::of(std::span<const double>(values.data_ptr<double>(),
                                             static_cast<std::size_t>(values.numel())),
                     values.sizes().vec());
    });
  }

  void load(const TensorFile& file) override {
    guarded([&] { take(file); });
  }

 private:
  GraphModelTraining train(std::span<const PackedGraph> graphs, const Rng& rng,
                           const RunControl& control) {
    at::Generator generator = make_generator(rng.fork("weights"));
    net_->to(at::kCPU, at::kFloat);
    {
      const at::NoGradGuard no_gradients;
      initialise(*net_, generator);
      net_->initialise_specially(generator);
    }
    net_->to(device_);
    net_->train();
    TrainingGraphs training(graphs, spec_, at::TensorOptions().dtype(at::kFloat).device(device_));

    GraphModelTraining result;
    const std::vector<StagePlan> stages = net_->stages();
    total_epochs_ = done_epochs_ = 0;
    for (const StagePlan& stage : stages) total_epochs_ += stage.epochs;
    for (std::size_t s = 0; s < stages.size(); ++s)
      result.stages.push_back(run_stage(s, stages[s], training, rng, control));
    for (const at::Tensor& parameter : net_->parameters())
      result.num_parameters += parameter.numel();

    const at::NoGradGuard no_gradients;
    freeze();
    TrainingGraphs final_pass(graphs, spec_, at::TensorOptions().dtype(at::kDouble));
    at::Generator last = make_generator(rng.fork("finish"));
    net_->finish(final_pass, last);
    return result;
  }

  GraphModelOutput run(std::span<const PackedGraph> graphs) const {
    const at::NoGradGuard no_gradients;
    std::vector<const PackedGraph*> pointers;
    for (const PackedGraph& graph : graphs) pointers.push_back(&graph);
    const GraphNetOutput output =
        net_->evaluate(make_graph_tensors(pointers, spec_, at::TensorOptions().dtype(at::kDouble)));
    return {to_matrix(output.score), to_matrix(output.representation), to_matrix(output.logits)};
  }

  void take(const TensorFile& file) {
    const at::NoGradGuard no_gradients;
    freeze();
    for_tensors([&](const std::string& name, at::Tensor& tensor) {
      const Tensor& stored = file.tensor("model." + name);
      const std::vector<double> values = stored.values<double>();
      // A buffer that fitting fills has no size before.
      const bool fixed = tensor.numel() > 0;
      SGOOD_CHECK(!fixed || stored.shape == tensor.sizes().vec(),
                  "the model file's model.{} has another shape than the options say", name);
      const at::Tensor source = at::tensor(values, at::kDouble).view(stored.shape);
      if (fixed) {
        tensor.copy_(source);
      } else {
        tensor.set_data(source.to(tensor.scalar_type()));
      }
    });
  }

  void freeze() {
    net_->to(at::kCPU, at::kDouble);
    net_->eval();
    for (at::Tensor& parameter : net_->parameters()) parameter.set_requires_grad(false);
  }

  template <typename Work>
  void for_tensors(Work work) const {
    for (auto& item : net_->named_parameters()) work(item.key(), item.value());
    for (auto& item : net_->named_buffers()) work(item.key(), item.value());
  }

  GraphModelTraining::Stage run_stage(std::size_t s, const StagePlan& plan,
                                      TrainingGraphs& training, const Rng& rng,
                                      const RunControl& control) {
    GraphModelTraining::Stage result{plan.name, plan.epochs};
    {
      const at::NoGradGuard no_gradients;
      at::Generator generator = make_generator(rng.fork(plan.name));
      net_->begin_stage(s, training, generator);
    }
    torch::optim::Adam adam(
        net_->trained_in(s),
        torch::optim::AdamOptions(plan.learning_rate).weight_decay(plan.weight_decay));
    std::vector<double> seconds;
    steps_ = 0;
    for (int epoch = 0; epoch < plan.epochs; ++epoch) {
      const auto start = Clock::now();
      const double loss = run_epoch(s, plan, epoch, adam, training, rng, control);
      if (!std::isfinite(loss))
        throw Error(
            fmt::format("{}: the loss is {} in epoch {}; a smaller learning_rate usually helps",
                        plan.name, loss, epoch + 1));
      if (epoch == 0) result.first_loss = loss;
      result.last_loss = loss;
      if (!plan.decay_counts_steps) decay(plan, epoch + 1, adam);
      seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
      control.report(plan.name, ++done_epochs_, total_epochs_, fmt::format("loss {:.4f}", loss));
    }
    std::sort(seconds.begin(), seconds.end());
    if (!seconds.empty()) result.epoch_seconds = seconds[seconds.size() / 2];
    return result;
  }

  double run_epoch(std::size_t s, const StagePlan& plan, int epoch, torch::optim::Adam& adam,
                   TrainingGraphs& training, const Rng& rng, const RunControl& control) {
    Rng order_rng = rng.fork(fmt::format("{} {} order", plan.name, epoch));
    at::Generator generator = make_generator(rng.fork(fmt::format("{} {}", plan.name, epoch)));
    std::vector<std::int32_t> order(static_cast<std::size_t>(training.size()));
    std::iota(order.begin(), order.end(), 0);
    order_rng.shuffle(order);
    {
      const at::NoGradGuard no_gradients;
      net_->begin_epoch(s, epoch, training, generator);
    }
    double sum = 0;
    adam.zero_grad();
    for (const auto& [first, last] :
         batch_ranges(static_cast<std::int32_t>(order.size()), plan.batch_size)) {
      if (control.stop.stop_requested()) throw Cancelled("stopped");
      const std::span<const std::int32_t> positions(order.data() + first,
                                                    static_cast<std::size_t>(last - first));
      const double share =
          static_cast<double>(positions.size()) / static_cast<double>(order.size());
      const at::Tensor loss = net_->loss(s, training.batch(positions), generator);
      sum += loss.item<double>() * share;
      if (!loss.requires_grad()) continue;
      (plan.one_step_an_epoch ? loss * share : loss).backward();
      if (plan.one_step_an_epoch) continue;
      step(plan, adam);
    }
    if (plan.one_step_an_epoch) step(plan, adam);
    const at::NoGradGuard no_gradients;
    net_->end_epoch(s, epoch, training, generator);
    return sum;
  }

  void step(const StagePlan& plan, torch::optim::Adam& adam) {
    if (plan.clip_norm > 0) torch::nn::utils::clip_grad_norm_(net_->parameters(), plan.clip_norm);
    adam.step();
    adam.zero_grad();
    if (plan.decay_counts_steps) decay(plan, ++steps_, adam);
  }

  /// After `done` epochs or steps.
  static void decay(const StagePlan& plan, std::int64_t done, torch::optim::Adam& adam) {
    if (plan.decay_every == 0 || done % plan.decay_every != 0) return;
    for (auto& group : adam.param_groups())
      group.options().set_lr(group.options().get_lr() * plan.decay);
  }

  std::shared_ptr<GraphNet> net_;
  GraphModelSpec spec_;
  at::DeviceType device_;
  std::int64_t total_epochs_ = 0, done_epochs_ = 0;
  std::int64_t steps_ = 0;  // of the stage
};

}  // namespace

TrainingGraphs::TrainingGraphs(std::span<const PackedGraph> graphs, const GraphModelSpec& spec,
                               const at::TensorOptions& options)
    : graphs_(graphs), spec_(spec), options_(options), everywhere_(graphs.size()) {
  std::iota(everywhere_.begin(), everywhere_.end(), 0);
}

GraphTensors TrainingGraphs::batch(std::span<const std::int32_t> positions) {
  if (positions.empty()) positions = everywhere_;
  selected_.clear();
  for (const std::int32_t p : positions) selected_.push_back(&graphs_[static_cast<std::size_t>(p)]);
  GraphTensors result = make_graph_tensors(selected_, spec_, options_);
  result.position = positions;
  return result;
}

void GraphNet::begin_stage(std::size_t, TrainingGraphs&, at::Generator&) {}
void GraphNet::begin_epoch(std::size_t, int, TrainingGraphs&, at::Generator&) {}
void GraphNet::end_epoch(std::size_t, int, TrainingGraphs&, at::Generator&) {}
void GraphNet::finish(TrainingGraphs&, at::Generator&) {}

void initialise(torch::nn::Module& module, at::Generator& generator) {
  for (const auto& child : module.modules(/*include_self=*/true)) {
    const auto* linear = child->as<torch::nn::LinearImpl>();
    for (auto& item : child->named_parameters(/*recurse=*/false)) {
      at::Tensor& parameter = item.value();
      if (linear != nullptr) {
        const double bound = 1 / std::sqrt(static_cast<double>(linear->options.in_features()));
        parameter.uniform_(-bound, bound, generator);
      } else if (parameter.dim() == 2) {
        const auto [inputs, outputs] = std::pair(parameter.size(0), parameter.size(1));
        const double bound = std::sqrt(6.0 / static_cast<double>(inputs + outputs));
        parameter.uniform_(-bound, bound, generator);
      }
    }
  }
}

at::Generator make_generator(Rng rng) { return at::detail::createCPUGenerator(rng.next()); }

Rng make_rng(at::Generator& generator) {
  return Rng(at::check_generator<at::CPUGeneratorImpl>(generator)->random64());
}

std::unique_ptr<GraphModel> make_torch_model(const GraphModelSpec& spec, TorchDevice device) {
  const bool cuda = device == TorchDevice::kCuda;
  if (cuda && !at::hasCUDA())
    throw Unavailable("this LibTorch finds no CUDA device; use the CPU instead");
  return std::make_unique<NetModel>(make_graph_net(spec), spec, cuda);
}

}  // namespace sgood

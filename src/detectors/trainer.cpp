// SPDX-License-Identifier: MIT
#include "sgood/detectors/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "sgood/core/error.h"
#include "sgood/core/hash.h"
#include "sgood/detectors/training_batches.h"
#include "sgood/io/safetensors.h"
#include "sgood/nn/adam.h"
#include "sgood/nn/batch_ranges.h"
#include "stored.h"

namespace sgood {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Everything that an epoch changes.
struct TrainingState {
  std::vector<float> parameters;
  Adam adam;
  std::int64_t stage = 0;
  std::int64_t epoch = 0;                     ///< Epochs finished in this stage.
  std::vector<double> first_loss, last_loss;  ///< Per stage.
};

class Trainer {
 public:
  Trainer(Engine& engine, const ParameterLayout& layout, std::span<const PackedGraph> graphs,
          const TrainerOptions& options, const Rng& rng, const RunControl& control,
          const CheckpointFile& checkpoint)
      : engine_(engine),
        layout_(layout),
        options_(options),
        rng_(rng),
        control_(control),
        checkpoint_(checkpoint),
        batches_(graphs, layout.shape(), options),
        gradient_(static_cast<std::size_t>(layout.num_parameters())),
        state_{layout.initial_parameters(rng.fork("weights")),
               Adam(layout.num_parameters()),
               0,
               0,
               std::vector<double>(options.stages.size(), 0.0),
               std::vector<double>(options.stages.size(), 0.0)} {}

  TrainedNetwork run() {
    load_checkpoint();
    TrainedNetwork result;
    std::int64_t total_epochs = 0, done_epochs = 0;
    for (std::size_t s = 0; s < options_.stages.size(); ++s) {
      total_epochs += options_.stages[s].epochs;
      if (static_cast<std::int64_t>(s) < state_.stage) done_epochs += options_.stages[s].epochs;
    }
    done_epochs += state_.epoch;
    last_saved_ = Clock::now();
    for (std::size_t s = 0; s < options_.stages.size(); ++s) {
      const TrainingStage& stage = options_.stages[s];
      std::vector<double> seconds;
      if (static_cast<std::int64_t>(s) >= state_.stage) {
        if (static_cast<std::int64_t>(s) > state_.stage) {
          state_.stage = static_cast<std::int64_t>(s);
          state_.epoch = 0;
          // Each stage has its own learning rate and loss, so the moments start anew.
          state_.adam = Adam(layout_.num_parameters());
        }
        while (state_.epoch < stage.epochs) {
          const auto start = Clock::now();
          run_epoch(s);
          seconds.push_back(seconds_since(start));
          control_.report(stage.name, ++done_epochs, total_epochs,
                          fmt::format("loss {:.4f}", state_.last_loss[s]));
          save_now_and_then();
        }
      }
      std::sort(seconds.begin(), seconds.end());
      result.stages.push_back({stage.name, stage.epochs, state_.first_loss[s], state_.last_loss[s],
                               seconds.empty() ? 0.0 : seconds[seconds.size() / 2]});
    }
    result.parameters = state_.parameters;
    result.statistics = clean_statistics();
    return result;
  }

 private:
  void run_epoch(std::size_t s) {
    const TrainingStage& stage = options_.stages[s];
    const TrainingState before = state_;
    Rng rng = rng_.fork(fmt::format("{} {}", stage.name, state_.epoch));
    std::vector<std::int32_t> order(static_cast<std::size_t>(batches_.num_graphs()));
    std::iota(order.begin(), order.end(), 0);
    rng.shuffle(order);

    double loss = 0;
    const auto ranges = batch_ranges(static_cast<std::int32_t>(order.size()), options_.batch_size);
    for (const auto& [first, last] : ranges) {
      if (control_.stop.stop_requested()) {
        state_ = before;
        save_checkpoint();
        throw Cancelled(
            checkpoint_.path.empty()
                ? std::string("stopped")
                : fmt::format("stopped; training so far is kept in {}", checkpoint_.path.string()));
      }
      const std::span<const std::int32_t> positions(order.data() + first,
                                                    static_cast<std::size_t>(last - first));
      loss += run_step(stage, positions, rng) * static_cast<double>(positions.size());
    }
    loss /= static_cast<double>(order.size());
    if (!std::isfinite(loss))
      throw Error(
          fmt::format("{}: the loss is {} in epoch {}; a smaller learning rate or a larger "
                      "tau usually helps",
                      stage.name, loss, state_.epoch + 1));
    if (state_.epoch == 0) state_.first_loss[s] = loss;
    state_.last_loss[s] = loss;
    ++state_.epoch;
  }

  double run_step(const TrainingStage& stage, std::span<const std::int32_t> positions, Rng& rng) {
    const TrainingStep step = batches_.write(stage, positions, rng);
    if (step.original == nullptr && step.view0 == nullptr) return 0;
    const StepLoss loss = engine_.loss_and_gradient(step, state_.parameters, gradient_);
    state_.adam.step(state_.parameters, gradient_, stage.learning_rate);
    return loss.total;
  }

  /// BN statistics of the clean training graphs at the final weights: per-batch moments, pooled by
  /// the law of total variance with each batch weighted by its rows.
  std::vector<double> clean_statistics() {
    const auto n = static_cast<std::size_t>(layout_.num_statistics());
    std::vector<double> batch_moments(n), mean_sum(n, 0.0), square_sum(n, 0.0), rows(n, 0.0);
    std::vector<std::int32_t> order(static_cast<std::size_t>(batches_.num_graphs()));
    std::iota(order.begin(), order.end(), 0);
    for (const auto& [first, last] :
         batch_ranges(static_cast<std::int32_t>(order.size()), options_.batch_size)) {
      const PackedBatch& batch = batches_.write_plain(std::span(order).subspan(
          static_cast<std::size_t>(first), static_cast<std::size_t>(last - first)));
      engine_.batch_statistics(batch, state_.parameters, batch_moments);
      for (const Slot& slot : layout_.statistics()) {
        if (!slot.name.ends_with(".mean")) continue;
        const double weight = slot.name.starts_with("node.") ? batch.num_nodes : batch.num_blocks;
        for (std::int32_t c = 0; c < slot.cols; ++c) {
          const auto at = static_cast<std::size_t>(slot.offset + c);
          const double mean = batch_moments[at];
          const double variance = batch_moments[at + static_cast<std::size_t>(slot.cols)];
          mean_sum[at] += weight * mean;
          square_sum[at] += weight * (variance + mean * mean);
          rows[at] += weight;
        }
      }
    }
    std::vector<double> statistics(n, 0.0);
    for (const Slot& slot : layout_.statistics()) {
      if (!slot.name.ends_with(".mean")) continue;
      for (std::int32_t c = 0; c < slot.cols; ++c) {
        const auto at = static_cast<std::size_t>(slot.offset + c);
        const double mean = rows[at] > 0 ? mean_sum[at] / rows[at] : 0.0;
        statistics[at] = mean;
        statistics[at + static_cast<std::size_t>(slot.cols)] =
            rows[at] > 0 ? std::max(0.0, square_sum[at] / rows[at] - mean * mean) : 1.0;
      }
    }
    return statistics;
  }

  void save_now_and_then() {
    if (checkpoint_.path.empty() || seconds_since(last_saved_) < 60) return;
    save_checkpoint();
    last_saved_ = Clock::now();
  }

  void save_checkpoint() const {
    if (checkpoint_.path.empty()) return;
    TensorFile file;
    file.metadata["sgood.kind"] = "checkpoint";
    file.metadata["sgood.fingerprint"] = fmt::format("{:016x}", checkpoint_.fingerprint);
    file.tensors["parameters"] = Tensor::of(state_.parameters);
    file.tensors["adam.first_moment"] = Tensor::of(state_.adam.first_moment);
    file.tensors["adam.second_moment"] = Tensor::of(state_.adam.second_moment);
    file.tensors["position"] =
        Tensor::of(std::vector<std::int64_t>{state_.stage, state_.epoch, state_.adam.steps});
    file.tensors["first_loss"] = Tensor::of(state_.first_loss);
    file.tensors["last_loss"] = Tensor::of(state_.last_loss);
    save_tensors(checkpoint_.path, file);
  }

  void load_checkpoint() {
    if (checkpoint_.path.empty() || !std::filesystem::exists(checkpoint_.path)) return;
    const TensorFile file = load_tensors(checkpoint_.path);
    const auto found = file.metadata.find("sgood.fingerprint");
    SGOOD_CHECK(found != file.metadata.end() &&
                    found->second == fmt::format("{:016x}", checkpoint_.fingerprint),
                "checkpoint {} belongs to other data, options or seed; delete it to start afresh",
                checkpoint_.path.string());
    const auto position = stored_values<std::int64_t>(file, "position", {3});
    const std::vector<std::int64_t> flat = {layout_.num_parameters()};
    const std::vector<std::int64_t> stages = {static_cast<std::int64_t>(options_.stages.size())};
    state_.parameters = stored_values<float>(file, "parameters", flat);
    state_.adam.first_moment = stored_values<float>(file, "adam.first_moment", flat);
    state_.adam.second_moment = stored_values<float>(file, "adam.second_moment", flat);
    state_.first_loss = stored_values<double>(file, "first_loss", stages);
    state_.last_loss = stored_values<double>(file, "last_loss", stages);
    state_.stage = position[0];
    state_.epoch = position[1];
    state_.adam.steps = position[2];
  }

  Engine& engine_;
  const ParameterLayout& layout_;
  const TrainerOptions& options_;
  const Rng& rng_;
  const RunControl& control_;
  const CheckpointFile& checkpoint_;

  TrainingBatches batches_;
  std::vector<float> gradient_;
  TrainingState state_;
  Clock::time_point last_saved_;
};

}  // namespace

TrainedNetwork train_network(Engine& engine, const ParameterLayout& layout,
                             std::span<const PackedGraph> graphs, const TrainerOptions& options,
                             const Rng& rng, const RunControl& control,
                             const CheckpointFile& checkpoint) {
  SGOOD_CHECK(graphs.size() >= 2, "training needs at least 2 graphs, not {}", graphs.size());
  return Trainer(engine, layout, graphs, options, rng, control, checkpoint).run();
}

}  // namespace sgood

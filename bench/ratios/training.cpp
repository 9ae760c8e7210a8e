// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "bench/ratios/parts.h"
#include "bench/support/measure.h"
#include "bench/support/suite_batches.h"
#include "sgood/core/error.h"
#include "sgood/detectors/trainer.h"
#include "sgood/detectors/training_batches.h"
#include "sgood/nn/adam.h"
#include "sgood/nn/batch_ranges.h"
#include "sgood/nn/cpu_engine.h"
#ifdef SGOOD_BENCH_TORCH
#include "bench/torch/plain_torch_step.h"
#endif

namespace sgood::bench {
namespace {

constexpr double kLearningRate = 0.001;

/// Our engine with the parameters that it trains.
struct Learner {
  ParameterLayout layout;
  std::unique_ptr<Engine> engine;
  std::vector<float> parameters, gradient;
  Adam adam;

  explicit Learner(const NetworkShape& shape)
      : layout(shape),
        engine(make_cpu_engine(shape)),
        parameters(layout.initial_parameters(Rng(1))),
        gradient(parameters.size()),
        adam(layout.num_parameters()) {}

  double run(const TrainingStep& step) {
    const double loss = engine->loss_and_gradient(step, parameters, gradient).total;
    adam.step(parameters, gradient, kLearningRate);
    return loss;
  }
};

#ifdef SGOOD_BENCH_TORCH
/// Seconds of a step; both sides start at the same parameters and read the same batches.
Sides step_seconds(const Context& context, const std::string& suite, RowSum row_sum) {
  const PreparedSuite& data = prepared_suite(suite);
  const std::size_t count = context.quick ? 12 : 60;
  const std::vector<StepBatches> batches = make_step_batches(data, count);
  Learner ours(data.shape);
  PlainTorchStep theirs(ours.layout, ours.parameters, row_sum);
  for (const StepBatches& batch : batches) theirs.add(batch.step());

  const auto run_ours = [&](std::size_t i) { return ours.run(batches[i % count].step()); };
  const auto run_theirs = [&](std::size_t i) { return theirs.run(i % count); };
  const double loss = run_ours(0), their_loss = run_theirs(0);
  if (!(std::abs(loss - their_loss) < 1e-3 * std::abs(loss)))
    throw Error(fmt::format("{}: our loss is {}, LibTorch's {}: they do not compute the same",
                            suite, loss, their_loss));
  return alternate(Clock::kThreadCpu, {context.runs(12), 30, 10}, run_ours, run_theirs);
}
#endif

const TrainingStage kFineTuning = {"fine-tuning", 1, kLearningRate, true, 0.1};

/// Seconds of the two parts of one fine-tuning epoch.
struct EpochSeconds {
  double batches = 0;  ///< Augment and pack.
  double steps = 0;    ///< Losses, gradients and update.
};

class Epoch {
 public:
  explicit Epoch(const PreparedSuite& data)
      : learner_(data.shape), batches_(data.graphs, data.shape, TrainerOptions()) {}

  EpochSeconds run() {
    std::vector<std::int32_t> order(static_cast<std::size_t>(batches_.num_graphs()));
    std::iota(order.begin(), order.end(), 0);
    rng_.shuffle(order);
    EpochSeconds seconds;
    for (const auto& [first, last] : batch_ranges(batches_.num_graphs(), kBatchGraphs)) {
      const std::span positions(order.data() + first, static_cast<std::size_t>(last - first));
      TrainingStep step;
      seconds.batches +=
          timed(Clock::kThreadCpu, [&] { step = batches_.write(kFineTuning, positions, rng_); });
      seconds.steps += timed(Clock::kThreadCpu, [&] { learner_.run(step); });
    }
    return seconds;
  }

 private:
  Learner learner_;
  TrainingBatches batches_;
  Rng rng_{2};
};

/// CPU seconds of each fine-tuning epoch of the product's own trainer, default options.
std::vector<double> epoch_seconds(const PreparedSuite& data, int epochs) {
  TrainerOptions options;
  options.stages = {kFineTuning};
  options.stages[0].epochs = epochs;
  std::vector<double> ends;
  RunControl control;
  control.progress = [&](const ProgressUpdate&) {
    ends.push_back(seconds_of(CLOCK_THREAD_CPUTIME_ID));
  };
  const ParameterLayout layout(data.shape);
  train_network(*make_cpu_engine(data.shape), layout, data.graphs, options, Rng(0), control, {});
  std::vector<double> seconds;
  for (std::size_t i = 1; i < ends.size(); ++i) seconds.push_back(ends[i] - ends[i - 1]);
  return seconds;
}

struct PaperEpoch {
  const char* suite;
  std::optional<double> seconds;  ///< Paper, RTX 3090; none for a set that it does not use.
  double faster = 5;              ///< Wanted ratio.
};

}  // namespace

void measure_steps(const Context& context) {
#ifdef SGOOD_BENCH_TORCH
  const std::pair<const char*, double> wanted[] = {{"enzymes", 8}, {"imdb-m", 15}, {"bace", 10}};
  for (const auto& [suite, ratio] : wanted) {
    const Sides added = step_seconds(context, suite, RowSum::kIndexAdd);
    const Sides scattered = step_seconds(context, suite, RowSum::kScatterAdd);
    const Sides& best = added.theirs < scattered.theirs ? added : scattered;
    context.report->add({.part = "a",
                         .name = fmt::format("step: plain LibTorch / ours, {}", suite),
                         .ours = 1e3 * best.ours,
                         .theirs = 1e3 * best.theirs,
                         .ratio = best.theirs / best.ours,
                         .unit = "ms",
                         .n = 30 * context.runs(12),
                         .target = at_least(ratio),
                         .more = {{"index_add_ms", 1e3 * added.theirs},
                                  {"scatter_add_ms", 1e3 * scattered.theirs}}});
  }
#else
  context.report->skip("a", "built without LibTorch");
#endif
}

void measure_augmentation(const Context& context) {
  for (const char* suite : {"enzymes", "imdb-m", "bace"}) {
    Epoch epoch(prepared_suite(suite));
    epoch.run();
    std::vector<double> batches, all;
    for (std::size_t i = 0; i < context.runs(60); ++i) {
      const EpochSeconds seconds = epoch.run();
      batches.push_back(seconds.batches);
      all.push_back(seconds.batches + seconds.steps);
    }
    const double ours = median(batches), theirs = median(all);
    context.report->add({.part = "b",
                         .name = fmt::format("augment and pack / whole epoch, {}", suite),
                         .ours = 1e3 * ours,
                         .theirs = 1e3 * theirs,
                         .ratio = ours / theirs,
                         .unit = "ms",
                         .n = all.size(),
                         .target = at_most(0.1)});
  }
}

void measure_epochs(const Context& context) {
  const PaperEpoch wanted[] = {{"enzymes", 0.161}, {"imdb-m", 0.138},    {"imdb-b", 0.137},
                               {"bace", 0.085},    {"bbbp", 0.058, 4},   {"drugood", 0.124},
                               {"hiv", 3.97},      {"reddit-binary", {}}};
  for (const PaperEpoch& paper : wanted) {
    const std::string suite = paper.suite;
    if (context.quick && (suite == "hiv" || suite == "reddit-binary")) continue;
    const PreparedSuite& data = prepared_suite(suite);
    const bool large = suite == "hiv" || suite == "reddit-binary";
    const std::vector<double> seconds =
        epoch_seconds(data, static_cast<int>(1 + (large ? 6 : context.runs(60))));
    const double ours = median(seconds);
    Row row{.part = "c",
            .name = fmt::format("epoch: paper's RTX 3090 / ours, {}", suite),
            .ours = ours,
            .theirs = paper.seconds,
            .unit = "s",
            .n = seconds.size(),
            .more = {{"graphs", data.graphs.size()}}};
    if (paper.seconds) {
      row.ratio = *paper.seconds / ours;
      row.target = at_least(paper.faster);
    }
    context.report->add(std::move(row));
  }
}

}  // namespace sgood::bench

// SPDX-License-Identifier: MIT
#include "sgood/detectors/classifier_detectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "sgood/core/error.h"
#include "sgood/core/threads.h"
#include "sgood/detectors/network_cache.h"
#include "sgood/detectors/sgood.h"
#include "tests/detectors/toy_data.h"

namespace sgood {
namespace {

using testing::toy_ood;
using testing::toy_set;

const std::vector<std::string> kMethods = {"msp", "energy", "odin", "mahalanobis", "gnnsafe"};

std::unique_ptr<Detector> quick(const std::string& method) {
  auto detector = make_detector(method);
  detector->options().set("epochs", "6");
  detector->options().set("batch_size", "16");
  return detector;
}

SgoodDetector base(const std::string& partitioner) {
  SgoodOptions options;
  options.substructures = false;
  options.pretrain_epochs = 0;
  options.finetune_epochs = 6;
  options.alpha = 0;
  options.batch_size = 16;
  options.partitioner = partitioner;
  return SgoodDetector(options);
}

std::vector<double> fit_and_score(Detector& detector, const FitContext& context = {}) {
  detector.fit(toy_set(40, 1), context);
  std::vector<double> values;
  for (const GraphScore& s : detector.score(toy_ood(20, 2))) values.push_back(s.score);
  return values;
}

TEST(ClassifierDetectors, MahalanobisIsSgoodBase) {
  FitContext context;
  context.seed = 7;
  const auto mahalanobis = quick("mahalanobis");
  SgoodDetector same_order = base("none");
  const std::vector<double> scores = fit_and_score(*mahalanobis, context);
  EXPECT_EQ(scores, fit_and_score(same_order, context));
  // Other substructures change the order in which a graph's nodes are summed, and nothing else.
  SgoodDetector other_order = base("modularity");
  const std::vector<double> close = fit_and_score(other_order, context);
  for (std::size_t i = 0; i < scores.size(); ++i)
    EXPECT_NEAR(close[i], scores[i], 1e-2 * (1 + scores[i]));
}

TEST(ClassifierDetectors, AllPredictTheSameClasses) {
  std::vector<std::optional<std::int32_t>> first;
  for (const std::string& method : kMethods) {
    const auto detector = quick(method);
    detector->fit(toy_set(40, 1), {});
    std::vector<std::optional<std::int32_t>> predicted;
    for (const GraphScore& s : detector->score(toy_set(20, 2))) predicted.push_back(s.predicted);
    if (first.empty()) first = predicted;
    EXPECT_EQ(predicted, first) << method;
  }
}

TEST(ClassifierDetectors, OdinWithoutAStepIsMspAtItsTemperature) {
  const auto odin = quick("odin"), msp = quick("msp");
  odin->options().set("epsilon", "0");
  odin->options().set("temperature", "1");
  const std::vector<double> a = fit_and_score(*odin), b = fit_and_score(*msp);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-5 * (1 + b[i]));
}

TEST(ClassifierDetectors, OdinsStepRaisesTheConfidence) {
  const auto step = quick("odin"), none = quick("odin");
  step->options().set("epsilon", "0.001");
  none->options().set("epsilon", "0");
  for (const auto* detector : {&step, &none}) (*detector)->options().set("temperature", "1");
  const std::vector<double> a = fit_and_score(*step), b = fit_and_score(*none);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LE(a[i], b[i]);
  EXPECT_NE(a, b);
}

TEST(ClassifierDetectors, OneClassIsAnErrorThatSaysSo) {
  GraphSet one = toy_set(20, 1);
  for (Graph& graph : one.graphs) graph = graph.with_label(0);
  for (const std::string& method : kMethods) try {
      quick(method)->fit(one, {});
      FAIL() << method;
    } catch (const InvalidArgument& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(method + " learns to tell classes apart"));
      EXPECT_THAT(error.what(), ::testing::HasSubstr("one only"));
    }
}

/// Counts trainings by the first epoch that each reports.
struct TrainingCounter {
  std::atomic<int> trainings{0};
  RunControl control() {
    RunControl control;
    control.progress = [this](const ProgressUpdate& update) {
      if (update.stage == "fine-tuning" && update.done == 1) ++trainings;
    };
    return control;
  }
};

TEST(NetworkCache, MethodsOnOneClassifierTrainItOnce) {
  NetworkCache networks;
  TrainingCounter counter;
  FitContext context;
  context.control = counter.control();
  context.networks = &networks;
  std::set<double> seconds;
  for (const std::string& method : kMethods) {
    const auto shared = quick(method), alone = quick(method);
    EXPECT_EQ(fit_and_score(*shared, context), fit_and_score(*alone)) << method;
    seconds.insert(shared->epoch_seconds().back().second);
  }
  EXPECT_EQ(counter.trainings, 1);
  EXPECT_EQ(seconds.size(), 1u);
}

TEST(NetworkCache, OtherDataOptionsAndSeedsTrainAnew) {
  NetworkCache networks;
  TrainingCounter counter;
  FitContext context;
  context.control = counter.control();
  context.networks = &networks;
  quick("msp")->fit(toy_set(40, 1), context);
  quick("msp")->fit(toy_set(40, 2), context);
  GraphSet renamed = toy_set(40, 1);  // the same codes of other labels
  for (Graph& graph : renamed.graphs) {
    std::vector<std::int32_t> labels;
    for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
      labels.push_back(graph.node_labels(v)[0] + 10);
    graph = graph.with_node_labels(labels, 1);
  }
  quick("msp")->fit(renamed, context);
  const auto other = quick("msp");
  other->options().set("learning_rate", "0.01");
  other->fit(toy_set(40, 1), context);
  context.seed = 1;
  quick("msp")->fit(toy_set(40, 1), context);
  EXPECT_EQ(counter.trainings, 5);
  const auto again = quick("energy");
  again->options().set("temperature", "3");  // not an option of the network
  again->fit(toy_set(40, 1), context);
  EXPECT_EQ(counter.trainings, 5);
}

TEST(NetworkCache, FitsAtTheSameTimeShareOneTraining) {
  NetworkCache networks;
  TrainingCounter counter;
  FitContext context;
  context.control = counter.control();
  context.networks = &networks;
  std::vector<std::vector<double>> scores(kMethods.size());
  parallel_for(std::ssize(kMethods), 5, [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    const auto detector = quick(kMethods[at]);
    scores[at] = fit_and_score(*detector, context);
  });
  EXPECT_EQ(counter.trainings, 1);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto alone = quick(kMethods[i]);
    EXPECT_EQ(scores[i], fit_and_score(*alone));
  }
}

/// A network that nobody looks into.
NetworkCache::Network stand_in() {
  static const int nothing = 0;
  return {std::shared_ptr<const int>(), reinterpret_cast<const FittedNetwork*>(&nothing)};
}

TEST(NetworkCache, AfterAFailedTrainingTheNextOneTrains) {
  NetworkCache networks;
  std::atomic<int> calls{0}, failures{0};
  const auto train = [&]() -> NetworkCache::Network {
    if (++calls < 3) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      throw Error("diverged");
    }
    return stand_in();
  };
  parallel_for(3, 3, [&](std::int64_t) {
    try {
      networks.get(1, {}, train);
    } catch (const Error&) {
      ++failures;
    }
  });
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(failures, 2);
}

TEST(NetworkCache, AStopEndsTheWait) {
  NetworkCache networks;
  std::stop_source source;
  EXPECT_THROW(networks.get(1, {},
                            [&]() -> NetworkCache::Network {
                              std::jthread stopper([&] { source.request_stop(); });
                              // Waits for this very training, until it is stopped.
                              networks.get(1, source.get_token(), nullptr);
                              return nullptr;
                            }),
               Cancelled);
}

TEST(NetworkCache, KeepsTheNetworksUsedLast) {
  NetworkCache networks(2);
  TrainingCounter counter;
  FitContext context;
  context.control = counter.control();
  context.networks = &networks;
  const auto fit = [&](std::uint64_t seed) {
    context.seed = seed;
    quick("msp")->fit(toy_set(20, 1), context);
    return counter.trainings.load();
  };
  EXPECT_EQ(fit(1), 1);
  EXPECT_EQ(fit(2), 2);
  EXPECT_EQ(fit(1), 2);
  EXPECT_EQ(fit(3), 3);  // drops 2
  EXPECT_EQ(fit(1), 3);
  EXPECT_EQ(fit(2), 4);
}

}  // namespace
}  // namespace sgood

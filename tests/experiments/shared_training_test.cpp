// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>

#include "sgood/experiments/bench.h"

namespace sgood {
namespace {

TEST(RunMissing, MethodsOnOneClassifierTrainItOnce) {
  std::vector<RunSpec> specs;
  for (const char* method : {"msp", "energy", "mahalanobis"})
    for (const std::uint64_t seed : {0, 1})
      specs.push_back({"motif", method, {{"epochs", "5"}}, seed, seed});
  for (const int jobs : {1, 2}) {
    RunStore store;
    BenchOptions options;
    options.jobs = jobs;
    EXPECT_TRUE(run_missing(specs, store, options).empty());
    // A training's median time has too many digits for two trainings to share it.
    std::set<double> seconds;
    for (const RunSpec& spec : specs) seconds.insert(store.find(spec)->epoch_seconds.back().second);
    EXPECT_EQ(seconds.size(), 2u);
    // A shared network changes no number.
    const OodSuite suite = split_suite(load_suite("motif", {}), 1);
    const RunRecord alone = run_once(suite, specs[3], {});
    EXPECT_EQ(alone.id_scores.quantiles, store.find(specs[3])->id_scores.quantiles);
    EXPECT_EQ(alone.ood.auroc, store.find(specs[3])->ood.auroc);
  }
}

}  // namespace
}  // namespace sgood

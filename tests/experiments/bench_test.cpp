// SPDX-License-Identifier: MIT
#include "sgood/experiments/bench.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <functional>

#include "sgood/core/error.h"
#include "sgood/metrics/ood_metrics.h"

namespace sgood {
namespace {

const Settings kQuick = {{"pretrain_epochs", "1"}, {"finetune_epochs", "2"}};

/// A record whose shares are all `value` and whose times are all `seconds`.
RunRecord record_of(std::uint64_t seed, double value, double seconds) {
  RunRecord run;
  run.spec = {"motif", "sgood", {{"tau", "0.3"}}, seed, seed + 7};
  run.ood.auroc = run.ood.aupr = run.ood.fpr95 = run.ood.aupr_id = run.ood.fpr95_id = value;
  run.ood.num_id = 100;
  run.ood.num_ood = 90;
  run.ood.auroc_error = value / 10;
  run.id_accuracy = run.false_alarms = run.detected = value;
  run.audit = {value, value, value};
  run.epoch_seconds = {{"pre-training", seconds}, {"fine-tuning", 2 * seconds}};
  run.fit_seconds = run.score_seconds = seconds;
  run.remarks = {"a remark"};
  run.null_auroc = value;
  run.copies = CopyAudit{value, value};
  return run;
}

TEST(SummarizeRuns, SharesBecomePercentAndSecondsStaySeconds) {
  const auto json = summarize_runs({record_of(0, 0.5, 3), record_of(1, 0.7, 5)});
  EXPECT_EQ(json["suite"], "motif");
  EXPECT_EQ(json["method"], "sgood");
  EXPECT_EQ(json["seeds"].dump(), "[0,1]");
  EXPECT_EQ(json["split_seeds"].dump(), "[7,8]");
  EXPECT_EQ(json["n_id"], 100);
  EXPECT_EQ(json["n_ood"], 90);
  EXPECT_EQ(json["remarks"].dump(), R"(["a remark"])");
  EXPECT_EQ(json["options"]["tau"], 0.3);
  EXPECT_EQ(json["options"]["batch_size"], 128);
  for (const char* share :
       {"auroc", "aupr", "fpr95", "aupr_id", "fpr95_id", "id_acc", "false_alarms", "detected"}) {
    EXPECT_NEAR(json[share]["mean"].get<double>(), 60, 1e-9) << share;
    EXPECT_NEAR(json[share]["std"].get<double>(), std::sqrt(200), 1e-9) << share;
    EXPECT_NEAR(json[share]["values"][1].get<double>(), 70, 1e-9) << share;
  }
  for (const char* measure : {"nodes", "edges", "density"})
    EXPECT_NEAR(json["size_audit"][measure]["mean"].get<double>(), 60, 1e-9) << measure;
  EXPECT_NEAR(json["null_auroc"]["mean"].get<double>(), 60, 1e-9);
  for (const char* part : {"id", "ood"})
    EXPECT_NEAR(json["copies"][part]["mean"].get<double>(), 60, 1e-9) << part;
  EXPECT_EQ(json["ood_order"], "random");
  EXPECT_NEAR(json["auroc"]["delong_error"].get<double>(), 6, 1e-9);
  EXPECT_DOUBLE_EQ(json["epoch_seconds"]["pre-training"].get<double>(), 4);
  EXPECT_DOUBLE_EQ(json["epoch_seconds"]["fine-tuning"].get<double>(), 8);
  EXPECT_DOUBLE_EQ(json["fit_seconds"]["mean"].get<double>(), 4);
  EXPECT_DOUBLE_EQ(json["score_seconds"]["values"][0].get<double>(), 3);
}

TEST(SummarizeRuns, OneRunHasNoSpread) {
  const auto json = summarize_runs({record_of(3, 0.25, 1)});
  EXPECT_EQ(json["auroc"]["std"], 0);
  EXPECT_EQ(json["auroc"]["values"].size(), 1u);
  EXPECT_TRUE(json["remarks"].is_array());
}

TEST(SummarizeRuns, WhatOlderRunsDoNotHaveIsLeftOut) {
  RunRecord older = record_of(1, 0.5, 1);
  older.copies.reset();
  older.null_auroc.reset();
  const auto json = summarize_runs({record_of(0, 0.5, 1), older});
  EXPECT_FALSE(json.contains("copies"));
  EXPECT_FALSE(json.contains("null_auroc"));
}

TEST(RunOnce, AMethodThatLeavesOneOutNeedsNoValidationGraphsForItsThreshold) {
  OodSuite suite = split_suite(load_suite("motif", {}), 4);
  const RunSpec spec = {"motif", "wl-density", {}, 4, 4};
  const RunRecord whole = run_once(suite, spec, {});
  suite.id_val = suite.id_val.subset({0});
  const RunRecord few = run_once(suite, spec, {});
  EXPECT_EQ(few.false_alarms, whole.false_alarms);
  EXPECT_EQ(few.detected, whole.detected);
  EXPECT_GT(whole.detected, whole.false_alarms);
}

TEST(RunOnce, ARankingByBatchScoresLeavesTheDecisionsAsTheyAre) {
  const OodSuite suite = split_suite(load_suite("motif", {}), 4);
  const RunRecord alone = run_once(suite, {"motif", "wl-density", {}, 4, 4}, {});
  const RunRecord batch = run_once(suite, {"motif", "wl-density", {{"batch", "true"}}, 4, 4}, {});
  EXPECT_NE(alone.spec.key(), batch.spec.key());
  EXPECT_EQ(batch.false_alarms, alone.false_alarms);
  EXPECT_EQ(batch.detected, alone.detected);
  EXPECT_EQ(batch.null_auroc, alone.null_auroc);
  EXPECT_NE(batch.ood.auroc, alone.ood.auroc);
  // Mid-ranks of all test graphs, ID and OOD together, over their number.
  const double n = double(batch.ood.num_id), m = double(batch.ood.num_ood);
  EXPECT_NEAR(n * batch.id_scores.mean + m * batch.ood_scores.mean, (n + m) / 2, 1e-9);
  EXPECT_LT(batch.ood_scores.quantiles.back(), 1);
  EXPECT_EQ(summarize_runs({batch})["options"]["batch"], true);
}

TEST(RunOnce, EveryFieldOfARecordIsFilledAndInRange) {
  const OodSuite suite = split_suite(load_suite("motif", {}), 4);
  const RunSpec spec = {"motif", "sgood", kQuick, 4, 4};
  const RunRecord run = run_once(suite, spec, {});
  EXPECT_EQ(run.spec.key(), spec.key());
  EXPECT_EQ(run.id_scores.quantiles.size(), 17u);
  EXPECT_LT(run.id_scores.mean, run.ood_scores.quantiles.back());
  EXPECT_EQ(run.ood.num_id, 100);
  EXPECT_EQ(run.ood.num_ood, 100);
  for (const double share :
       {run.ood.auroc, run.ood.aupr, run.ood.fpr95, run.ood.aupr_id, run.ood.fpr95_id,
        run.id_accuracy, run.false_alarms, run.detected, run.audit.nodes, run.audit.edges,
        run.audit.density, run.null_auroc.value(), run.copies.value().id, run.copies->ood}) {
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
  }
  // Few test graphs are called OOD at a nominal 5 %: calibration and test parts are alike.
  EXPECT_LT(run.false_alarms, 0.2);
  EXPECT_GT(run.id_accuracy, 0.3);
  ASSERT_EQ(run.epoch_seconds.size(), 2u);
  const double in_epochs = run.epoch_seconds[0].second + 2 * run.epoch_seconds[1].second;
  EXPECT_GT(in_epochs, 0);
  EXPECT_GT(run.fit_seconds, run.epoch_seconds[1].second);
  EXPECT_GT(run.score_seconds, 0);
}

std::vector<RunSpec> motif_runs(int seeds) {
  std::vector<RunSpec> specs;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(seeds); ++seed)
    specs.push_back({"motif", "sgood", kQuick, seed, seed});
  return specs;
}

/// The run's numbers without its times.
std::string numbers_of(const RunStore& store, const RunSpec& spec) {
  const RunRecord* run = store.find(spec);
  if (run == nullptr) return "";
  auto json = run->to_json();
  for (const char* times : {"epoch_seconds", "fit_seconds", "score_seconds"}) json.erase(times);
  return json.dump();
}

TEST(RunMissing, NumbersDoNotDependOnTheNumberOfJobs) {
  const auto specs = motif_runs(3);
  RunStore one, two;
  BenchOptions options;
  EXPECT_TRUE(run_missing(specs, one, options).empty());
  options.jobs = 2;
  EXPECT_TRUE(run_missing(specs, two, options).empty());
  ASSERT_EQ(one.size(), 3u);
  for (const RunSpec& spec : specs) EXPECT_EQ(numbers_of(one, spec), numbers_of(two, spec));
  EXPECT_NE(one.find(specs[0])->ood.aupr, one.find(specs[1])->ood.aupr);
}

TEST(RunMissing, OneSplitCanBeHeldWhileTheTrainingSeedChanges) {
  auto specs = motif_runs(2);
  for (RunSpec& spec : specs) spec.split_seed = 9;
  RunStore store;
  run_missing(specs, store, {});
  EXPECT_EQ(store.find(specs[0])->audit.nodes, store.find(specs[1])->audit.nodes);
  EXPECT_NE(store.find(specs[0])->ood.aupr, store.find(specs[1])->ood.aupr);
}

TEST(RunMissing, FinishedRunsAreNotMadeAgain) {
  const auto specs = motif_runs(2);
  RunStore store;
  run_missing({specs[0]}, store, {});
  RunRecord marked = *store.find(specs[0]);
  marked.fit_seconds = 12345;
  store.append(marked);
  std::vector<std::int64_t> totals;
  BenchOptions options;
  options.control.progress = [&](const ProgressUpdate& update) { totals.push_back(update.total); };
  RunSpec same = specs[0];
  same.options.emplace_back("tau", "0.2");  // the default
  run_missing({specs[0], same, specs[1], specs[1]}, store, options);
  EXPECT_EQ(store.size(), 2u);
  EXPECT_EQ(store.find(same)->fit_seconds, 12345);
  EXPECT_EQ(totals.front(), 1);
}

TEST(RunMissing, MistakesShowBeforeAnyWorkIsDone) {
  const auto refuse = [](const RunSpec& wrong) {
    BenchOptions options;
    options.control.progress = [](const ProgressUpdate& update) { FAIL() << update.stage; };
    RunStore store;
    EXPECT_THROW(run_missing({motif_runs(1)[0], wrong}, store, options), InvalidArgument);
    EXPECT_EQ(store.size(), 0u);
  };
  refuse({"no such suite", "sgood", {}, 0, 0});
  refuse({"motif", "no such method", {}, 0, 0});
  refuse({"motif", "sgood", {{"no_such_option", "1"}}, 0, 0});
  refuse({"motif", "sgood", {{"tau", "-1"}}, 0, 0});
}

TEST(RunMissing, WhatCannotBeRunDoesNotKeepTheOthersFromRunning) {
  RunStore store;
  const RunSpec good = motif_runs(1)[0];
  const RunSpec without_data = {"enzymes", "sgood", kQuick, 0, 0};
  RunSpec without_molecules = good;
  without_molecules.options.emplace_back("partitioner", "brics");
  BenchOptions options;
  options.data_root = "nowhere";
  const auto failures = run_missing({without_data, without_molecules, good}, store, options);
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_NE(failures[0].find("ENZYMES"), std::string::npos);
  EXPECT_NE(failures[1].find("brics"), std::string::npos);
  EXPECT_NE(store.find(good), nullptr);
}

TEST(RunMissing, AStopIsHeeded) {
  std::stop_source stop;
  BenchOptions options;
  options.control.stop = stop.get_token();
  options.control.progress = [&](const ProgressUpdate&) { stop.request_stop(); };
  RunStore store;
  EXPECT_THROW(run_missing(motif_runs(2), store, options), Cancelled);
}

TEST(MachineDescription, NamesWhatANumberDependsOn) {
  const auto json = machine_description();
  for (const char* key : {"sgood", "compiler", "threads", "time"}) EXPECT_TRUE(json.contains(key));
  EXPECT_GE(json["threads"].get<int>(), 1);
}

/// AUROC in percent of a number that needs no training, over everything that was generated.
double auroc_of(const SuiteData& data, const std::function<double(const Graph&)>& measure) {
  std::vector<double> id, ood;
  for (const Graph& graph : data.id.graphs) id.push_back(measure(graph));
  for (const Graph& graph : data.ood.graphs) ood.push_back(measure(graph));
  return 100 * ood_metrics(id, ood).auroc;
}

TEST(MotifBenchmark, SgoodFindsNewSubstructuresWhereSizeAndDensityTellNothing) {
  const SuiteData data = load_suite("motif", {});
  const double nodes = auroc_of(data, [](const Graph& g) { return double(g.num_nodes()); });
  const double edges = auroc_of(data, [](const Graph& g) { return double(g.num_edges()); });
  const double density = auroc_of(
      data, [](const Graph& g) { return double(g.num_edges()) / g.num_nodes() / g.num_nodes(); });
  for (const double auroc : {nodes, edges, density}) {
    EXPECT_GE(auroc, 45);
    EXPECT_LE(auroc, 55);
  }
  const RunRecord run = run_once(
      split_suite(data, 0),
      {"motif", "sgood", {{"pretrain_epochs", "20"}, {"finetune_epochs", "60"}}, 0, 0}, {});
  EXPECT_GT(run.ood.auroc, 0.9);
  std::printf("motif: AUROC %.1f, accuracy %.1f, nodes %.1f, edges %.1f, density %.1f; %.1f s\n",
              100 * run.ood.auroc, 100 * run.id_accuracy, nodes, edges, density, run.fit_seconds);
}

}  // namespace
}  // namespace sgood

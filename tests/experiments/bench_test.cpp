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

using Options = std::vector<std::pair<std::string, std::string>>;

const Options kQuick = {{"pretrain_epochs", "1"}, {"finetune_epochs", "2"}};

/// A record whose shares are all `value` and whose times are all `seconds`.
RunRecord record_of(std::uint64_t seed, double value, double seconds) {
  RunRecord run;
  run.suite = "motif";
  run.method = "sgood";
  run.options = {{"tau", 0.2}};
  run.seed = seed;
  run.split_seed = seed + 7;
  run.ood.auroc = run.ood.aupr = run.ood.fpr95 = run.ood.aupr_id = run.ood.fpr95_id = value;
  run.ood.num_id = 100;
  run.ood.num_ood = 90;
  run.ood.auroc_error = value / 10;
  run.id_accuracy = run.false_alarms = run.detected = value;
  run.audit = {value, value, value};
  run.epoch_seconds = {{"pre-training", seconds}, {"fine-tuning", 2 * seconds}};
  run.fit_seconds = run.score_seconds = seconds;
  return run;
}

TEST(SummarizeRuns, SharesBecomePercentAndSecondsStaySeconds) {
  const auto json = summarize_runs({record_of(0, 0.5, 3), record_of(1, 0.7, 5)}, {"a remark"});
  EXPECT_EQ(json["suite"], "motif");
  EXPECT_EQ(json["method"], "sgood");
  EXPECT_EQ(json["seeds"].dump(), "[0,1]");
  EXPECT_EQ(json["split_seeds"].dump(), "[7,8]");
  EXPECT_EQ(json["n_id"], 100);
  EXPECT_EQ(json["n_ood"], 90);
  EXPECT_EQ(json["remarks"].dump(), R"(["a remark"])");
  EXPECT_EQ(json["options"].dump(), R"({"tau":0.2})");
  for (const char* share :
       {"auroc", "aupr", "fpr95", "aupr_id", "fpr95_id", "id_acc", "false_alarms", "detected"}) {
    EXPECT_NEAR(json[share]["mean"].get<double>(), 60, 1e-9) << share;
    EXPECT_NEAR(json[share]["std"].get<double>(), std::sqrt(200), 1e-9) << share;
    EXPECT_NEAR(json[share]["values"][1].get<double>(), 70, 1e-9) << share;
  }
  for (const char* measure : {"nodes", "edges", "density"})
    EXPECT_NEAR(json["size_audit"][measure]["mean"].get<double>(), 60, 1e-9) << measure;
  EXPECT_NEAR(json["auroc"]["delong_error"].get<double>(), 6, 1e-9);
  EXPECT_DOUBLE_EQ(json["epoch_seconds"]["pre-training"].get<double>(), 4);
  EXPECT_DOUBLE_EQ(json["epoch_seconds"]["fine-tuning"].get<double>(), 8);
  EXPECT_DOUBLE_EQ(json["fit_seconds"]["mean"].get<double>(), 4);
  EXPECT_DOUBLE_EQ(json["score_seconds"]["values"][0].get<double>(), 3);
}

TEST(SummarizeRuns, OneRunHasNoSpread) {
  const auto json = summarize_runs({record_of(3, 0.25, 1)}, {});
  EXPECT_EQ(json["auroc"]["std"], 0);
  EXPECT_EQ(json["auroc"]["values"].size(), 1u);
  EXPECT_TRUE(json["remarks"].is_array());
}

TEST(RunOnce, EveryFieldOfARecordIsFilledAndInRange) {
  const OodSuite suite = split_suite(load_suite("motif", {}), 4);
  const RunRecord run = run_once(suite, "sgood", kQuick, 4, {});
  EXPECT_EQ(run.suite, "motif");
  EXPECT_EQ(run.method, "sgood");
  EXPECT_EQ(run.seed, 4u);
  EXPECT_EQ(run.options["finetune_epochs"], 2);
  EXPECT_EQ(run.options["tau"], 0.2);
  EXPECT_EQ(run.ood.num_id, 100);
  EXPECT_EQ(run.ood.num_ood, 100);
  for (const double share : {run.ood.auroc, run.ood.aupr, run.ood.fpr95, run.ood.aupr_id,
                             run.ood.fpr95_id, run.id_accuracy, run.false_alarms, run.detected,
                             run.audit.nodes, run.audit.edges, run.audit.density}) {
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

/// Summaries of all finished suites and methods, without times.
std::vector<std::string> measured(BenchRequest request) {
  std::vector<std::string> summaries;
  run_bench(request, {}, [&](std::vector<RunRecord> runs, const std::vector<std::string>& remarks) {
    auto json = summarize_runs(runs, remarks);
    for (const char* times : {"epoch_seconds", "fit_seconds", "score_seconds"}) json.erase(times);
    summaries.push_back(json.dump());
  });
  return summaries;
}

TEST(RunBench, NumbersDoNotDependOnTheNumberOfJobs) {
  BenchRequest request;
  request.suites = {"motif"};
  request.options = kQuick;
  request.seeds = 3;
  const auto one = measured(request);
  request.jobs = 2;
  EXPECT_EQ(one, measured(request));
  ASSERT_EQ(one.size(), 1u);
  const auto json = nlohmann::json::parse(one[0]);
  EXPECT_EQ(json["seeds"].dump(), "[0,1,2]");
  EXPECT_EQ(json["split_seeds"].dump(), "[0,1,2]");
  EXPECT_NE(json["aupr"]["values"][0], json["aupr"]["values"][1]);
}

TEST(RunBench, OneSplitCanBeHeldWhileTheTrainingSeedChanges) {
  BenchRequest request;
  request.suites = {"motif"};
  request.options = kQuick;
  request.seeds = 2;
  request.split_seed = 9;
  const auto json = nlohmann::json::parse(measured(request).at(0));
  EXPECT_EQ(json["split_seeds"].dump(), "[9,9]");
  EXPECT_EQ(json["size_audit"]["nodes"]["values"][0], json["size_audit"]["nodes"]["values"][1]);
  EXPECT_NE(json["aupr"]["values"][0], json["aupr"]["values"][1]);
}

TEST(RunBench, MistakesShowBeforeAnyWorkIsDone) {
  const auto refuse = [](const std::function<void(BenchRequest&)>& spoil) {
    BenchRequest request;
    request.suites = {"motif"};
    request.options = kQuick;
    spoil(request);
    RunControl control;
    control.progress = [](const ProgressUpdate& update) { FAIL() << update.stage; };
    EXPECT_THROW(run_bench(request, control, [](auto, auto) { FAIL(); }), InvalidArgument);
  };
  refuse([](BenchRequest& r) { r.suites.push_back("no such suite"); });
  refuse([](BenchRequest& r) { r.methods.push_back("no such method"); });
  refuse([](BenchRequest& r) { r.options.emplace_back("no_such_option", "1"); });
  refuse([](BenchRequest& r) { r.options.emplace_back("tau", "-1"); });
  refuse([](BenchRequest& r) { r.seeds = 0; });
}

TEST(RunBench, AStopIsHeeded) {
  std::stop_source stop;
  RunControl control;
  control.stop = stop.get_token();
  control.progress = [&](const ProgressUpdate&) { stop.request_stop(); };
  BenchRequest request;
  request.suites = {"motif"};
  EXPECT_THROW(run_bench(request, control, [](auto, auto) { FAIL(); }), Cancelled);
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
  const RunRecord run = run_once(split_suite(data, 0), "sgood",
                                 {{"pretrain_epochs", "20"}, {"finetune_epochs", "60"}}, 0, {});
  EXPECT_GT(run.ood.auroc, 0.9);
  std::printf("motif: AUROC %.1f, accuracy %.1f, nodes %.1f, edges %.1f, density %.1f; %.1f s\n",
              100 * run.ood.auroc, 100 * run.id_accuracy, nodes, edges, density, run.fit_seconds);
}

}  // namespace
}  // namespace sgood

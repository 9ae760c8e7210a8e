// SPDX-License-Identifier: MIT
#include "sgood/experiments/bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "sgood/core/error.h"
#include "sgood/core/threads.h"
#include "sgood/core/version.h"
#include "sgood/detectors/detector.h"
#include "sgood/experiments/experiment.h"
#include "sgood/graph/graph_statistics.h"
#include "sgood/metrics/calibration.h"

namespace sgood {
namespace {

constexpr double kAlarmRate = 0.05;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<double> values_of(const std::vector<GraphScore>& scores) {
  std::vector<double> values;
  for (const GraphScore& s : scores) values.push_back(s.score);
  return values;
}

/// What graphs are ranked by: batch scores where there are some.
std::vector<double> ranking_of(const std::vector<GraphScore>& scores) {
  std::vector<double> values;
  for (const GraphScore& s : scores) values.push_back(s.batch_score.value_or(s.score));
  return values;
}

struct TestScores {
  std::vector<GraphScore> id, ood;
};

/// Batch scores compare all test graphs of the suite with each other.
TestScores score_tests(const Detector& detector, const OodSuite& suite) {
  if (!detector.ranks_batches())
    return {detector.score(suite.id_test), detector.score(suite.ood_test)};
  GraphSet all = suite.id_test;
  all.graphs.insert(all.graphs.end(), suite.ood_test.graphs.begin(), suite.ood_test.graphs.end());
  const std::vector<GraphScore> scores = detector.score_batch(all, 1, {});
  const auto ood = scores.begin() + std::ssize(suite.id_test.graphs);
  return {{scores.begin(), ood}, {ood, scores.end()}};
}

/// Share of graphs whose predicted class is the true one; 0 when nothing was predicted.
double id_accuracy(const GraphSet& graphs, const std::vector<GraphScore>& scores) {
  std::vector<std::int32_t> predicted, truth;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!scores[i].predicted || !graphs.graphs[i].label()) return 0;
    predicted.push_back(*scores[i].predicted);
    truth.push_back(*graphs.graphs[i].label());
  }
  return accuracy(predicted, truth);
}

double auroc_of(const OodSuite& suite, const std::function<double(const Graph&)>& value) {
  std::vector<double> id, ood;
  for (const Graph& g : suite.id_test.graphs) id.push_back(value(g));
  for (const Graph& g : suite.ood_test.graphs) ood.push_back(value(g));
  return ood_metrics(id, ood).auroc;
}

SizeAudit audit_size(const OodSuite& suite) {
  SizeAudit audit;
  audit.nodes = auroc_of(suite, [](const Graph& g) { return double(g.num_nodes()); });
  audit.edges = auroc_of(suite, [](const Graph& g) { return double(g.num_edges()); });
  audit.density = auroc_of(suite, edge_density);
  return audit;
}

nlohmann::ordered_json summary_json(const std::vector<double>& values, double scale) {
  const Summary s = summarize(values);
  nlohmann::ordered_json json;
  json["mean"] = s.mean * scale;
  json["std"] = s.std * scale;
  json["values"] = nlohmann::ordered_json::array();
  for (const double v : values) json["values"].push_back(v * scale);
  return json;
}

}  // namespace

RunRecord run_once(const OodSuite& suite, const RunSpec& spec, const RunControl& control,
                   NetworkCache* networks) {
  const auto detector = make_detector(spec.method);
  const OptionTable table = detector->options();
  for (const auto& [name, value] : spec.options) table.set(name, value);

  RunRecord record;
  record.spec = spec;
  FitContext context;
  context.seed = spec.seed;
  context.control = control;
  context.networks = networks;
  auto start = Clock::now();
  detector->fit(suite.id_train, context);
  record.fit_seconds = seconds_since(start);
  record.epoch_seconds = detector->epoch_seconds();

  const std::vector<double> validation = values_of(detector->score(suite.id_val));
  const Calibration calibration(detector->leaves_one_out() ? detector->training_scores()
                                                           : validation);
  start = Clock::now();
  const TestScores test = score_tests(*detector, suite);
  record.score_seconds = seconds_since(start);
  const std::vector<double> id_ranking = ranking_of(test.id), ood_ranking = ranking_of(test.ood);
  record.ood = ood_metrics(id_ranking, ood_ranking);
  record.id_accuracy = id_accuracy(suite.id_test, test.id);
  const auto alarms = [&](const std::vector<double>& scores) {
    double count = 0;
    for (const double s : scores) count += calibration.is_ood(s, kAlarmRate) ? 1 : 0;
    return count / static_cast<double>(scores.size());
  };
  const std::vector<double> id_values = values_of(test.id);
  record.false_alarms = alarms(id_values);
  record.detected = alarms(values_of(test.ood));
  record.null_auroc = ood_metrics(validation, id_values).auroc;
  record.audit = audit_size(suite);
  record.copies = audit_copies(suite);
  record.id_scores = summarize_scores(id_ranking);
  record.ood_scores = summarize_scores(ood_ranking);
  return record;
}

double expected_seconds(const RunSpec& spec) {
  // Default runs of `sgood`: 600 epochs.
  static const std::map<std::string, double> kSeconds = {
      {"enzymes", 6}, {"imdb-m", 8},   {"imdb-b", 8}, {"reddit-12k", 1500}, {"bace", 12},
      {"bbbp", 12},   {"drugood", 12}, {"hiv", 350},  {"motif", 3}};
  const auto found = kSeconds.find(spec.suite);
  const double whole = found == kSeconds.end() ? 10 : found->second;
  const auto detector = make_detector(spec.method);
  const OptionTable table = detector->options();
  for (const auto& [name, value] : spec.options) table.set(name, value);
  const nlohmann::ordered_json values = table.values();
  double epochs = 0;
  for (const char* stage : {"pretrain_epochs", "finetune_epochs", "epochs"})
    epochs += values.value(stage, 0.0);
  return whole * (0.05 + epochs / 600);
}

namespace {

/// The specs that the store lacks, each once, by suite in order of appearance.
std::vector<std::pair<std::string, std::vector<RunSpec>>> missing_by_suite(
    const std::vector<RunSpec>& specs, const RunStore& store) {
  std::vector<std::pair<std::string, std::vector<RunSpec>>> suites;
  std::set<std::string> seen;
  for (const RunSpec& spec : specs) {
    suite_info(spec.suite);
    if (!seen.insert(spec.key()).second || store.find(spec) != nullptr) continue;
    auto at = std::find_if(suites.begin(), suites.end(),
                           [&](const auto& entry) { return entry.first == spec.suite; });
    if (at == suites.end()) at = suites.insert(suites.end(), {spec.suite, {}});
    at->second.push_back(spec);
  }
  // Long runs first, so that the last ones to end are short.
  for (auto& [suite, runs] : suites)
    std::stable_sort(runs.begin(), runs.end(), [](const RunSpec& a, const RunSpec& b) {
      return expected_seconds(a) > expected_seconds(b);
    });
  return suites;
}

Fragmentation fragmentation_of(const RunSpec& spec) {
  const auto detector = make_detector(spec.method);
  for (const auto& [name, value] : spec.options) detector->options().set(name, value);
  return detector->fragmentation();
}

std::string name_of(const RunSpec& spec) {
  std::string name = fmt::format("{} {} seed {}", spec.suite, spec.method, spec.seed);
  for (const auto& [option, value] : spec.options) name += fmt::format(" {}={}", option, value);
  return name;
}

}  // namespace

std::vector<std::string> run_missing(const std::vector<RunSpec>& specs, RunStore& store,
                                     const BenchOptions& options) {
  std::vector<std::string> failures;
  const auto suites = missing_by_suite(specs, store);
  const int jobs = std::min(options.jobs, hardware_threads());
  NetworkCache networks;
  std::int64_t total = 0, done = 0;
  for (const auto& [suite, runs] : suites) total += static_cast<std::int64_t>(runs.size());
  for (const auto& missing : suites) {
    const auto& suite = missing.first;  // named, because lambdas below use them
    const auto& runs = missing.second;
    options.control.report(suite + ": reading", done, total);
    SuiteData data;
    try {
      Fragmentation fragmentation = Fragmentation::kNone;
      for (const RunSpec& spec : runs)
        fragmentation = std::max(fragmentation, fragmentation_of(spec));
      data = load_suite(suite, options.data_root, jobs, fragmentation);
    } catch (const Unavailable& cause) {
      failures.emplace_back(cause.what());
      done += static_cast<std::int64_t>(runs.size());
      continue;
    }
    std::mutex mutex;
    parallel_for(static_cast<std::int64_t>(runs.size()), jobs, [&](std::int64_t i) {
      const RunSpec& spec = runs[static_cast<std::size_t>(i)];
      RunControl inner;
      inner.stop = options.control.stop;
      inner.progress = [&](const ProgressUpdate& update) {
        const std::lock_guard lock(mutex);
        options.control.report(
            suite, done, total,
            fmt::format("{}: {} {}/{}", name_of(spec), update.stage, update.done, update.total));
      };
      if (inner.stop.stop_requested()) throw Cancelled("stopped; finished runs are kept");
      std::string note;
      try {
        RunRecord record =
            run_once(split_suite(data, spec.split_seed, spec.ood), spec, inner, &networks);
        record.remarks = data.remarks;
        note = fmt::format("{}: AUROC {:.1f}", name_of(spec), 100 * record.ood.auroc);
        store.append(std::move(record));
      } catch (const InvalidArgument& cause) {
        note = fmt::format("{}: {}", name_of(spec), cause.what());
        const std::lock_guard lock(mutex);
        failures.push_back(note);
      } catch (const Unavailable& cause) {
        note = fmt::format("{}: {}", name_of(spec), cause.what());
        const std::lock_guard lock(mutex);
        failures.push_back(note);
      }
      const std::lock_guard lock(mutex);
      options.control.report(suite, ++done, total, note);
    });
  }
  return failures;
}

nlohmann::ordered_json summarize_runs(const std::vector<RunRecord>& runs) {
  SGOOD_ASSERT(!runs.empty());
  const auto collect = [&](auto member) {
    std::vector<double> values;
    for (const RunRecord& run : runs) values.push_back(member(run));
    return values;
  };
  nlohmann::ordered_json json;
  json["suite"] = runs[0].spec.suite;
  json["method"] = runs[0].spec.method;
  for (const RunRecord& run : runs) {
    json["seeds"].push_back(run.spec.seed);
    json["split_seeds"].push_back(run.spec.split_seed);
  }
  json["ood_order"] = runs[0].spec.ood.order == OodOrder::kFirst ? "first" : "random";
  json["ood_share"] = runs[0].spec.ood.share;
  json["n_id"] = runs[0].ood.num_id;
  json["n_ood"] = runs[0].ood.num_ood;
  json["auroc"] = summary_json(collect([](const RunRecord& r) { return r.ood.auroc; }), 100);
  json["auroc"]["delong_error"] =
      summarize(collect([](const RunRecord& r) { return r.ood.auroc_error; })).mean * 100;
  json["aupr"] = summary_json(collect([](const RunRecord& r) { return r.ood.aupr; }), 100);
  json["fpr95"] = summary_json(collect([](const RunRecord& r) { return r.ood.fpr95; }), 100);
  json["aupr_id"] = summary_json(collect([](const RunRecord& r) { return r.ood.aupr_id; }), 100);
  json["fpr95_id"] = summary_json(collect([](const RunRecord& r) { return r.ood.fpr95_id; }), 100);
  json["id_acc"] = summary_json(collect([](const RunRecord& r) { return r.id_accuracy; }), 100);
  json["false_alarms"] =
      summary_json(collect([](const RunRecord& r) { return r.false_alarms; }), 100);
  json["detected"] = summary_json(collect([](const RunRecord& r) { return r.detected; }), 100);
  json["size_audit"] = {
      {"nodes", summary_json(collect([](const RunRecord& r) { return r.audit.nodes; }), 100)},
      {"edges", summary_json(collect([](const RunRecord& r) { return r.audit.edges; }), 100)},
      {"density", summary_json(collect([](const RunRecord& r) { return r.audit.density; }), 100)}};
  if (std::ranges::all_of(runs, [](const RunRecord& r) { return r.null_auroc.has_value(); }))
    json["null_auroc"] =
        summary_json(collect([](const RunRecord& r) { return *r.null_auroc; }), 100);
  if (std::ranges::all_of(runs, [](const RunRecord& r) { return r.copies.has_value(); }))
    json["copies"] = {
        {"id", summary_json(collect([](const RunRecord& r) { return r.copies->id; }), 100)},
        {"ood", summary_json(collect([](const RunRecord& r) { return r.copies->ood; }), 100)}};
  json["epoch_seconds"] = nlohmann::ordered_json::object();
  for (std::size_t s = 0; s < runs[0].epoch_seconds.size(); ++s)
    json["epoch_seconds"][runs[0].epoch_seconds[s].first] =
        summarize(collect([&](const RunRecord& r) { return r.epoch_seconds[s].second; })).mean;
  json["fit_seconds"] = summary_json(collect([](const RunRecord& r) { return r.fit_seconds; }), 1);
  json["score_seconds"] =
      summary_json(collect([](const RunRecord& r) { return r.score_seconds; }), 1);
  json["paper"] = nlohmann::ordered_json::object();
  for (const auto& [name, metric] : {std::pair{"auroc", Metric::kAuroc},
                                     {"aupr", Metric::kAupr},
                                     {"fpr95", Metric::kFpr95},
                                     {"id_acc", Metric::kIdAccuracy},
                                     {"epoch_seconds", Metric::kEpochSeconds}})
    if (const auto value = paper_value(runs[0].spec.suite, runs[0].spec.method, metric))
      json["paper"][name] = *value;
  json["remarks"] = runs[0].remarks;
  const auto detector = make_detector(runs[0].spec.method);
  for (const auto& [name, value] : runs[0].spec.options) detector->options().set(name, value);
  json["options"] = detector->options().values();
  return json;
}

nlohmann::ordered_json machine_description() {
  nlohmann::ordered_json json;
  json["sgood"] = kVersion;
#ifdef __clang__
  json["compiler"] = fmt::format("clang {}", __clang_version__);
#else
  json["compiler"] = fmt::format("gcc {}", __VERSION__);
#endif
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) {
      json["processor"] = line.substr(line.find(':') + 2);
      break;
    }
  json["threads"] = hardware_threads();
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  json["time"] = text;
  return json;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/experiments/bench.h"

#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>

#include "sgood/core/error.h"
#include "sgood/core/threads.h"
#include "sgood/core/version.h"
#include "sgood/detectors/detector.h"
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
  audit.density = auroc_of(suite, [](const Graph& g) {
    const double n = g.num_nodes();
    return n > 1 ? 2 * g.num_edges() / (n * (n - 1)) : 0.0;
  });
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

RunRecord run_once(const OodSuite& suite, const std::string& method,
                   const std::vector<std::pair<std::string, std::string>>& options,
                   std::uint64_t seed, const RunControl& control) {
  const auto detector = make_detector(method);
  const OptionTable table = detector->options();
  for (const auto& [name, value] : options) table.set(name, value);

  RunRecord record;
  record.suite = suite.name;
  record.method = method;
  record.options = table.values();
  record.seed = seed;
  FitContext context;
  context.seed = seed;
  context.control = control;
  auto start = Clock::now();
  detector->fit(suite.id_train, context);
  record.fit_seconds = seconds_since(start);
  record.epoch_seconds = detector->epoch_seconds();

  const Calibration calibration(values_of(detector->score(suite.id_val)));
  start = Clock::now();
  const std::vector<GraphScore> id = detector->score(suite.id_test);
  const std::vector<double> ood = values_of(detector->score(suite.ood_test));
  record.score_seconds = seconds_since(start);
  const std::vector<double> id_values = values_of(id);
  record.ood = ood_metrics(id_values, ood);
  record.id_accuracy = id_accuracy(suite.id_test, id);
  const auto alarms = [&](const std::vector<double>& scores) {
    double count = 0;
    for (const double s : scores) count += calibration.is_ood(s, kAlarmRate) ? 1 : 0;
    return count / static_cast<double>(scores.size());
  };
  record.false_alarms = alarms(id_values);
  record.detected = alarms(ood);
  record.audit = audit_size(suite);
  return record;
}

void run_bench(const BenchRequest& request, const RunControl& control,
               const std::function<void(std::vector<RunRecord> runs,
                                        const std::vector<std::string>& remarks)>& finished) {
  SGOOD_CHECK(request.seeds >= 1, "seeds is {} but must be at least 1", request.seeds);
  // Mistakes in names and options show before any work is done.
  for (const std::string& suite : request.suites) suite_info(suite);
  for (const std::string& method : request.methods) {
    const auto detector = make_detector(method);
    for (const auto& [name, value] : request.options) detector->options().set(name, value);
  }
  const auto runs_in_all =
      static_cast<std::int64_t>(request.suites.size() * request.methods.size()) * request.seeds;
  std::int64_t done = 0;
  for (const std::string& suite : request.suites) {
    control.report(suite + ": reading", done, runs_in_all);
    const SuiteData data = load_suite(suite, request.data_root, request.jobs);
    for (const std::string& method : request.methods) {
      std::vector<RunRecord> runs(static_cast<std::size_t>(request.seeds));
      std::mutex mutex;
      parallel_for(request.seeds, request.jobs, [&](std::int64_t i) {
        const auto seed = static_cast<std::uint64_t>(i);
        const std::uint64_t split_seed = request.split_seed.value_or(seed);
        RunControl inner;
        inner.stop = control.stop;
        RunRecord record =
            run_once(split_suite(data, split_seed), method, request.options, seed, inner);
        record.split_seed = split_seed;
        const std::lock_guard lock(mutex);
        control.report(fmt::format("{} {}", suite, method), ++done, runs_in_all,
                       fmt::format("seed {}: AUROC {:.1f}", seed, 100 * record.ood.auroc));
        runs[static_cast<std::size_t>(i)] = std::move(record);
      });
      finished(std::move(runs), data.remarks);
    }
  }
}

nlohmann::ordered_json summarize_runs(const std::vector<RunRecord>& runs,
                                      const std::vector<std::string>& remarks) {
  SGOOD_ASSERT(!runs.empty());
  const auto collect = [&](auto member) {
    std::vector<double> values;
    for (const RunRecord& run : runs) values.push_back(member(run));
    return values;
  };
  nlohmann::ordered_json json;
  json["suite"] = runs[0].suite;
  json["method"] = runs[0].method;
  for (const RunRecord& run : runs) {
    json["seeds"].push_back(run.seed);
    json["split_seeds"].push_back(run.split_seed);
  }
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
  json["epoch_seconds"] = nlohmann::ordered_json::object();
  for (std::size_t s = 0; s < runs[0].epoch_seconds.size(); ++s)
    json["epoch_seconds"][runs[0].epoch_seconds[s].first] =
        summarize(collect([&](const RunRecord& r) { return r.epoch_seconds[s].second; })).mean;
  json["fit_seconds"] = summary_json(collect([](const RunRecord& r) { return r.fit_seconds; }), 1);
  json["score_seconds"] =
      summary_json(collect([](const RunRecord& r) { return r.score_seconds; }), 1);
  json["remarks"] = remarks;
  json["options"] = runs[0].options;
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

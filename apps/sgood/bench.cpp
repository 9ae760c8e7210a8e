// SPDX-License-Identifier: MIT
#include "sgood/experiments/bench.h"

#include <cmath>
#include <filesystem>
#include <map>
#include <memory>

#include "commands.h"
#include "sgood/core/error.h"
#include "sgood/experiments/experiment.h"
#include "sgood/experiments/experiment_report.h"
#include "sgood/io/atomic_file.h"
#include "terminal.h"

namespace sgood::cli {
namespace {

struct BenchArguments {
  std::vector<std::string> suites;
  std::vector<std::string> methods = {"sgood"};
  std::vector<std::string> set;
  bool methods_given = false;
  std::vector<std::string> experiments;
  std::string data_root, output, store;
  std::int64_t split_seed = -1;  ///< -1: the run's own seed.
  std::int32_t seeds = 5, first_seed = 0;
  OodSample ood;
  int jobs = 1;
  bool json = false;
};

std::string mean_std(const nlohmann::ordered_json& value) {
  return fmt::format("{:.2f} ± {:.2f}", value["mean"].get<double>(), value["std"].get<double>());
}

/// One row per suite and method, the paper's numbers beside ours.
std::string results_table(const std::vector<nlohmann::ordered_json>& results) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const nlohmann::ordered_json& r : results) {
    const auto paper = [&](Metric metric) {
      const auto value =
          paper_value(r["suite"].get<std::string>(), r["method"].get<std::string>(), metric);
      return value ? nlohmann::ordered_json(*value) : nullptr;
    };
    const auto n = static_cast<double>(r["seeds"].size());
    nlohmann::ordered_json row;
    row["suite"] = r["suite"];
    row["method"] = r["method"].get<std::string>() +
                    (r["options"].value("batch", false) ? ", batch scores" : "");
    row["seeds"] = r["seeds"].size();
    row["n ID + OOD"] = fmt::format("{} + {}", r["n_id"].dump(), r["n_ood"].dump());
    row["AUROC"] = mean_std(r["auroc"]);
    row["standard error"] = r["auroc"]["std"].get<double>() / std::sqrt(n);
    row["paper"] = paper(Metric::kAuroc);
    row["AUPR"] = mean_std(r["aupr"]);
    row["AUPR, paper"] = paper(Metric::kAupr);
    row["FPR95"] = mean_std(r["fpr95"]);
    row["FPR95, paper"] = paper(Metric::kFpr95);
    row["ID accuracy"] = mean_std(r["id_acc"]);
    row["ID accuracy, paper"] = paper(Metric::kIdAccuracy);
    row["node count alone"] = mean_std(r["size_audit"]["nodes"]);
    row["edge count alone"] = mean_std(r["size_audit"]["edges"]);
    row["density alone"] = mean_std(r["size_audit"]["density"]);
    const bool has_copies = r.contains("copies");
    row["ID copies, %"] = has_copies ? r["copies"]["id"]["mean"] : nullptr;
    row["OOD copies, %"] = has_copies ? r["copies"]["ood"]["mean"] : nullptr;
    row["false alarms at 5 %"] = mean_std(r["false_alarms"]);
    row["fit, s"] = r["fit_seconds"]["mean"];
    rows.push_back(std::move(row));
  }
  return markdown_table(rows);
}

/// A file's name for one result.
std::filesystem::path result_path(const std::string& folder, const nlohmann::ordered_json& result) {
  return std::filesystem::path(folder) / fmt::format("{}-{}.json",
                                                     result["suite"].get<std::string>(),
                                                     result["method"].get<std::string>());
}

RunStore open_store(const BenchArguments& arguments) {
  if (!arguments.store.empty()) return RunStore(arguments.store);
  if (arguments.output.empty()) return {};
  return RunStore(std::filesystem::path(arguments.output) / "runs.jsonl");
}

/// The runs of one suite and method that the store holds, in the order of `specs`.
std::vector<RunRecord> finished_runs(const std::vector<RunSpec>& specs, const RunStore& store) {
  std::vector<RunRecord> runs;
  for (const RunSpec& spec : specs)
    if (const RunRecord* run = store.find(spec)) runs.push_back(*run);
  return runs;
}

void show_results(const BenchArguments& arguments, const std::vector<std::vector<RunSpec>>& groups,
                  const RunStore& store) {
  std::vector<nlohmann::ordered_json> results;
  for (const std::vector<RunSpec>& specs : groups) {
    const std::vector<RunRecord> runs = finished_runs(specs, store);
    if (runs.empty()) continue;
    nlohmann::ordered_json result = summarize_runs(runs);
    result["machine"] = machine_description();
    if (arguments.json) write_output("-", result.dump() + "\n");
    if (!arguments.output.empty())
      write_file_atomically(result_path(arguments.output, result), result.dump(1) + "\n");
    results.push_back(std::move(result));
  }
  if (results.empty()) return;
  const std::string table = results_table(results);
  if (!arguments.output.empty())
    write_file_atomically(std::filesystem::path(arguments.output) / "table.md", table);
  if (!arguments.json) write_output("-", table);
}

/// Makes the missing runs, then calls `show`, also when it was stopped before the end.
template <typename Show>
void run_and_show(const std::vector<RunSpec>& specs, const BenchArguments& arguments,
                  RunStore& store, Session& session, Show show) {
  BenchOptions options;
  options.data_root = data_root_or_default(arguments.data_root);
  options.jobs = arguments.jobs;
  options.control = session.control();
  if (!arguments.output.empty()) std::filesystem::create_directories(arguments.output);
  std::vector<std::string> failures;
  try {
    failures = run_missing(specs, store, options);
  } catch (const Cancelled&) {
    session.clear_progress();
    show();
    throw;
  }
  session.clear_progress();
  show();
  for (const std::string& failure : failures) say(failure);
  if (!failures.empty())
    throw Error(fmt::format("{} of {} runs have no result", failures.size(), specs.size()));
}

void run_suites(const BenchArguments& arguments, Session& session) {
  std::vector<RunSpec> specs;
  std::vector<std::vector<RunSpec>> groups;
  for (const std::string& suite : arguments.suites)
    for (const std::string& method : arguments.methods) {
      groups.emplace_back();
      for (std::int32_t i = 0; i < arguments.seeds; ++i) {
        const auto seed = static_cast<std::uint64_t>(arguments.first_seed + i);
        groups.back().push_back(
            {suite, method, parse_settings(arguments.set), seed,
             arguments.split_seed < 0 ? seed : static_cast<std::uint64_t>(arguments.split_seed),
             arguments.ood});
      }
      specs.insert(specs.end(), groups.back().begin(), groups.back().end());
    }
  RunStore store = open_store(arguments);
  run_and_show(specs, arguments, store, session, [&] { show_results(arguments, groups, store); });
}

/// An experiment that is not made of runs.
void measure(const Experiment& experiment, const BenchArguments& arguments, Session& session) {
  ExperimentContext context;
  context.suites = arguments.suites;
  context.data_root = data_root_or_default(arguments.data_root);
  context.seeds = arguments.seeds;
  context.jobs = arguments.jobs;
  context.control = session.control();
  const nlohmann::ordered_json rows = experiment.measure(context);
  session.clear_progress();
  if (!arguments.output.empty()) {
    std::filesystem::create_directories(arguments.output);
    const auto base = std::filesystem::path(arguments.output) / experiment.name;
    nlohmann::ordered_json result = {
        {"experiment", experiment.name}, {"rows", rows}, {"machine", machine_description()}};
    write_file_atomically(base.string() + ".json", result.dump(1) + "\n");
    write_file_atomically(base.string() + ".md", markdown_table(rows));
  }
  write_output("-", arguments.json ? rows.dump() + "\n" : markdown_table(rows));
}

void run_experiments(const BenchArguments& arguments, Session& session) {
  std::vector<const Experiment*> chosen;
  for (const std::string& name : arguments.experiments)
    if (name != "all") chosen.push_back(&find_experiment(name));
  if (chosen.size() < arguments.experiments.size())
    for (const Experiment& experiment : experiments()) chosen.push_back(&experiment);
  std::vector<RunSpec> specs;
  for (const Experiment* experiment : chosen) {
    if (experiment->measure != nullptr) measure(*experiment, arguments, session);
    const auto runs = experiment_runs(
        *experiment, arguments.suites,
        arguments.methods_given ? arguments.methods : std::vector<std::string>{}, arguments.seeds);
    specs.insert(specs.end(), runs.begin(), runs.end());
  }
  if (specs.empty()) return;
  RunStore store = open_store(arguments);
  run_and_show(specs, arguments, store, session, [&] {
    for (const Experiment* experiment : chosen)
      if (experiment->measure == nullptr)
        write_output("-", experiment_text(*experiment, store, arguments.seeds));
  });
}

void bench(const BenchArguments& arguments, Session& session) {
  if (!arguments.experiments.empty()) return run_experiments(arguments, session);
  if (arguments.suites.empty())
    throw CLI::RequiredError("suites (sgood list suites) or --experiment");
  run_suites(arguments, session);
}

}  // namespace

void add_bench(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("bench", "Measures methods on benchmark suites");
  auto options = std::make_shared<BenchArguments>();
  command->add_option("suites", options->suites, "Suites, separated by commas (sgood list suites)")
      ->delimiter(',');
  command->add_option("--method", options->methods, "Methods, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command
      ->add_option(
          "--experiment", options->experiments,
          "Tables of the paper instead, separated by commas, or all (sgood list experiments); "
          "suites and --method then choose a part")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--seeds", options->seeds, "Seeds 0 .. N-1; each sets split and training")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->add_option("--first-seed", options->first_seed, "Of suites: seeds K .. K+N-1 instead")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--split-seed", options->split_seed,
                   "Holds the split while the training seed changes")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--ood-order", options->ood.order,
                   "Which OOD graphs a split takes: random (drawn by the seed) or first (of the "
                   "file)")
      ->transform(CLI::CheckedTransformer(std::map<std::string, OodOrder>{
          {"random", OodOrder::kRandom}, {"first", OodOrder::kFirst}}))
      ->default_str("random");
  command
      ->add_option("--ood-share", options->ood.share,
                   "Share of the test graphs that is OOD, as far as there are enough of them")
      ->check(CLI::Range(0.001, 0.999))
      ->capture_default_str();
  command->add_option("--jobs", options->jobs, "Runs at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--data-root", options->data_root,
                      "Folder of the data sets (default: $SGOOD_DATA, else ./data)");
  command->add_option("-o,--output", options->output,
                      "Folder for the runs (runs.jsonl), one JSON file per suite and method, and "
                      "table.md");
  command->add_option(
      "--store", options->store,
      "File of finished runs (default: runs.jsonl in the output folder); what is there "
      "is not run again");
  command->add_flag("--json", options->json, "One JSON object per suite and method, in percent");
  add_set_option(*command, options->set);
  for (const char* unused : {"--set", "--split-seed", "--ood-order", "--ood-share"})
    command->get_option("--experiment")->excludes(command->get_option(unused));
  command->footer(
      "Example: sgood bench enzymes,imdb-m --seeds 5 --jobs 2 -o results\n"
      "         sgood bench --experiment ablation,layers --jobs 2 -o results");
  command->callback([options, command, &session] {
    options->methods_given = command->count("--method") > 0;
    bench(*options, session);
  });
}

}  // namespace sgood::cli

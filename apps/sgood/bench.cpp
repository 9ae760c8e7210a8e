// SPDX-License-Identifier: MIT
#include "sgood/experiments/bench.h"

#include <cmath>
#include <filesystem>
#include <memory>

#include "commands.h"
#include "sgood/core/error.h"
#include "sgood/experiments/experiment.h"
#include "sgood/experiments/paper.h"
#include "sgood/io/atomic_file.h"

namespace sgood::cli {
namespace {

struct BenchOptions {
  std::vector<std::string> suites;
  std::vector<std::string> methods = {"sgood"};
  std::vector<std::string> set;
  std::string experiment, data_root, output;
  std::int64_t split_seed = -1;  ///< -1: the run's own seed.
  std::int32_t seeds = 5;
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
    const auto paper =
        r["method"] == "sgood" ? paper_result(r["suite"].get<std::string>()) : std::nullopt;
    const auto n = static_cast<double>(r["seeds"].size());
    nlohmann::ordered_json row;
    row["suite"] = r["suite"];
    row["method"] = r["method"];
    row["seeds"] = r["seeds"].size();
    row["n ID + OOD"] = fmt::format("{} + {}", r["n_id"].dump(), r["n_ood"].dump());
    row["AUROC"] = mean_std(r["auroc"]);
    row["standard error"] = r["auroc"]["std"].get<double>() / std::sqrt(n);
    row["paper"] =
        paper
            ? nlohmann::ordered_json(fmt::format("{:.2f} ± {:.2f}", paper->auroc, paper->auroc_std))
            : nullptr;
    row["AUPR"] = mean_std(r["aupr"]);
    row["AUPR, paper"] = paper ? nlohmann::ordered_json(paper->aupr) : nullptr;
    row["FPR95"] = mean_std(r["fpr95"]);
    row["FPR95, paper"] = paper ? nlohmann::ordered_json(paper->fpr95) : nullptr;
    row["ID accuracy"] = mean_std(r["id_acc"]);
    row["ID accuracy, paper"] = paper ? nlohmann::ordered_json(paper->id_accuracy) : nullptr;
    row["node count alone"] = mean_std(r["size_audit"]["nodes"]);
    row["edge count alone"] = mean_std(r["size_audit"]["edges"]);
    row["density alone"] = mean_std(r["size_audit"]["density"]);
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

void run_suites(const BenchOptions& options, Session& session) {
  BenchRequest request;
  request.suites = options.suites;
  request.methods = options.methods;
  request.options = parse_settings(options.set);
  request.seeds = options.seeds;
  if (options.split_seed >= 0) request.split_seed = static_cast<std::uint64_t>(options.split_seed);
  request.jobs = options.jobs;
  request.data_root = data_root_or_default(options.data_root);
  if (!options.output.empty()) std::filesystem::create_directories(options.output);

  std::vector<nlohmann::ordered_json> results;
  const auto finished = [&](std::vector<RunRecord> runs, const std::vector<std::string>& remarks) {
    nlohmann::ordered_json result = summarize_runs(runs, remarks);
    result["machine"] = machine_description();
    session.clear_progress();
    if (options.json) write_output("-", result.dump() + "\n");
    if (!options.output.empty())
      write_file_atomically(result_path(options.output, result), result.dump(1) + "\n");
    results.push_back(std::move(result));
  };
  run_bench(request, session.control(), finished);
  const std::string table = results_table(results);
  if (!options.output.empty())
    write_file_atomically(std::filesystem::path(options.output) / "table.md", table);
  if (!options.json) write_output("-", table);
}

void run_experiment(const BenchOptions& options, Session& session) {
  ExperimentContext context;
  context.suites = options.suites;
  context.data_root = data_root_or_default(options.data_root);
  context.seeds = options.seeds;
  context.jobs = options.jobs;
  context.control = session.control();
  const nlohmann::ordered_json rows = experiment_info(options.experiment).run(context);
  session.clear_progress();
  if (!options.output.empty()) {
    std::filesystem::create_directories(options.output);
    const auto base = std::filesystem::path(options.output) / options.experiment;
    nlohmann::ordered_json result = {
        {"experiment", options.experiment}, {"rows", rows}, {"machine", machine_description()}};
    write_file_atomically(base.string() + ".json", result.dump(1) + "\n");
    write_file_atomically(base.string() + ".md", markdown_table(rows));
  }
  write_output("-", options.json ? rows.dump() + "\n" : markdown_table(rows));
}

void bench(const BenchOptions& options, Session& session) {
  if (!options.experiment.empty()) return run_experiment(options, session);
  if (options.suites.empty())
    throw CLI::RequiredError("suites (sgood list suites) or --experiment");
  run_suites(options, session);
}

}  // namespace

void add_bench(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("bench", "Measures methods on benchmark suites");
  auto options = std::make_shared<BenchOptions>();
  command->add_option("suites", options->suites, "Suites, separated by commas (sgood list suites)")
      ->delimiter(',');
  command->add_option("--method", options->methods, "Methods, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--experiment", options->experiment,
                      "A table of the paper instead (sgood list experiments)");
  command->add_option("--seeds", options->seeds, "Seeds 0 .. N-1; each sets split and training")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command
      ->add_option("--split-seed", options->split_seed,
                   "Holds the split while the training seed changes")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--jobs", options->jobs, "Runs at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_option("--data-root", options->data_root,
                      "Folder of the data sets (default: $SGOOD_DATA, else ./data)");
  command->add_option("-o,--output", options->output,
                      "Folder for one JSON file per suite and method, and table.md");
  command->add_flag("--json", options->json, "One JSON object per suite and method, in percent");
  add_set_option(*command, options->set);
  for (const char* unused : {"--method", "--set", "--split-seed"})
    command->get_option("--experiment")->excludes(command->get_option(unused));
  command->footer("Example: sgood bench enzymes,imdb-m --seeds 5 --jobs 2 -o results");
  command->callback([options, &session] { bench(*options, session); });
}

}  // namespace sgood::cli

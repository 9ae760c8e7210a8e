// SPDX-License-Identifier: MIT
#include <memory>

#include "commands.h"
#include "model_report.h"
#include "sgood/core/error.h"
#include "sgood/experiments/experiment_report.h"
#include "terminal.h"

namespace sgood::cli {
namespace {

struct ReportArguments {
  std::int32_t seeds = 5;
  ModelReportOptions model;  ///< `model` is the folder or file of runs where there is no `data`.
};

void report_runs(const ReportArguments& arguments) {
  std::filesystem::path runs = arguments.model.model;
  if (std::filesystem::is_directory(runs)) runs /= "runs.jsonl";
  if (!std::filesystem::exists(runs))
    throw IoError(
        fmt::format("there is no {}; sgood bench --experiment NAME -o FOLDER makes one. A "
                    "report on a model needs --data",
                    runs.string()));
  const RunStore store(runs);
  const std::string& output = arguments.model.output;
  write_report(output, store, arguments.seeds);
  say(fmt::format("{} runs; see {}", store.size(),
                  (std::filesystem::path(output) / "index.html").string()));
}

}  // namespace

void add_report(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "report", "Makes a page: what a model says of some data, or tables of finished runs");
  auto arguments = std::make_shared<ReportArguments>();
  ModelReportOptions& model = arguments->model;
  model.read.on_error = "mark";
  model.read.read.label_column = "none";
  command
      ->add_option("subject", model.model,
                   "Model file; or runs of sgood bench: the folder given to -o, or its runs.jsonl")
      ->required();
  auto* data = command->add_option("--data", model.data, "With a model: the graphs to judge");
  command
      ->add_option("-o,--output", model.output,
                   "With a model: the .html file; with runs: a folder for index.html and all files")
      ->required();
  command->add_option("--top", model.explained, "With a model: so many graphs are explained")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  command->add_option("--seeds", arguments->seeds, "With runs: seeds 0 .. N-1 take part")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  add_data_options(*command, model.read);
  command->footer(
      "Example: sgood report model.sgood --data library.smi -o report.html\n"
      "         sgood report results -o results/page");
  command->callback([arguments, data, &session] {
    if (data->count() > 0)
      report_model(arguments->model, session);
    else
      report_runs(*arguments);
  });
}

}  // namespace sgood::cli

// SPDX-License-Identifier: MIT
#include <memory>

#include "commands.h"
#include "sgood/core/error.h"
#include "sgood/experiments/experiment_report.h"
#include "terminal.h"

namespace sgood::cli {
namespace {

struct ReportArguments {
  std::string runs, output;
  std::int32_t seeds = 5;
};

void report(const ReportArguments& arguments) {
  std::filesystem::path runs = arguments.runs;
  if (std::filesystem::is_directory(runs)) runs /= "runs.jsonl";
  if (!std::filesystem::exists(runs))
    throw IoError(fmt::format("there is no {}; sgood bench --experiment NAME -o FOLDER makes one",
                              runs.string()));
  const RunStore store(runs);
  write_report(arguments.output, store, arguments.seeds);
  say(fmt::format("{} runs; see {}", store.size(),
                  (std::filesystem::path(arguments.output) / "index.html").string()));
}

}  // namespace

void add_report(CLI::App& app, Session&) {
  auto* command = app.add_subcommand("report", "Makes tables, figures and a page of finished runs");
  auto arguments = std::make_shared<ReportArguments>();
  command
      ->add_option("runs", arguments->runs,
                   "Runs of sgood bench: the folder given to -o, or its runs.jsonl")
      ->required();
  command->add_option("-o,--output", arguments->output, "Folder for index.html and all files")
      ->required();
  command->add_option("--seeds", arguments->seeds, "Seeds 0 .. N-1 take part")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->footer("Example: sgood report results -o results/page");
  command->callback([arguments] { report(*arguments); });
}

}  // namespace sgood::cli

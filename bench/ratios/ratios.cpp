// SPDX-License-Identifier: MIT
// End-to-end ratios: both sides of each run in turn in this process, so the machine's load hits
// both.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>

#include "bench/ratios/machine.h"
#include "bench/ratios/parts.h"
#include "bench/support/suite_batches.h"
#include "sgood/core/error.h"

namespace {

using namespace sgood;
using namespace sgood::bench;

struct Part {
  std::string letter;
  std::string what;
  void (*measure)(const Context&);
};

const std::vector<Part> kParts = {
    {"a", "step: plain LibTorch / ours", measure_steps},
    {"b", "augment and pack / epoch", measure_augmentation},
    {"c", "epoch: the paper's / ours", measure_epochs},
    {"d", "greedy modularity: igraph / ours", measure_partitions},
    {"e", "SMILES to score / RDKit's parse; two threads / one", measure_screening},
    {"f", "canonical order and partition of large sets", measure_preparation},
    {"g", "two threads / one while every core is busy", measure_busy_machine},
    {"h", "start-up time and size of the tool", measure_tool},
};

std::string parts_text() {
  std::string text = "Parts:\n";
  for (const Part& part : kParts) text += fmt::format("  {}  {}\n", part.letter, part.what);
  return text;
}

void measure(const std::vector<std::string>& only, const Context& context) {
  for (const Part& part : kParts) {
    if (!only.empty() && std::find(only.begin(), only.end(), part.letter) == only.end()) continue;
    try {
      part.measure(context);
    } catch (const Unavailable& missing) {
      context.report->skip(part.letter, missing.what());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures sgood against others on real data; see docs/benchmarks.md",
               "sgood_ratios");
  std::string root, output, commit = "unknown";
  std::vector<std::string> only, letters;
  for (const Part& part : kParts) letters.push_back(part.letter);
  Context context;
  app.add_option("--only", only, "Parts to measure, e.g. a,d (default: all)")
      ->delimiter(',')
      ->check(CLI::IsMember(letters));
  app.add_flag("--quick", context.quick, "Few repetitions, and not the large sets");
  app.add_option("--data-root", root, "Folder of the data sets (default: SGOOD_DATA, else ./data)");
  app.add_option("--tool", context.tools, "A program for part h, as LABEL=PATH; repeatable");
  app.add_option("--commit", commit, "What was built, for the record");
  app.add_option("-o,--output", output, "JSON file to write");
  app.footer(parts_text());
  CLI11_PARSE(app, argc, argv);
  if (!root.empty()) set_data_root(root);

  Report report;
  context.report = &report;
  nlohmann::ordered_json all = {{"machine", machine()},       {"compiler", SGOOD_BENCH_COMPILER},
                                {"flags", SGOOD_BENCH_FLAGS}, {"commit", commit},
                                {"quick", context.quick},     {"load_at_start", load_average()}};
  const OtherWork others;
  try {
    measure(only, context);
  } catch (const std::exception& error) {
    fmt::print(stderr, "sgood_ratios: {}\n", error.what());
    return 1;
  }
  all["load_at_end"] = load_average();
  all["cores_used_by_others"] = others.cores();
  all.update(report.to_json());
  if (!output.empty()) std::ofstream(output) << all.dump(2) << '\n';
  return report.empty() ? 1 : 0;
}

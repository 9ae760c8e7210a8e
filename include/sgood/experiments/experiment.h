// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/core/run_control.h"
#include "sgood/experiments/run_record.h"

namespace sgood {

/// What a table shows of each run.
enum class Metric { kAuroc, kAupr, kFpr95, kIdAccuracy, kEpochSeconds };

/// Name for file names and titles: "auroc", "aupr", "fpr95", "id-accuracy", "epoch-seconds".
std::string_view metric_name(Metric metric);
/// Of one run: percent, or seconds per fine-tuning epoch; nothing where the method has none.
std::optional<double> metric_of(const RunRecord& run, Metric metric);

/// The published table has no number there.
inline constexpr double kNotPrinted = std::numeric_limits<double>::quiet_NaN();

/// One row of an experiment.
struct Variant {
  std::string label;
  std::string method = "sgood";
  Settings options;
  std::vector<std::vector<double>> paper;  ///< [metric][suite], or empty.
};

/// Whether the method is registered; experiments name some that are not, which then have no row.
bool method_exists(std::string_view method);

/// Detectors that learn nothing, to stand below every table: where they are as good, size or counts
/// explain the number.
const std::vector<Variant>& untrained_variants();

/// How an experiment is shown beside its tables.
enum class Figure {
  kNone,
  kLines,          ///< One panel per suite, `x` across.
  kHeatMaps,       ///< One panel per suite: pairs of `pair_options`, gain over the first variant.
  kDistributions,  ///< Scores of ID and OOD graphs, one panel per variant, first suite.
};

/// What every experiment may be told.
struct ExperimentContext {
  std::vector<std::string> suites;  ///< Empty: the experiment's own.
  std::filesystem::path data_root;
  std::int32_t seeds = 5;
  int jobs = 1;
  RunControl control;
};

/// A table or figure: variants of methods on suites, over seeds. Its runs live in a RunStore; equal
/// runs of several experiments are made once.
struct Experiment {
  std::string name;
  std::string title;
  std::string caption;  ///< Where the paper has it, and how this differs.
  std::vector<std::string> suites;
  std::vector<Metric> metrics = {Metric::kAuroc};
  std::vector<Variant> variants;
  Figure figure = Figure::kNone;
  std::string x_label = {};
  std::vector<double> x = {};                  ///< [variants] for kLines.
  std::vector<std::string> pair_options = {};  ///< kHeatMaps: variant 1 + i * n + j is pair (i, j).
  /// Set for the experiments that are not made of runs: their rows, an array of flat objects.
  nlohmann::ordered_json (*measure)(const ExperimentContext& context) = nullptr;
};

/// All experiments: those of the paper in its order, then our own.
const std::vector<Experiment>& experiments();
/// The one called `name`; throws InvalidArgument that lists the known ones.
const Experiment& find_experiment(std::string_view name);

/// The runs that `experiment` consists of, variants whose method does not exist (yet) left out.
/// Empty `suites` and `methods`: all of the experiment's. Seed s trains on split s.
std::vector<RunSpec> experiment_runs(const Experiment& experiment,
                                     const std::vector<std::string>& suites,
                                     const std::vector<std::string>& methods, std::int32_t seeds);

/// What the paper prints for a method with its default options.
std::optional<double> paper_value(std::string_view suite, std::string_view method, Metric metric);

/// An array of flat objects with equal keys as a Markdown table; numbers with two decimals.
std::string markdown_table(const nlohmann::ordered_json& rows);

}  // namespace sgood

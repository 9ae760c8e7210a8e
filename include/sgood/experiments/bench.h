// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sgood/core/run_control.h"
#include "sgood/metrics/ood_metrics.h"
#include "sgood/suites/suite.h"

namespace sgood {

/// What to measure.
struct BenchRequest {
  std::vector<std::string> suites;
  std::vector<std::string> methods = {"sgood"};
  /// Options by name, applied to every method.
  std::vector<std::pair<std::string, std::string>> options;
  std::int32_t seeds = 5;  ///< Seeds 0 .. seeds-1; each sets the split and the training.
  std::optional<std::uint64_t> split_seed;  ///< Holds the split while the training seed changes.
  int jobs = 1;                             ///< Runs at the same time.
  std::filesystem::path data_root;
};

/// AUROC of what needs no training, so that a reader sees when size alone explains a number.
struct SizeAudit {
  double nodes =
      0;  ///< Node count as the score, in [0, 1]; below 0.5 means OOD graphs are smaller.
  double edges = 0;    ///< Edge count.
  double density = 0;  ///< Edges over pairs of nodes.
};

/// One fit and its measurement.
struct RunRecord {
  std::string suite;
  std::string method;
  nlohmann::ordered_json options;  ///< All of them, with their values.
  std::uint64_t seed = 0;
  std::uint64_t split_seed = 0;
  OodMetrics ood;
  double id_accuracy = 0;   ///< On ID test graphs; 0 for methods without classes.
  double false_alarms = 0;  ///< Share of ID test graphs called OOD at a nominal 5 %.
  double detected = 0;      ///< Share of OOD test graphs called OOD at the same threshold.
  SizeAudit audit;
  std::vector<std::pair<std::string, double>> epoch_seconds;  ///< By stage.
  double fit_seconds = 0;
  double score_seconds = 0;  ///< For all test graphs.
};

/// Fits and scores one method on one split.
RunRecord run_once(const OodSuite& suite, const std::string& method,
                   const std::vector<std::pair<std::string, std::string>>& options,
                   std::uint64_t seed, const RunControl& control);

/// Runs every suite, method and seed. `finished` is called with all runs of one suite and method,
/// in the order of the seeds, and the suite's remarks, as soon as they are there; never twice at a
/// time.
void run_bench(const BenchRequest& request, const RunControl& control,
               const std::function<void(std::vector<RunRecord> runs,
                                        const std::vector<std::string>& remarks)>& finished);

/// All runs of one suite and method as one object, values in percent (see `sgood bench --json`).
nlohmann::ordered_json summarize_runs(const std::vector<RunRecord>& runs,
                                      const std::vector<std::string>& remarks);

/// Compiler, processor and versions, for result files.
nlohmann::ordered_json machine_description();

}  // namespace sgood

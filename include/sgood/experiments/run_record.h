// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sgood/experiments/copy_audit.h"
#include "sgood/metrics/ood_metrics.h"
#include "sgood/suites/suite.h"

namespace sgood {

/// Options by name, as given with --set.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// Raised when a change of the code changes results: stored runs of another version are not used.
inline constexpr int kResultsVersion = 1;

/// What is run: one method on one split of one suite.
struct RunSpec {
  std::string suite;
  std::string method = "sgood";
  Settings options;              ///< Those that are not default; others may be there too.
  std::uint64_t seed = 0;        ///< Of the training.
  std::uint64_t split_seed = 0;  ///< Of the split.
  OodSample ood = {};            ///< Which OOD test graphs.

  /// Equal for specs that give the same run, however their options are written. Throws
  /// InvalidArgument for a method or an option that does not exist.
  std::string key() const;
};

/// AUROC of what needs no training, so that a reader sees when size alone explains a number.
struct SizeAudit {
  double nodes =
      0;  ///< Node count as the score, in [0, 1]; below 0.5 means OOD graphs are smaller.
  double edges = 0;    ///< Edge count.
  double density = 0;  ///< Edges over pairs of nodes.
};

/// Scores of a group of graphs in short.
struct ScoreSummary {
  double mean = 0;
  std::vector<double> quantiles;  ///< 17 of them, from the smallest score to the largest.
};

/// One fit and its measurement.
struct RunRecord {
  RunSpec spec;
  OodMetrics ood;
  double id_accuracy = 0;   ///< On ID test graphs; 0 for methods without classes.
  double false_alarms = 0;  ///< Share of ID test graphs called OOD at a nominal 5 %.
  double detected = 0;      ///< Share of OOD test graphs called OOD at the same threshold.
  /// ID validation graphs against ID test graphs, as an AUROC: 0.5 within error for a method that
  /// treats graphs it has not seen alike. Older runs have none.
  std::optional<double> null_auroc;
  SizeAudit audit;
  std::optional<CopyAudit> copies;     ///< Older runs have none.
  ScoreSummary id_scores, ood_scores;  ///< Batch scores when the method ranks batches.
  std::vector<std::string> remarks;    ///< Of the suite; they must stand beside the numbers.
  std::vector<std::pair<std::string, double>> epoch_seconds;  ///< By stage.
  double fit_seconds = 0;
  double score_seconds = 0;  ///< For all test graphs.

  /// One line of a store; options that have their default value are left out.
  nlohmann::ordered_json to_json() const;
  /// Throws InvalidArgument on anything that to_json() could not have written.
  static RunRecord from_json(const nlohmann::ordered_json& json);
};

/// Mean and quantiles of `scores` (at least one).
ScoreSummary summarize_scores(std::vector<double> scores);

}  // namespace sgood

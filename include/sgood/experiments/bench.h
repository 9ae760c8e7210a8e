// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sgood/core/run_control.h"
#include "sgood/detectors/network_cache.h"
#include "sgood/experiments/run_record.h"
#include "sgood/experiments/run_store.h"
#include "sgood/suites/suite.h"

namespace sgood {

/// Fits and scores one method on one split. Its network is taken from `networks` when it is there;
/// the seconds of its epochs are then those of the training that made it. A method that ranks
/// batches gets all test graphs as one, and AUROC, AUPR and FPR95 are those of its batch scores.
RunRecord run_once(const OodSuite& suite, const RunSpec& spec, const RunControl& control,
                   NetworkCache* networks = nullptr);

/// How runs are made.
struct BenchOptions {
  std::filesystem::path data_root;
  int jobs =
      1;  ///< Runs at the same time, each on one thread; at most the machine's threads count.
  RunControl control;
};

/// Makes the runs of `specs` that `store` does not hold yet and puts each there as soon as it is
/// finished; each suite is read once, and methods on equal networks train one. Returns why runs
/// have no result: a suite without data and a run that throws do not keep the others from going on.
/// Throws Cancelled when stopped, and InvalidArgument for unknown names before any work is done.
std::vector<std::string> run_missing(const std::vector<RunSpec>& specs, RunStore& store,
                                     const BenchOptions& options);

/// About how long the run takes on one core of a common machine, in seconds; for plans, not for
/// comparisons.
double expected_seconds(const RunSpec& spec);

/// Runs of one suite and method with equal options as one object, values in percent (see
/// `sgood bench --json`); `paper` has what is printed for the method with its default options.
nlohmann::ordered_json summarize_runs(const std::vector<RunRecord>& runs);

/// Compiler, processor and versions, for result files.
nlohmann::ordered_json machine_description();

}  // namespace sgood

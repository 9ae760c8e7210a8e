// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/graph/graph_set.h"

namespace sgood {

/// All graphs that a benchmark draws from. Paper: Table "Statistics".
struct SuiteData {
  std::string name;
  GraphSet id;   ///< In-distribution, labelled.
  GraphSet ood;  ///< Pool of out-of-distribution graphs, unlabelled.
  /// In-distribution graphs used by one split; fewer than id.graphs where the benchmark draws a
  /// part.
  std::int32_t num_id = 0;
  /// Remarks that must stand beside every number, e.g. that a split is not the paper's.
  std::vector<std::string> remarks;
};

/// One seeded split: 8:1:1 of the ID graphs, and as many OOD graphs as ID test graphs.
struct OodSuite {
  std::string name;
  GraphSet id_train, id_val, id_test, ood_test;
};

/// A row of the registry.
struct SuiteInfo {
  std::string name;
  std::string summary;  ///< ID against OOD.
  std::string needs;    ///< Files below the data root; empty for generated suites.
  SuiteData (*load)(const std::filesystem::path& data_root, int threads,
                    Fragmentation fragmentation) = nullptr;
};

/// All suites, in the order of the paper's tables.
const std::vector<SuiteInfo>& suites();
const SuiteInfo& suite_info(std::string_view name);

/// Reads a suite; molecules with what Detector::fragmentation() asks for. Throws Unavailable that
/// names the missing files and where to put them.
SuiteData load_suite(std::string_view name, const std::filesystem::path& data_root, int threads = 1,
                     Fragmentation fragmentation = Fragmentation::kNone);

/// Which graphs of the OOD pool a split takes.
enum class OodOrder {
  kRandom,  ///< Drawn by the seed.
  kFirst,   ///< The first ones of the file, the same for every seed.
};

/// Which and how many.
struct OodSample {
  OodOrder order = OodOrder::kRandom;
  double share = 0.5;  ///< Of the test graphs, in (0, 1); fewer where the pool is too small.
};

/// Splits `data` by `seed`: test and validation take a tenth each, rounded up; beside the ID test
/// graphs there are as many OOD graphs as make `ood.share`, rounded, at least one.
OodSuite split_suite(const SuiteData& data, std::uint64_t seed, const OodSample& ood = {});

}  // namespace sgood

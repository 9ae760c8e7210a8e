// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/core/run_control.h"

namespace sgood {

/// In what form a data set is published.
enum class DataSetKind {
  kTu,         ///< A zip with the text files of the TU collection.
  kMolecules,  ///< A zip of the Open Graph Benchmark: molecules of MoleculeNet with their split.
};

/// A row of the registry of public data sets.
struct DataSetInfo {
  std::string name;  ///< Its folder below the data root.
  DataSetKind kind = DataSetKind::kTu;
  std::string address;  ///< Where it is published; empty when it cannot be fetched.
  /// SHA-256 of the mol.csv.gz inside, where it is known.
  std::string sha256_of_molecules;
};

/// All sets that can be fetched, or that a suite needs.
const std::vector<DataSetInfo>& data_sets();

/// The set called `name`, or the sets that the suite of that name needs. Throws InvalidArgument
/// that lists what is known.
std::vector<DataSetInfo> data_sets_of(std::string_view name);

struct FetchOptions {
  std::string mirror;  ///< Base address in place of the set's own, e.g. file:///media/sets.
  std::string sha256;  ///< SHA-256 that the downloaded file must have; empty: not known.
};

/// Where a set is, and what came.
struct FetchedSet {
  std::filesystem::path folder;
  bool was_there = false;  ///< Nothing was fetched; the rest is empty then.
  std::string address = {};
  std::int64_t bytes = 0;   ///< Of the downloaded file.
  std::string sha256 = {};  ///< Of the downloaded file.
};

/// Puts the set below `data_root` in the form that suites read, unless it is there. Its folder
/// appears whole or not at all, with a SOURCE.txt that tells address, size and SHA-256; a download
/// that breaks off goes on with the next call. Throws what download() does, and Unavailable for a
/// set that cannot be fetched; each says which files to put where by hand.
FetchedSet fetch_data_set(const DataSetInfo& set, const std::filesystem::path& data_root,
                          const FetchOptions& options = {}, const RunControl& control = {});

}  // namespace sgood

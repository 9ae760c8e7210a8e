// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sgood/chem/molecule_table.h"
#include "sgood/detectors/sgood.h"
#include "sgood/detectors/training_batches.h"
#include "sgood/graph/graph_set.h"
#include "sgood/graph/packed_graph.h"
#include "sgood/nn/engine.h"

namespace sgood::bench {

inline constexpr std::int32_t kBatchGraphs = 128;

/// Where the data sets are: set_data_root(), else SGOOD_DATA, else ./data.
std::filesystem::path data_root();
void set_data_root(std::filesystem::path root);

/// The training graphs of a suite (split by seed 0), or 8 of 10 graphs of "reddit-binary". Kept for
/// the next call. Throws Unavailable that names what is missing.
const GraphSet& training_graphs(const std::string& suite);

/// Training graphs as SGOOD's default options prepare them.
struct PreparedSuite {
  NetworkShape shape;
  std::vector<PackedGraph> graphs;
  std::unique_ptr<TrainingBatches> training;  ///< Views drop and replace substructures (SD, SS).
};
/// Kept for the next call.
const PreparedSuite& prepared_suite(const std::string& suite);

/// What one fine-tuning step reads: original graphs, and two views of them.
struct StepBatches {
  PackedBatch original, view0, view1;
  std::vector<std::int32_t> labels;

  TrainingStep step() const { return {&original, labels, &view0, &view1, 0.1, 0.2}; }
};
/// `count` batches of 128 random graphs, as `suite.training` writes them.
std::vector<StepBatches> make_step_batches(const PreparedSuite& suite, std::size_t count);

/// The molecules of a folder below the data root ("BACE", "HIV") as text, without those that RDKit
/// cannot read.
MoleculeTable molecule_table(const std::string& folder);
/// Rows [first, last) of `table`.
MoleculeTable rows_of(const MoleculeTable& table, std::size_t first, std::size_t last);
/// SGOOD with default options, fitted for one epoch to the molecules of `table`: good enough to
/// time scoring, which does not depend on the weights.
SgoodDetector quick_detector(const MoleculeTable& table);

}  // namespace sgood::bench

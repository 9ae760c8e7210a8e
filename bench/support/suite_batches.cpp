// SPDX-License-Identifier: MIT
#include "bench/support/suite_batches.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

#include "sgood/chem/molecule_reader.h"
#include "sgood/core/error.h"
#include "sgood/core/threads.h"
#include "sgood/io/tu_reader.h"
#include "sgood/suites/suite.h"

namespace sgood::bench {
namespace {

std::filesystem::path& chosen_root() {
  static std::filesystem::path root;
  return root;
}

GraphSet load_training_graphs(const std::string& suite) {
  if (suite != "reddit-binary")
    return split_suite(load_suite(suite, data_root(), hardware_threads()), 0).id_train;
  const std::filesystem::path folder = data_root() / "REDDIT-BINARY";
  if (!std::filesystem::is_directory(folder))
    throw Unavailable(
        fmt::format("reddit-binary needs the folder {}; name another data root with "
                    "--data-root or SGOOD_DATA",
                    folder.string()));
  const GraphSet all = read_tu(folder);
  const auto count = static_cast<std::int32_t>(all.graphs.size());
  return all.subset(Rng(0).sample(count, count * 8 / 10));
}

PreparedSuite prepare(const GraphSet& train) {
  const SgoodOptions options;
  const FeatureEncoder encoder = FeatureEncoder::fit(train, parse_feature_kind(options.features));
  const auto partitioner = make_partitioner(options.partitioner);
  PreparedSuite result;
  for (const Graph& graph : train.graphs) {
    const Substructures found = find_substructures(graph, *partitioner, NodeOrder::kCanonical);
    result.graphs.push_back(pack_graph(graph, found.partition, found.order, encoder.encode(graph)));
  }
  result.shape.vocabulary = encoder.vocabulary();
  result.shape.code_columns = encoder.code_columns();
  result.shape.num_dense = encoder.num_dense();
  result.shape.num_classes = static_cast<std::int32_t>(train.class_names.size());
  TrainerOptions trainer;
  trainer.view0 = "substructure-drop";
  trainer.view1 = "substructure-substitute";
  result.training = std::make_unique<TrainingBatches>(result.graphs, result.shape, trainer);
  return result;
}

}  // namespace

void set_data_root(std::filesystem::path root) { chosen_root() = std::move(root); }

std::filesystem::path data_root() {
  if (!chosen_root().empty()) return chosen_root();
  const char* variable = std::getenv("SGOOD_DATA");
  return variable != nullptr && *variable != '\0' ? variable : "data";
}

const GraphSet& training_graphs(const std::string& suite) {
  static std::map<std::string, GraphSet> kept;
  const auto found = kept.find(suite);
  return found != kept.end() ? found->second
                             : kept.emplace(suite, load_training_graphs(suite)).first->second;
}

const PreparedSuite& prepared_suite(const std::string& suite) {
  static std::map<std::string, PreparedSuite> kept;
  const auto found = kept.find(suite);
  return found != kept.end() ? found->second
                             : kept.emplace(suite, prepare(training_graphs(suite))).first->second;
}

std::vector<StepBatches> make_step_batches(const PreparedSuite& suite, std::size_t count) {
  const TrainingStage stage = {"fine-tuning", 1, 0.001, true, 0.1};
  const auto population = static_cast<std::int32_t>(suite.graphs.size());
  Rng rng(1);
  std::vector<StepBatches> batches;
  for (std::size_t i = 0; i < count; ++i) {
    const auto positions = rng.sample(population, std::min(population, kBatchGraphs));
    const TrainingStep step = suite.training->write(stage, positions, rng);
    batches.push_back(
        {*step.original, *step.view0, *step.view1, {step.labels.begin(), step.labels.end()}});
  }
  return batches;
}

MoleculeTable molecule_table(const std::string& folder) {
  std::filesystem::path file = data_root() / folder / "mol.csv";
  if (!std::filesystem::exists(file)) file += ".gz";
  if (!std::filesystem::exists(file))
    throw Unavailable(
        fmt::format("the file {0}/mol.csv or {0}/mol.csv.gz is needed below {1}; name "
                    "another data root with --data-root or SGOOD_DATA",
                    folder, data_root().string()));
  MoleculeTable table = read_molecule_table(
      file, {.smiles_column = "smiles", .label_column = "0", .id_column = "none"});
  const GraphSet graphs = molecules_to_graphs(table);
  for (const BadRow& bad : graphs.bad_rows)
    table.rows[static_cast<std::size_t>(bad.row)].error = bad.reason;
  std::erase_if(table.rows, [](const MoleculeRow& row) { return !row.error.empty(); });
  return table;
}

MoleculeTable rows_of(const MoleculeTable& table, std::size_t first, std::size_t last) {
  const auto begin = table.rows.begin();
  return {table.source,
          {begin + static_cast<std::ptrdiff_t>(first),
           begin + static_cast<std::ptrdiff_t>(std::min(last, table.rows.size()))},
          {}};
}

SgoodDetector quick_detector(const MoleculeTable& table) {
  SgoodOptions options;
  options.pretrain_epochs = 0;
  options.finetune_epochs = 1;
  SgoodDetector detector(options);
  detector.fit(molecules_to_graphs(rows_of(table, 0, 2000)), {});
  return detector;
}

}  // namespace sgood::bench

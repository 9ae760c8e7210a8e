// SPDX-License-Identifier: MIT
// Scoring by parts, in blocks of 256 molecules or graphs with default options: the Mahalanobis
// distance of a representation, graph to score, and SMILES to score.
#include <benchmark/benchmark.h>

#include "bench/support/suite_batches.h"
#include "bench/support/with_data.h"
#include "sgood/chem/molecule_reader.h"
#include "sgood/detectors/mahalanobis.h"

namespace {

using namespace sgood;
using namespace sgood::bench;

constexpr std::size_t kBlock = 256;

struct Screening {
  MoleculeTable table;
  SgoodDetector detector;
  std::vector<MoleculeTable> blocks;

  explicit Screening(const std::string& folder)
      : table(molecule_table(folder)), detector(quick_detector(table)) {
    for (std::size_t first = 0; first < table.rows.size(); first += kBlock)
      blocks.push_back(rows_of(table, first, first + kBlock));
  }
};

void smiles_to_score(benchmark::State& state, const char* folder) {
  with_data(state, [&] {
    const Screening screening(folder);
    std::size_t next = 0, rows = 0;
    for (auto _ : state) {
      const MoleculeTable& block = screening.blocks[next++ % screening.blocks.size()];
      benchmark::DoNotOptimize(screening.detector.score(molecules_to_graphs(block)));
      rows += block.rows.size();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(rows));
  });
}

void graph_to_score(benchmark::State& state, const char* folder) {
  with_data(state, [&] {
    const Screening screening(folder);
    std::vector<GraphSet> blocks;
    for (const MoleculeTable& block : screening.blocks)
      blocks.push_back(molecules_to_graphs(block));
    std::size_t next = 0, graphs = 0;
    for (auto _ : state) {
      const GraphSet& block = blocks[next++ % blocks.size()];
      benchmark::DoNotOptimize(screening.detector.score(block));
      graphs += block.graphs.size();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(graphs));
  });
}

void mahalanobis(benchmark::State& state) {
  constexpr std::int32_t kClasses = 6, kWidth = 96;
  Rng rng(1);
  Matrix z(600, kWidth);
  for (double& value : z.values) value = rng.normal();
  std::vector<std::int32_t> classes;
  for (std::int64_t row = 0; row < z.rows; ++row)
    classes.push_back(static_cast<std::int32_t>(row % kClasses));
  const MahalanobisScore score(z, classes, kClasses);
  std::int64_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(score.score(z.row(next++ % z.rows)));
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(mahalanobis);
BENCHMARK_CAPTURE(graph_to_score, bace, "BACE")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(graph_to_score, hiv, "HIV")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(smiles_to_score, bace, "BACE")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(smiles_to_score, hiv, "HIV")->Unit(benchmark::kMillisecond);

}  // namespace

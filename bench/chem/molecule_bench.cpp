// SPDX-License-Identifier: MIT
// Molecules one after the other: RDKit's parse alone, and the graph that we make of its result.
#include <benchmark/benchmark.h>

#include <map>

#include "bench/chem/rdkit_parse.h"
#include "bench/support/suite_batches.h"
#include "bench/support/with_data.h"

namespace {

using namespace sgood;
using namespace sgood::bench;

template <typename Work>
void each_molecule(benchmark::State& state, const char* folder, Work&& work) {
  with_data(state, [&] {
    static std::map<std::string, MoleculeTable> kept;
    if (!kept.contains(folder)) kept.emplace(folder, molecule_table(folder));
    const MoleculeTable& table = kept.at(folder);
    std::size_t next = 0;
    for (auto _ : state)
      benchmark::DoNotOptimize(work(table.rows[next++ % table.rows.size()].smiles));
    state.SetItemsProcessed(state.iterations());
  });
}

void rdkit_parse(benchmark::State& state, const char* folder) {
  each_molecule(state, folder, bench::rdkit_parse);
}
void molecule_to_graph(benchmark::State& state, const char* folder) {
  each_molecule(state, folder,
                [](const std::string& smiles) { return sgood::molecule_to_graph(smiles); });
}

BENCHMARK_CAPTURE(rdkit_parse, bace, "BACE")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(rdkit_parse, hiv, "HIV")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(molecule_to_graph, bace, "BACE")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(molecule_to_graph, hiv, "HIV")->Unit(benchmark::kMicrosecond);

}  // namespace

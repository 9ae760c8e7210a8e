// SPDX-License-Identifier: MIT
// Each augmentation, written straight into a packed batch of 128 real graphs; identity is packing
// alone.
#include <benchmark/benchmark.h>

#include "bench/support/suite_batches.h"
#include "bench/support/with_data.h"
#include "sgood/augment/augmentation.h"

namespace {

using namespace sgood;
using namespace sgood::bench;

void write_views(benchmark::State& state, const char* suite, const char* name) {
  with_data(state, [&] {
    const PreparedSuite& data = prepared_suite(suite);
    const auto augmentation = make_augmentation(name, {.training = data.graphs});
    Rng rng(1);
    PackedBatch batch;
    std::size_t next = 0;
    for (auto _ : state) {
      BatchWriter writer(batch, data.shape.code_columns, data.shape.num_dense, true);
      for (std::int32_t i = 0; i < kBatchGraphs; ++i)
        augmentation->write_view(data.graphs[next++ % data.graphs.size()], rng, writer);
      writer.finish();
    }
    state.SetItemsProcessed(state.iterations() * kBatchGraphs);
  });
}

const int kRegistered = [] {
  for (const char* suite : {"enzymes", "imdb-m", "bace"})
    for (const char* view : {"I", "SD", "SG", "SS"})
      benchmark::RegisterBenchmark((std::string("write_views/") + suite + "/" + view).c_str(),
                                   write_views, suite, view)
          ->Unit(benchmark::kMicrosecond);
  return 0;
}();

}  // namespace

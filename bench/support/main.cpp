// SPDX-License-Identifier: MIT
// The main() of every Google Benchmark program: their own options, and --data-root=FOLDER.
#include <benchmark/benchmark.h>

#include <string_view>

#include "bench/support/suite_batches.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  constexpr std::string_view kDataRoot = "--data-root=";
  if (argc == 2 && std::string_view(argv[1]).starts_with(kDataRoot))
    sgood::bench::set_data_root(argv[1] + kDataRoot.size());
  else if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}

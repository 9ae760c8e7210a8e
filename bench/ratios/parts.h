// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "bench/ratios/report.h"

namespace sgood::bench {

/// What every part needs.
struct Context {
  bool quick = false;              ///< Few repetitions, small suites only.
  std::vector<std::string> tools;  ///< Programs of part h, as LABEL=PATH.
  Report* report = nullptr;

  /// `full`, or a good part less in a quick run.
  std::size_t runs(std::size_t full) const { return quick ? (full + 5) / 6 : full; }
};

// Each measures one part and adds its rows; throws Unavailable when data or a library is missing.
void measure_steps(const Context& context);         ///< a: LibTorch step / our step
void measure_augmentation(const Context& context);  ///< b: augment and pack / epoch
void measure_epochs(const Context& context);        ///< c: the paper's epoch / ours
void measure_partitions(const Context& context);    ///< d: igraph / our greedy modularity
void measure_screening(const Context& context);     ///< e: SMILES to score / RDKit's parse
void measure_preparation(const Context& context);   ///< f: canonical order and partition
void measure_busy_machine(const Context& context);  ///< g: two threads on busy cores
void measure_tool(const Context& context);          ///< h: start-up time and size

}  // namespace sgood::bench

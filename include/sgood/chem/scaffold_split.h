// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sgood {

/// Three disjoint parts of a list of molecules: 0-based positions, ascending. No scaffold is in two
/// parts.
struct ScaffoldSplit {
  std::vector<std::int32_t> train;
  std::vector<std::int32_t> valid;
  std::vector<std::int32_t> test;
};

/// Splits 80:10:10 so that no two parts share a scaffold: groups of equal scaffolds, largest first
/// (of equal size, the one that begins later first), go to train while it stays within 80 %, else
/// to valid while both stay within 90 %, else to test. Gives the published OGB splits. `scaffolds`
/// holds one murcko_scaffold() per molecule; "" is a group like any other.
ScaffoldSplit split_by_scaffold(std::span<const std::string> scaffolds);

/// split_by_scaffold() of the scaffolds of `smiles`, computed on `threads` >= 1 threads. Throws
/// InvalidArgument that names the first position whose SMILES can't be read.
ScaffoldSplit scaffold_split(std::span<const std::string> smiles, int threads = 1);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace RDKit {
class ROMol;
}

namespace sgood {

/// The fragment of each atom when all bonds that BRICS breaks are cut; the same as RDKit's Python
/// FindBRICSBonds(). Reference: Degen et al., 2008.
std::vector<std::int32_t> brics_fragments(const RDKit::ROMol& molecule);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sgood/detectors/explanation.h"

namespace sgood {

/// The `count` training graphs with the smallest `distances` [ids], nearest first, by position
/// where they are equally near.
std::vector<NearGraph> nearest_graphs(const std::vector<double>& distances,
                                      const std::vector<std::string>& ids, int count);

}  // namespace sgood

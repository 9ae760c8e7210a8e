// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "sgood/experiments/experiment.h"

namespace sgood {

/// Whether Model::explain() names what makes a graph unusual, for `sgood` and `wl-density`. Over
/// the graphs with two substructures at least: by how much the score falls when the first
/// substructure is deleted and when a random one is, for OOD and, as a control, for ID test graphs,
/// in standard deviations of the ID test scores; means over seeds. On `motif`, where it is known
/// which nodes are new, how often most nodes of the first substructure are new, beside the share of
/// such substructures, which is what chance would give.
nlohmann::ordered_json run_explanations(const ExperimentContext& context);

}  // namespace sgood

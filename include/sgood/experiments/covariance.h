// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include "sgood/experiments/experiment.h"

namespace sgood {

/// How the covariance estimate of the Mahalanobis score is chosen: SGOOD is fitted once per suite
/// and seed, every estimate is fitted to the same representations, and the one under which held-out
/// ID graphs are most probable (mean log density at their own class, up to a constant) is the
/// default. AUROC stands beside it for information; it takes no part in the choice. The
/// pseudo-inverse has no density.
nlohmann::ordered_json run_covariance(const ExperimentContext& context);

}  // namespace sgood

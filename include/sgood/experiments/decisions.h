// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "sgood/core/rng.h"
#include "sgood/experiments/experiment.h"

namespace sgood {

/// What a calibration promises, put to the test on scores of graphs that are all in distribution.
struct AlarmTrial {
  double asked = 0;        ///< Alarm rate.
  double expected = 0;     ///< floor(asked (n + 1)) / (n + 1): the rate when no scores are equal.
  double found = 0;        ///< Mean over splits of the share of test scores that raise an alarm.
  double error = 0;        ///< Standard error of `found` over splits.
  double ks_distance = 0;  ///< Largest excess of the share of p-values at or below u over u.
  double ks_p_value = 1;   ///< One-sided Kolmogorov-Smirnov test of one p-value of each split.
};

/// Splits `scores`, at least four, `splits` times at random into two halves, calibrates on one and
/// decides on the other. Equal scores make p-values larger, so only an excess counts.
AlarmTrial try_alarms(std::span<const double> scores, double alarm_rate, int splits, Rng rng);

/// try_alarms() with 200 splits on the held-out ID graphs of one split of each suite, for `sgood`
/// and `wl-density`.
nlohmann::ordered_json run_decisions(const ExperimentContext& context);

}  // namespace sgood

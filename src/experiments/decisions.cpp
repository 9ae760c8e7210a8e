// SPDX-License-Identifier: MIT
#include "sgood/experiments/decisions.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sgood/core/error.h"
#include "sgood/core/threads.h"
#include "sgood/detectors/detector.h"
#include "sgood/metrics/calibration.h"
#include "sgood/suites/suite.h"

namespace sgood {
namespace {

constexpr int kSplits = 200;

/// How much more than u of the values are at or below u, at most over u.
double largest_excess(std::vector<double> values) {
  std::ranges::sort(values);
  double excess = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    excess = std::max(excess,
                      static_cast<double>(i + 1) / static_cast<double>(values.size()) - values[i]);
  return excess;
}

/// Scores of the held-out ID graphs of split 0.
std::vector<double> held_out_scores(const SuiteData& data, const std::string& method,
                                    const RunControl& control) {
  const OodSuite suite = split_suite(data, 0);
  const auto detector = make_detector(method);
  FitContext fit;
  fit.control.stop = control.stop;
  detector->fit(suite.id_train, fit);
  std::vector<double> scores;
  for (const GraphSet* part : {&suite.id_val, &suite.id_test})
    for (const GraphScore& s : detector->score(*part)) scores.push_back(s.score);
  return scores;
}

}  // namespace

AlarmTrial try_alarms(std::span<const double> scores, double alarm_rate, int splits, Rng rng) {
  SGOOD_CHECK(scores.size() >= 4, "{} scores cannot be split; at least 4 are needed",
              scores.size());
  SGOOD_CHECK(splits >= 2, "splits is {} but must be at least 2", splits);
  std::vector<double> drawn(scores.begin(), scores.end());
  const auto half = std::ssize(drawn) / 2;
  AlarmTrial trial{.asked = alarm_rate};
  trial.expected =
      std::floor(alarm_rate * static_cast<double>(half + 1) + 1e-9) / static_cast<double>(half + 1);
  double squares = 0;
  std::vector<double> p_values;
  for (int s = 0; s < splits; ++s) {
    rng.shuffle(drawn);
    const Calibration calibration({drawn.begin(), drawn.begin() + half});
    double alarms = 0;
    for (auto score = drawn.begin() + half; score != drawn.end(); ++score)
      alarms += calibration.is_ood(*score, alarm_rate) ? 1 : 0;
    const double share = alarms / static_cast<double>(std::ssize(drawn) - half);
    trial.found += share / splits;
    squares += share * share;
    p_values.push_back(calibration.p_value(drawn.back()));
  }
  const double variance = squares / splits - trial.found * trial.found;
  trial.error = std::sqrt(std::max(variance, 0.0) / (splits - 1));
  trial.ks_distance = largest_excess(p_values);
  trial.ks_p_value = std::exp(-2 * splits * trial.ks_distance * trial.ks_distance);
  return trial;
}

nlohmann::ordered_json run_decisions(const ExperimentContext& context) {
  const std::vector<std::string> names =
      context.suites.empty() ? std::vector<std::string>{"motif", "enzymes", "imdb-m", "imdb-b",
                                                        "bace",  "bbbp",    "drugood"}
                             : context.suites;
  const std::vector<std::string> methods = {"sgood", "wl-density"};
  std::vector<nlohmann::ordered_json> rows(names.size() * methods.size());
  std::vector<SuiteData> data;
  for (const std::string& name : names)
    data.push_back(load_suite(name, context.data_root, context.jobs));
  parallel_for(std::ssize(rows), context.jobs, [&](std::int64_t i) {
    const auto row = static_cast<std::size_t>(i);
    const std::size_t suite = row / methods.size();
    const std::string& method = methods[row % methods.size()];
    const std::vector<double> scores = held_out_scores(data[suite], method, context.control);
    const AlarmTrial trial = try_alarms(scores, 0.05, kSplits, Rng(0).fork(names[suite]));
    rows[row] = {{"suite", names[suite]},
                 {"method", method},
                 {"graphs", scores.size()},
                 {"asked, %", 100 * trial.asked},
                 {"expected, %", 100 * trial.expected},
                 {"found, %", 100 * trial.found},
                 {"standard error", 100 * trial.error},
                 {"KS distance", trial.ks_distance},
                 {"KS p-value", trial.ks_p_value}};
  });
  return rows;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "score_arrays.h"

#include <algorithm>
#include <cmath>

#include "sgood/core/error.h"
#include "sgood/core/threads.h"
#include "sgood/io/npy.h"

namespace sgood::cli {
namespace {

/// Classes of `count` rows, one whole number each.
std::vector<std::int64_t> read_classes(const std::string& path, std::int64_t count) {
  const NpyArray array = read_npy(path);
  SGOOD_CHECK(std::ssize(array.values) == array.rows(),
              "{}: the array has {} columns but classes stand in one", path, array.shape.back());
  SGOOD_CHECK(array.rows() == count, "{}: there are {} classes but {} training rows", path,
              array.rows(), count);
  std::vector<std::int64_t> classes;
  for (const double value : array.values) {
    SGOOD_CHECK(value == std::floor(value) && std::abs(value) < 1e15,
                "{}: class {} is {} but must be a whole number", path, classes.size(), value);
    classes.push_back(static_cast<std::int64_t>(value));
  }
  return classes;
}

/// Why a row has no score; empty when it has one.
std::string defect_of(std::span<const double> row) {
  const auto bad = std::ranges::find_if(row, [](double x) { return !std::isfinite(x); });
  if (bad == row.end()) return "";
  return fmt::format("column {} is {} but must be finite", bad - row.begin(), *bad);
}

/// The rows of an array, or those that have a score when `leave_out` is set; all others are an
/// error.
Matrix read_rows(const std::string& path, bool leave_out, Session& session) {
  const Matrix all = read_npy(path).matrix();
  SGOOD_CHECK(all.rows >= 1 && all.cols >= 1, "{}: the array is {} by {}: it holds no numbers",
              path, all.rows, all.cols);
  Matrix good(0, all.cols);
  std::int64_t first_bad = -1;
  for (std::int64_t r = 0; r < all.rows; ++r) {
    if (!defect_of(all.row(r)).empty()) {
      if (first_bad < 0) first_bad = r;
      continue;
    }
    good.values.insert(good.values.end(), all.row(r).begin(), all.row(r).end());
    ++good.rows;
  }
  if (first_bad < 0) return good;
  const std::string what =
      fmt::format("{}: {} of {} rows cannot be used; the first: row {}: {}", path,
                  all.rows - good.rows, all.rows, first_bad, defect_of(all.row(first_bad)));
  SGOOD_CHECK(leave_out, "{}", what);
  session.say(what);
  return good;
}

std::vector<Decision> decide(const ArrayModel& model, const Matrix& rows, int threads) {
  std::vector<Decision> decisions(static_cast<std::size_t>(rows.rows));
  parallel_for(rows.rows, threads, [&](std::int64_t r) {
    if (defect_of(rows.row(r)).empty())
      decisions[static_cast<std::size_t>(r)] = model.score(rows.row(r));
  });
  return decisions;
}

}  // namespace

CLI::Option* add_array_options(CLI::App& command, ArrayOptions& options) {
  std::vector<std::string> names;
  for (const ArrayMethod& row : array_methods()) names.push_back(row.name);
  CLI::Option* features = command.add_option(
      "--features", options.features,
      "In place of a model: embeddings or logits of training rows, a .npy array [rows, width]");
  CLI::Option* test =
      command.add_option("--test", options.test, "With --features: the array of rows to score");
  features->needs(test);
  test->needs(features);
  const auto add = [&](const char* name, auto& target, const std::string& help) {
    return command.add_option(name, target, fmt::format("With --features: {}", help))
        ->needs(features);
  };
  add("--method", options.settings.method, fmt::format("{}", fmt::join(names, ", ")))
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  add("--calibration", options.calibration,
      "the array of other in-distribution rows for threshold and p-values");
  add("--validation", options.settings.validation,
      "share of the training rows held out for threshold and p-values")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  add("--seed", options.settings.seed, "chooses the rows that are held out")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  add("--set", options.set,
      "an option of the method, key=value; repeatable (knn: k, normalize; msp, energy: "
      "temperature; mahalanobis: as for graphs)")
      ->allow_extra_args(false);
  return features;
}

void score_arrays(const ArrayOptions& options, const DataOptions& read,
                  std::optional<double> alarm_rate, const AnswerOptions& answer, Session& session) {
  const std::string& labels = read.read.label_column;
  const bool labelled = !labels.empty() && labels != "none";
  check_output(answer.output, {options.features, options.test, options.calibration, labels});
  ArraySettings settings = options.settings;
  settings.options = parse_settings(options.set);
  if (alarm_rate) settings.alarm_rate = *alarm_rate;

  // Classes and rows stand in two files: rows that are left out would shift one against the other.
  const bool skip = read.on_error == "skip";
  const Matrix train = read_rows(options.features, skip && !labelled, session);
  std::vector<std::int64_t> classes;
  if (labelled) classes = read_classes(labels, train.rows);
  std::optional<Matrix> calibration;
  if (!options.calibration.empty()) calibration = read_rows(options.calibration, skip, session);
  const ArrayModel model =
      ArrayModel::fit(train, classes, settings, calibration ? &*calibration : nullptr);

  const double smallest = model.calibration().smallest_alarm_rate();
  if (settings.alarm_rate < smallest)
    session.say(fmt::format(
        "{} rows are too few for an alarm rate of {:g}: nothing will be called OOD. The "
        "smallest rate is {:.3g}; see --alarm-rate, --validation and --calibration",
        model.calibration().scores().size(), settings.alarm_rate, smallest));

  const Matrix test = read_npy(options.test).matrix();
  SGOOD_CHECK(test.cols == model.width(), "{}: the rows have {} columns but those of {} have {}",
              options.test, test.cols, options.features, model.width());
  if (read.on_error == "fail") read_rows(options.test, false, session);
  const std::vector<Decision> decisions = decide(model, test, read.read.threads);
  DecisionRows rows(answer);
  for (std::int64_t r = 0; r < test.rows; ++r) {
    const std::string defect = defect_of(test.row(r));
    if (defect.empty())
      rows.add(std::to_string(r), decisions[static_cast<std::size_t>(r)]);
    else if (!skip)
      rows.add_unreadable(std::to_string(r), defect);
  }
  rows.finish(session, "rows");
}

}  // namespace sgood::cli

// SPDX-License-Identifier: MIT
#include "sgood/detectors/array_model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hold_out.h"
#include "sgood/core/error.h"
#include "sgood/detectors/mahalanobis.h"
#include "sgood/detectors/network_options.h"
#include "sgood/detectors/posthoc.h"

namespace sgood {
namespace {

/// A score of logits, which learns nothing.
template <double (*formula)(std::span<const double>, double)>
class LogitScore : public ArrayScore {
 public:
  OptionTable options() override {
    OptionTable t;
    t.add("temperature", &temperature_, 1e-3, 1e6, "Divides the logits (T).");
    return t;
  }
  void fit(const Matrix&, std::span<const std::int32_t>) override {}
  double score(std::span<const double> row) const override { return formula(row, temperature_); }

 private:
  double temperature_ = 1;
};

std::vector<double> prepared(std::span<const double> row, bool normalize) {
  std::vector<double> z(row.begin(), row.end());
  if (normalize) normalize_length(z);
  return z;
}

Matrix prepared(Matrix rows, bool normalize) {
  if (normalize)
    for (std::int64_t r = 0; r < rows.rows; ++r) normalize_length(rows.row(r));
  return rows;
}

template <bool relative>
class DistanceScore : public ArrayScore {
 public:
  DistanceScore() {
    options_.relative = relative;
    options_.normalize = false;
  }
  OptionTable options() override {
    OptionTable t;
    options_.add_to(t);
    return t;
  }
  void fit(const Matrix& rows, std::span<const std::int32_t> classes) override {
    distance_.emplace(prepared(rows, options_.normalize), classes,
                      1 + *std::max_element(classes.begin(), classes.end()),
                      options_.mahalanobis());
  }
  double score(std::span<const double> row) const override {
    return distance_->score(prepared(row, options_.normalize));
  }

 private:
  DistanceOptions options_;
  std::optional<MahalanobisScore> distance_;
};

/// Mean Euclidean distance to the k nearest rows. Reference: Sun et al., 2022.
/// Deviation: the mean of the k smallest distances and not the k-th, as in stats-knn and wl-knn.
class KnnScore : public ArrayScore {
 public:
  OptionTable options() override {
    OptionTable t;
    t.add("k", &k_, 1, 1000000, "Nearest rows whose mean distance is the score.");
    t.add("normalize", &normalize_, "Scales rows to length 1 before the distance.");
    return t;
  }
  void fit(const Matrix& rows, std::span<const std::int32_t>) override {
    rows_ = prepared(rows, normalize_);
  }
  double score(std::span<const double> row) const override {
    const std::vector<double> z = prepared(row, normalize_);
    std::vector<double> distances;
    for (std::int64_t r = 0; r < rows_.rows; ++r) {
      double square = 0;
      const std::span<const double> other = rows_.row(r);
      for (std::size_t i = 0; i < z.size(); ++i) square += (z[i] - other[i]) * (z[i] - other[i]);
      distances.push_back(std::sqrt(square));
    }
    return nearest_mean(distances, k_);
  }

 private:
  int k_ = 5;
  bool normalize_ = true;
  Matrix rows_;
};

template <typename Score>
std::unique_ptr<ArrayScore> make() {
  return std::make_unique<Score>();
}

const ArrayMethod& method_called(std::string_view name) {
  std::vector<std::string> names;
  for (const ArrayMethod& row : array_methods()) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  throw InvalidArgument(fmt::format("there is no method '{}' for arrays; known are {}", name,
                                    fmt::join(names, ", ")));
}

/// Places of `classes` among their distinct values in ascending order.
std::vector<std::int32_t> dense_classes(std::span<const std::int64_t> classes) {
  std::vector<std::int64_t> distinct(classes.begin(), classes.end());
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<std::int32_t> places;
  for (const std::int64_t c : classes)
    places.push_back(static_cast<std::int32_t>(
        std::lower_bound(distinct.begin(), distinct.end(), c) - distinct.begin()));
  return places;
}

template <typename T>
std::vector<T> at(std::span<const T> values, std::span<const std::int32_t> positions) {
  std::vector<T> chosen;
  for (const std::int32_t i : positions) chosen.push_back(values[static_cast<std::size_t>(i)]);
  return chosen;
}

Matrix rows_at(const Matrix& rows, std::span<const std::int32_t> positions) {
  Matrix chosen(std::ssize(positions), rows.cols);
  for (std::int64_t r = 0; r < chosen.rows; ++r)
    std::ranges::copy(rows.row(positions[static_cast<std::size_t>(r)]), chosen.row(r).begin());
  return chosen;
}

void check_rows(const Matrix& rows, std::int64_t width, std::string_view name) {
  SGOOD_CHECK(rows.rows >= 1 && rows.cols >= 1, "the {} rows are {} by {} but need one at least",
              name, rows.rows, rows.cols);
  SGOOD_CHECK(rows.cols == width, "the {} rows have {} columns but must have {}", name, rows.cols,
              width);
  for (std::int64_t r = 0; r < rows.rows; ++r)
    SGOOD_CHECK(std::ranges::all_of(rows.row(r), [](double x) { return std::isfinite(x); }),
                "{} row {} (from 0) holds a number that is not finite", name, r);
}

}  // namespace

const std::vector<ArrayMethod>& array_methods() {
  static const std::vector<ArrayMethod> rows = {
      {"msp", "Logits: how far the largest class probability is from 1.", true, false,
       make<LogitScore<max_softmax_score>>},
      {"energy", "Logits: free energy.", true, false, make<LogitScore<energy_score>>},
      {"mahalanobis", "Embeddings: Mahalanobis distance to the closest class.", false, true,
       make<DistanceScore<false>>},
      {"relative-mahalanobis", "Embeddings: the same less the distance to all classes as one.",
       false, true, make<DistanceScore<true>>},
      {"knn", "Embeddings: mean distance to the nearest rows.", false, false, make<KnnScore>},
  };
  return rows;
}

ArrayModel ArrayModel::fit(const Matrix& rows, std::span<const std::int64_t> classes,
                           const ArraySettings& settings, const Matrix* calibration) {
  ArrayModel model;
  model.method_ = &method_called(settings.method);
  model.score_ = model.method_->make();
  const OptionTable options = model.score_->options();
  for (const auto& [name, value] : settings.options) options.set(name, value);
  SGOOD_CHECK(settings.alarm_rate > 0 && settings.alarm_rate < 1,
              "alarm_rate is {} but must be between 0 and 1", settings.alarm_rate);
  model.alarm_rate_ = settings.alarm_rate;
  model.width_ = rows.cols;
  check_rows(rows, rows.cols, "training");
  SGOOD_CHECK(rows.rows <= std::numeric_limits<std::int32_t>::max(),
              "there are {} training rows but may be at most 2^31 - 1", rows.rows);
  if (calibration != nullptr) check_rows(*calibration, rows.cols, "calibration");
  SGOOD_CHECK(!classes.empty() || !model.method_->needs_classes,
              "{} needs the class of every training row", settings.method);
  SGOOD_CHECK(classes.empty() || std::ssize(classes) == rows.rows,
              "there are {} classes but {} training rows", classes.size(), rows.rows);

  const std::vector<std::int32_t> places = dense_classes(classes);
  Matrix held_out;
  if (calibration != nullptr) {
    model.score_->fit(rows, places);
  } else {
    const HoldOut parts =
        hold_out(static_cast<std::int32_t>(rows.rows), settings.validation, settings.seed, "rows");
    const std::span<const std::int32_t> all(places);
    model.score_->fit(rows_at(rows, parts.train), places.empty() ? places : at(all, parts.train));
    held_out = rows_at(rows, parts.held_out);
    calibration = &held_out;
  }
  std::vector<double> scores;
  for (std::int64_t r = 0; r < calibration->rows; ++r)
    scores.push_back(model.score_->score(calibration->row(r)));
  model.calibration_.emplace(std::move(scores));
  return model;
}

Decision ArrayModel::score(std::span<const double> row) const {
  SGOOD_CHECK(std::ssize(row) == width_, "the row has {} columns but must have {}", row.size(),
              width_);
  SGOOD_CHECK(std::ranges::all_of(row, [](double x) { return std::isfinite(x); }),
              "the row holds a number that is not finite");
  Decision decision;
  decision.score = score_->score(row);
  decision.p_value = calibration_->p_value(decision.score);
  decision.is_ood = calibration_->is_ood(decision.score, alarm_rate_);
  if (method_->reads_logits) {
    const ClassGuess guess = guess_class(row);
    decision.predicted = std::to_string(guess.predicted);
    decision.probability = guess.probability;
  }
  return decision;
}

}  // namespace sgood

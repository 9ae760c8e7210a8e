// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sgood {

/// How many of `ascending` are below `value`; equal ones, within 1e-12, count half.
double mid_rank(const std::vector<double>& ascending, double value);

/// Puts the scores of several views on one scale, by what they are for training graphs.
class ViewCalibration {
 public:
  ViewCalibration() = default;
  /// `scores` [views][graphs] are finite, with at least one graph; a view whose deviation is below
  /// 1e-9 gets `smallest` instead.
  ViewCalibration(std::vector<std::vector<double>> scores, double smallest, bool fisher);

  /// What each view adds to the score of a graph; `scores` [views].
  std::vector<double> contributions(std::span<const double> scores) const;
  /// The sum of contributions().
  double score(std::span<const double> scores) const;

  /// Of the training graphs, [views][graphs], as given.
  const std::vector<std::vector<double>>& training() const { return training_; }
  /// Scores of the training graphs, [graphs].
  std::vector<double> training_scores() const;
  double mean(std::size_t view) const { return views_[view].mean; }
  double deviation(std::size_t view) const { return views_[view].deviation; }

 private:
  struct View {
    std::vector<double> ascending;
    double mean = 0;
    double deviation = 1;  ///< Population deviation.
  };

  double contribution(const View& view, double score) const;

  std::vector<std::vector<double>> training_;
  std::vector<View> views_;
  bool fisher_ = false;
};

}  // namespace sgood

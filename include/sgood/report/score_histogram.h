// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace sgood {

/// Scores to draw over each other.
struct ScoreHistogram {
  std::string title;
  std::span<const double> id_scores;        ///< At least one.
  std::span<const double> ood_scores;       ///< At least one.
  double threshold = 0;                     ///< Drawn as a line when finite.
  std::string id_name = "in distribution";  ///< For the legend.
  std::string ood_name = "out of distribution";
};

/// Draws both groups as histograms with shared bins (heights are shares of each group) through
/// gnuplot. The file's extension chooses the format: .svg or .png. Throws Unavailable without
/// gnuplot and IoError when the file cannot be written.
void write_score_histogram(const std::filesystem::path& path, const ScoreHistogram& histogram);

}  // namespace sgood

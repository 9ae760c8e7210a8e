// SPDX-License-Identifier: MIT
#include "sgood/report/score_histogram.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sgood/core/error.h"
#include "src/report/gnuplot.h"

namespace sgood {
namespace {

constexpr int kBins = 40;

std::vector<double> shares(std::span<const double> scores, double low, double width) {
  std::vector<double> bins(kBins, 0.0);
  for (const double s : scores) {
    const int bin = std::clamp(static_cast<int>((s - low) / width), 0, kBins - 1);
    bins[static_cast<std::size_t>(bin)] += 100.0 / static_cast<double>(scores.size());
  }
  return bins;
}

std::string script(const ScoreHistogram& h) {
  std::vector<double> all(h.id_scores.begin(), h.id_scores.end());
  all.insert(all.end(), h.ood_scores.begin(), h.ood_scores.end());
  std::sort(all.begin(), all.end());
  // The last bin collects the top half percent, so that one extreme score does not flatten the
  // rest.
  const double low = all.front();
  const double high = std::max(
      all[static_cast<std::size_t>(0.995 * static_cast<double>(all.size() - 1))], low + 1e-9);
  const double width = (high - low) / kBins;
  const std::vector<double> id = shares(h.id_scores, low, width);
  const std::vector<double> ood = shares(h.ood_scores, low, width);

  std::string text = fmt::format(
      "set title {}\n"
      "set xlabel 'score (higher = more out of distribution)'\nset ylabel 'share of graphs (%)'\n"
      "set style fill transparent solid 0.5 noborder\nset key top right\nset boxwidth {}\n"
      "set grid ytics lt 1 lc rgb '#e0e0e0'\nset border 3\nset tics nomirror\n",
      gnuplot_text(h.title), width);
  if (std::isfinite(h.threshold))
    text += fmt::format(
        "set arrow from {0},graph 0 to {0},graph 1 nohead dt 2 lc rgb '#444444'\n"
        "set label 'threshold' at {0},graph 0.97 offset 0.5,0 tc rgb '#444444'\n",
        h.threshold);
  text += fmt::format(
      "plot '-' with boxes lc rgb '{}' title {}, '-' with boxes lc rgb '{}' title {}\n", kBlue,
      gnuplot_text(fmt::format("{} (n = {})", h.id_name, h.id_scores.size())), kOrange,
      gnuplot_text(fmt::format("{} (n = {})", h.ood_name, h.ood_scores.size())));
  for (const auto* bins : {&id, &ood}) {
    for (int b = 0; b < kBins; ++b)
      text += fmt::format("{} {}\n", low + (b + 0.5) * width, (*bins)[static_cast<std::size_t>(b)]);
    text += "e\n";
  }
  return text;
}

}  // namespace

void write_score_histogram(const std::filesystem::path& path, const ScoreHistogram& histogram) {
  SGOOD_CHECK(!histogram.id_scores.empty() && !histogram.ood_scores.empty(),
              "a histogram needs scores of both groups, not {} ID and {} OOD",
              histogram.id_scores.size(), histogram.ood_scores.size());
  draw_with_gnuplot(path, {800, 450}, script(histogram));
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
// wl-density as its formulas say: every graph against every other, feature by feature.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sgood/detectors/wl_density.h"
#include "sgood/graph/graph_set.h"
#include "sgood/graph/subgraph.h"
#include "sgood/graph/wl_colours.h"

namespace sgood::testing {

/// A colour and the number of its occurrence, 1, 2, ...
using UnaryFeature = std::pair<std::uint64_t, int>;
using UnaryFeatures = std::set<UnaryFeature>;

/// Node columns that are read; of the choices in words, only those that a test needs.
inline std::vector<std::int32_t> plain_columns(const Graph& graph, const std::string& columns) {
  if (columns == "none") return {};
  if (columns == "first") return {0};
  if (columns != "all") return {std::stoi(columns)};
  std::vector<std::int32_t> all(static_cast<std::size_t>(graph.num_label_columns()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// [blocks] of the graph or of its 2-core.
inline std::vector<UnaryFeatures> plain_blocks(const Graph& graph, const WlLabels& labels,
                                               int depth) {
  std::vector<UnaryFeatures> blocks;
  for (const auto& colours : wl_colours(graph, depth, labels)) {
    std::map<std::uint64_t, int> counts;
    UnaryFeatures& features = blocks.emplace_back();
    for (const std::uint64_t colour : colours) features.insert({colour, ++counts[colour]});
  }
  return blocks;
}

/// Blocks of a view that is not "size".
inline std::vector<UnaryFeatures> plain_view(const Graph& graph, const std::string& view,
                                             const WlDensityOptions& options) {
  const std::vector<std::int32_t> columns = plain_columns(graph, options.columns);
  const WlLabels rich{columns, options.edge_labels && graph.num_edge_columns() > 0};
  if (view == "whole") return plain_blocks(graph, rich, options.depth);
  const Graph core = induced_subgraph(graph, two_core(graph));
  std::vector<UnaryFeatures> blocks =
      plain_blocks(core, {columns, rich.edges && core.num_edges() > 0}, options.depth);
  if (!rich.edges && columns.size() < 2) return blocks;
  const std::vector<std::int32_t> first(columns.begin(), columns.begin() + !columns.empty());
  for (UnaryFeatures& block : plain_blocks(core, {first, false}, options.depth))
    blocks.push_back(std::move(block));
  return blocks;
}

/// Distance of each graph of `graphs` to each of `others`, feature by feature, with weights from
/// `train`.
inline std::vector<std::vector<double>> plain_distances(const GraphSet& train,
                                                        const GraphSet& graphs,
                                                        const GraphSet& others,
                                                        const std::string& view,
                                                        const WlDensityOptions& options) {
  const std::size_t n = train.graphs.size(), m = others.graphs.size();
  std::vector<std::vector<double>> sum(graphs.graphs.size(), std::vector<double>(m));
  double parts = 0;
  if (view != "core") {
    ++parts;
    for (std::size_t i = 0; i < sum.size(); ++i)
      for (std::size_t j = 0; j < m; ++j) {
        const auto [low, high] =
            std::minmax({graphs.graphs[i].num_nodes(), others.graphs[j].num_nodes()});
        sum[i][j] += high == 0 ? 0 : 1 - double(low) / high;
      }
  }
  if (view != "size") {
    std::vector<std::vector<UnaryFeatures>> of_train, of_graphs, of_others;
    for (const Graph& graph : train.graphs) of_train.push_back(plain_view(graph, view, options));
    for (const Graph& graph : others.graphs) of_others.push_back(plain_view(graph, view, options));
    for (const Graph& graph : graphs.graphs) of_graphs.push_back(plain_view(graph, view, options));
    for (std::size_t b = 0; b < of_train[0].size(); ++b) {
      ++parts;
      std::map<UnaryFeature, double> df;
      for (const auto& blocks : of_train)
        for (const UnaryFeature& f : blocks[b]) ++df[f];
      const auto weight = [&](const UnaryFeature& f) {
        if (!options.idf) return 1.0;
        const auto found = df.find(f);
        return std::log(double(n + 1) / ((found == df.end() ? 0 : found->second) + 0.5)) + 0.1;
      };
      for (std::size_t i = 0; i < sum.size(); ++i)
        for (std::size_t j = 0; j < m; ++j) {
          const UnaryFeatures &x = of_graphs[i][b], &y = of_others[j][b];
          double common = 0, all = 0;
          for (const UnaryFeature& f : x) (y.contains(f) ? common : all) += weight(f);
          for (const UnaryFeature& f : y) all += weight(f);
          sum[i][j] += all > 0 ? 1 - common / all : 0;
        }
    }
  }
  for (auto& row : sum)
    for (double& d : row) d /= parts;
  return sum;
}

inline double plain_soft_minimum(const std::vector<double>& distances, double tau,
                                 std::optional<std::size_t> left_out = {}) {
  double least = 2, sum = 0, count = 0;
  for (std::size_t j = 0; j < distances.size(); ++j)
    if (j != left_out) least = std::min(least, distances[j]);
  for (std::size_t j = 0; j < distances.size(); ++j)
    if (j != left_out) {
      sum += std::exp(-(distances[j] - least) / tau);
      ++count;
    }
  return least - tau * std::log(sum / count);
}

/// Scores of `graphs` after a fit to `train`, at most 1000 graphs.
inline std::vector<double> plain_scores(const GraphSet& train, const GraphSet& graphs,
                                        const WlDensityOptions& options) {
  std::vector<double> scores(graphs.graphs.size());
  for (const std::string view : {"size", "whole", "core"}) {
    if (options.views.find(view) == std::string::npos) continue;
    std::vector<double> training;
    const auto own = plain_distances(train, train, train, view, options);
    for (std::size_t j = 0; j < own.size(); ++j)
      training.push_back(plain_soft_minimum(own[j], options.tau, j));
    const double n = double(training.size());
    const double mean = std::accumulate(training.begin(), training.end(), 0.0) / n;
    double squares = 0;
    for (const double s : training) squares += (s - mean) * (s - mean);
    const double deviation = std::sqrt(squares / n);
    const auto rest = plain_distances(train, graphs, train, view, options);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const double s = plain_soft_minimum(rest[i], options.tau);
      if (options.combine == "clip") {
        scores[i] += std::max((s - mean) / deviation, -1.0);
        continue;
      }
      double rank = 0;
      for (const double t : training) rank += t < s - 1e-12 ? 1 : t <= s + 1e-12 ? 0.5 : 0;
      const double largest = *std::ranges::max_element(training);
      scores[i] += std::max(s - largest, 0.0) / deviation - std::log((n - rank + 0.5) / (n + 1));
    }
  }
  return scores;
}

/// How many values are below values[i], and half of those that equal it.
inline double plain_mid_rank(const std::vector<double>& values, std::size_t i) {
  double rank = 0;
  for (const double v : values)
    rank += v < values[i] - 1e-12 ? 1 : v <= values[i] + 1e-12 ? 0.5 : 0;
  return rank;
}

/// Log density ratios of `graphs`, two at least, in view "whole".
inline std::vector<double> plain_ratios(const GraphSet& train, const GraphSet& graphs,
                                        const WlDensityOptions& options) {
  const auto to_train = plain_distances(train, graphs, train, "whole", options);
  const auto to_batch = plain_distances(train, graphs, graphs, "whole", options);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < to_batch.size(); ++i) {
    double near_train = 0, near_batch = 0;
    for (const double d : to_train[i])
      near_train += std::exp(-d / 0.2) / double(to_train[i].size());
    for (std::size_t j = 0; j < to_batch.size(); ++j)
      if (j != i) near_batch += std::exp(-to_batch[i][j] / 0.2) / double(to_batch.size() - 1);
    ratios.push_back(std::log(near_batch) - std::log(near_train));
  }
  return ratios;
}

/// Batch scores of graphs with these scores and ratios, `training` being the scores of the training
/// graphs.
inline std::vector<double> plain_batch_scores(const std::vector<double>& training,
                                              const std::vector<double>& scores,
                                              const std::vector<double>& ratios) {
  double usual = 0;  // graphs with a p-value above a half
  for (const double score : scores) {
    const auto as_high = std::ranges::count_if(training, [&](double t) { return t >= score; });
    if (2 * (1 + as_high) > std::ssize(training) + 1) ++usual;
  }
  const double share = std::clamp(1 - 2 * usual / double(scores.size()), 0.0, 0.5);
  std::vector<double> batch_scores;
  for (std::size_t i = 0; i < scores.size(); ++i)
    batch_scores.push_back(
        ((1 - share) * plain_mid_rank(scores, i) + share * plain_mid_rank(ratios, i)) /
        double(scores.size()));
  return batch_scores;
}

}  // namespace sgood::testing

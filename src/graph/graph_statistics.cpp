// SPDX-License-Identifier: MIT
#include "sgood/graph/graph_statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sgood/core/error.h"

namespace sgood {
namespace {

struct DegreeMoments {
  double mean = 0;
  double deviation = 0;  // of the population
  double largest = 0;
};

DegreeMoments degree_moments(const Graph& graph) {
  std::vector<double> degrees;
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) degrees.push_back(graph.degree(v));
  // Ascending, so that node numbering cannot change a rounding.
  std::sort(degrees.begin(), degrees.end());
  DegreeMoments moments;
  moments.mean = 2.0 * graph.num_edges() / graph.num_nodes();
  moments.largest = degrees.back();
  double squares = 0;
  for (const double d : degrees) squares += (d - moments.mean) * (d - moments.mean);
  moments.deviation = std::sqrt(squares / graph.num_nodes());
  return moments;
}

}  // namespace

double edge_density(const Graph& graph) {
  const double n = graph.num_nodes();
  return n < 2 ? 0 : 2.0 * graph.num_edges() / (n * (n - 1));
}

std::int64_t count_triangles(const Graph& graph) {
  std::int64_t corners = 0;
  for (std::int32_t u = 0; u < graph.num_nodes(); ++u)
    for (const std::int32_t v : graph.neighbors(u)) {
      if (v < u) continue;
      const bool u_is_smaller = graph.degree(u) <= graph.degree(v);
      const std::int32_t far = u_is_smaller ? v : u;
      for (const std::int32_t w : graph.neighbors(u_is_smaller ? u : v))
        if (graph.has_edge(far, w)) ++corners;
    }
  return corners / 3;
}

std::array<double, kGraphStatistics.size()> graph_statistics(const Graph& graph,
                                                             const Partition& pieces) {
  SGOOD_CHECK(graph.num_nodes() == pieces.num_nodes(),
              "the partition has {} nodes but the graph has {}", pieces.num_nodes(),
              graph.num_nodes());
  if (graph.num_nodes() == 0) return {};
  const double n = graph.num_nodes(), m = graph.num_edges();
  const std::vector<std::int32_t> one_group(static_cast<std::size_t>(graph.num_nodes()), 0);
  const double components = connected_parts(graph, one_group).num_blocks();
  const DegreeMoments degree = degree_moments(graph);
  return {std::log(n),
          std::log1p(m),
          degree.mean,
          degree.largest,
          degree.deviation,
          std::log1p(m - n + components),
          std::log1p(static_cast<double>(count_triangles(graph))),
          edge_density(graph),
          std::log(pieces.num_blocks()),
          std::log(n / pieces.num_blocks()),
          components};
}

}  // namespace sgood

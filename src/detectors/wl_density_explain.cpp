// SPDX-License-Identifier: MIT
#include <algorithm>

#include "nearest_graphs.h"
#include "sgood/core/error.h"
#include "sgood/detectors/wl_density.h"
#include "wl_density_fitted.h"

namespace sgood {
namespace {

/// Nodes of the graph that have `colour` in a block.
std::vector<std::int32_t> nodes_with(std::uint64_t colour, const GraphColours& graph,
                                     std::size_t block, bool core) {
  std::vector<std::int32_t> nodes;
  const std::vector<std::uint64_t>& colours = graph.colours[block];
  for (std::size_t i = 0; i < colours.size(); ++i)
    if (colours[i] == colour) nodes.push_back(core ? graph.core[i] : static_cast<std::int32_t>(i));
  return nodes;
}

}  // namespace

Explanation WlDensityDetector::explain(const Graph& graph, int nearest) const {
  SGOOD_CHECK(nearest >= 1, "nearest is {} but must be at least 1", nearest);
  const Fitted& training = fitted();
  const GraphColours colours = training.blocks.colours(graph);
  const GraphFeatures features = training.features(graph);
  const std::vector<double> scores = training.density.scores(features, options_.tau);
  const std::vector<double> contributions = training.calibration.contributions(scores);
  const auto distances = training.density.distances(features);

  Explanation result;
  result.node_weights.assign(static_cast<std::size_t>(graph.num_nodes()), 0);
  for (std::size_t v = 0; v < scores.size(); ++v) {
    const ViewPlan& view = training.density.views()[v];
    result.score += contributions[v];
    result.terms.push_back({view.name, scores[v], contributions[v],
                            nearest_graphs(distances[v], training.ids, nearest)});
    const NearGraph& nearest_one = result.terms.back().nearest[0];
    if (contributions[v] <= 0) continue;
    result.elsewhere += contributions[v];
    for (const std::int32_t part : view.parts) {
      if (part == 0) continue;
      const auto b = static_cast<std::size_t>(part - 1);
      const Block& block = training.blocks.blocks()[b];
      for (const MinMaxIndex::Excess& excess : training.density.block(part).excess(
               features.blocks[b], training.density.profile(part, nearest_one.position))) {
        UnusualPart unusual{block_name(block), block.depth,
                            nodes_with(excess.colour.colour, colours, b, block.core),
                            excess.in_profile, excess.training_graphs};
        unusual.weight = contributions[v] * excess.share /
                         (nearest_one.distance * static_cast<double>(view.parts.size()));
        for (const std::int32_t node : unusual.nodes)
          result.node_weights[static_cast<std::size_t>(node)] +=
              unusual.weight / static_cast<double>(unusual.nodes.size());
        result.elsewhere -= unusual.weight;
        result.parts.push_back(std::move(unusual));
      }
    }
  }
  std::ranges::stable_sort(result.terms, std::ranges::greater(), &ScoreTerm::contribution);
  std::ranges::stable_sort(result.parts, std::ranges::greater(), &UnusualPart::weight);
  return result;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "src/augment/view_graph.h"
#include "src/augment/views.h"

namespace sgood {
namespace {

/// SA. Keeps the subgraph induced by ceil((1 - ratio) * n) of n nodes (at least 1), grown from a
/// random node: each step adds one of the nodes next to those kept so far, each equally likely.
/// When a component is used up, growth starts again at a random node elsewhere. Kept nodes keep
/// their blocks; a block may fall apart, or vanish with its last node.
/// Deviation: published code for this augmentation throws the grown frontier away and so walks only
/// among the neighbours of the first node.
class SubgraphSample final : public Augmentation {
 public:
  explicit SubgraphSample(double ratio) : ratio_(ratio) {}

  void write_view(const PackedGraph& graph, Rng& rng, BatchWriter& writer) const override {
    const std::int32_t n = graph.num_nodes();
    // Rounding errors must not add a node: 0.3 * 10 may come out slightly above 3.
    const auto wanted = static_cast<std::int32_t>(std::ceil((1 - ratio_) * n - 1e-9));
    if (n < 2 || wanted == n) return writer.append(graph);
    writer.append(induced_subgraph(graph, grown(graph, std::max(wanted, 1), rng)));
  }

 private:
  /// Marks `wanted` nodes.
  static std::vector<char> grown(const PackedGraph& graph, std::int32_t wanted, Rng& rng) {
    const std::int32_t n = graph.num_nodes();
    std::vector<char> kept(static_cast<std::size_t>(n), 0);
    std::vector<char> met = kept;  // kept, or in the frontier
    std::vector<std::int32_t> frontier;
    const auto meet = [&](std::int32_t v) {
      char& before = met[static_cast<std::size_t>(v)];
      if (!before) frontier.push_back(v);
      before = 1;
    };
    const std::vector<std::int32_t> starts = rng.sample(n, n);
    for (auto start = starts.begin(); wanted > 0; --wanted) {
      while (frontier.empty()) meet(*start++);
      std::swap(frontier[rng.below(frontier.size())], frontier.back());
      const auto v = static_cast<std::size_t>(frontier.back());
      frontier.pop_back();
      kept[v] = 1;
      for (std::int32_t e = graph.row_ptr[v]; e < graph.row_ptr[v + 1]; ++e)
        meet(graph.col[static_cast<std::size_t>(e)]);
    }
    return kept;
  }

  double ratio_;
};

}  // namespace

std::unique_ptr<Augmentation> make_subgraph_sample(const AugmentationContext& context) {
  return std::make_unique<SubgraphSample>(context.ratio);
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "src/augment/view_graph.h"
#include "src/augment/views.h"

namespace sgood {
namespace {

/// ND. Of n nodes, round(ratio * n) chosen at random (at least 1, at most n - 1) are dropped with
/// their edges. The rest keep their blocks; a block may fall apart, or vanish with its last node. A
/// graph of one node is its own view.
/// Deviation: published code for this augmentation leaves the nodes in the graph and cuts their
/// edges, and changes nothing where ratio * n < 1.
class NodeDrop final : public Augmentation {
 public:
  explicit NodeDrop(double ratio) : ratio_(ratio) {}

  void write_view(const PackedGraph& graph, Rng& rng, BatchWriter& writer) const override {
    const std::int32_t n = graph.num_nodes();
    if (n < 2) return writer.append(graph);
    std::vector<char> keep(static_cast<std::size_t>(n), 1);
    for (const std::int64_t v : random_subset(n, changed_count(ratio_, n, n - 1), rng))
      keep[static_cast<std::size_t>(v)] = 0;
    writer.append(induced_subgraph(graph, keep));
  }

 private:
  double ratio_;
};

}  // namespace

std::unique_ptr<Augmentation> make_node_drop(const AugmentationContext& context) {
  return std::make_unique<NodeDrop>(context.ratio);
}

}  // namespace sgood

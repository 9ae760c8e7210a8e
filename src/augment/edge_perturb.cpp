// SPDX-License-Identifier: MIT
#include <algorithm>

#include "src/augment/view_graph.h"
#include "src/augment/views.h"

namespace sgood {
namespace {

/// The neighbours u > v of `v`, ascending.
std::span<const std::int32_t> later_neighbors(const PackedGraph& graph, std::int32_t v) {
  const auto row = static_cast<std::size_t>(v);
  const std::int32_t* first = graph.col.data() + graph.row_ptr[row];
  const std::int32_t* last = graph.col.data() + graph.row_ptr[row + 1];
  return {std::upper_bound(first, last, v), last};
}

/// Of all absent edges u < v, in lexicographic order, those at `ranks`, ascending.
std::vector<DirectedEdge> absent_edges(const PackedGraph& graph,
                                       std::span<const std::int64_t> ranks) {
  std::vector<DirectedEdge> edges;
  std::int64_t row_start = 0;  // rank of the first absent edge of u
  auto rank = ranks.begin();
  for (std::int32_t u = 0; rank != ranks.end(); ++u) {
    const auto present = later_neighbors(graph, u);
    const std::int64_t row_end =
        row_start + graph.num_nodes() - 1 - u - static_cast<std::int64_t>(present.size());
    for (; rank != ranks.end() && *rank < row_end; ++rank) {
      auto v = u + 1 + static_cast<std::int32_t>(*rank - row_start);
      for (const std::int32_t w : present) v += w <= v;
      edges.push_back({u, v});
    }
    row_start = row_end;
  }
  return edges;
}

/// EP. Of m edges, round(ratio * m) chosen at random (at least 1) are deleted, and as many of the
/// pairs that the graph does not join (all of them when there are fewer) become edges. Nodes,
/// features and blocks stay. A graph without edges, or whose only edge joins its only nodes, is its
/// own view.
/// Deviation: published code for this augmentation only deletes, and changes nothing where
/// ratio * m < 1; here the number of edges stays, as the word "perturbation" says.
class EdgePerturb final : public Augmentation {
 public:
  explicit EdgePerturb(double ratio) : ratio_(ratio) {}

  void write_view(const PackedGraph& graph, Rng& rng, BatchWriter& writer) const override {
    const std::int64_t n = graph.num_nodes();
    const auto num_edges = static_cast<std::int32_t>(graph.col.size() / 2);
    const std::int64_t num_absent = n * (n - 1) / 2 - num_edges;
    // A complete graph gains no edge, so one must stay.
    const std::int32_t limit = num_absent > 0 ? num_edges : num_edges - 1;
    if (limit < 1) return writer.append(graph);

    const std::int32_t count = changed_count(ratio_, num_edges, limit);
    const auto deleted = random_subset(num_edges, count, rng);
    const auto added = random_subset(num_absent, std::min<std::int64_t>(count, num_absent), rng);
    std::vector<DirectedEdge> edges = absent_edges(graph, added);
    std::int64_t rank = 0;
    auto next_deleted = deleted.begin();
    for (std::int32_t u = 0; u < graph.num_nodes(); ++u)
      for (const std::int32_t v : later_neighbors(graph, u))
        if (next_deleted != deleted.end() && *next_deleted == rank++)
          ++next_deleted;
        else
          edges.push_back({u, v});
    writer.append(with_edges(graph, std::move(edges)));
  }

 private:
  double ratio_;
};

}  // namespace

std::unique_ptr<Augmentation> make_edge_perturb(const AugmentationContext& context) {
  return std::make_unique<EdgePerturb>(context.ratio);
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "src/augment/views.h"

namespace sgood {
namespace {

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

std::int32_t size_of(BlockRef ref) {
  const auto& ptr = ref.graph->block_ptr;
  return ptr[idx(ref.block) + 1] - ptr[idx(ref.block)];
}

/// Points each edge at a random node of [0, size) instead. Edges from the same node get different
/// ends; those for which no end is left are dropped.
void redirect(std::vector<DirectedEdge>& edges, std::int32_t size, Rng& rng) {
  std::sort(edges.begin(), edges.end());
  std::vector<std::int32_t> ends(idx(size));
  std::iota(ends.begin(), ends.end(), 0);
  std::size_t kept = 0;
  std::size_t used = 0;  // ends[0, used) are taken by the current node
  for (const DirectedEdge edge : edges) {
    if (kept == 0 || edges[kept - 1].from != edge.from) used = 0;
    if (used == ends.size()) continue;
    std::swap(ends[used], ends[used + rng.below(ends.size() - used)]);
    edges[kept++] = {edge.from, ends[used++]};
  }
  edges.resize(kept);
}

class SubstructureSubstitute final : public Augmentation {
 public:
  explicit SubstructureSubstitute(const AugmentationContext& context)
      : training_(context.training), ratio_(context.ratio) {
    for (const PackedGraph& graph : training_) {
      auto& pool = pools_[graph.label];
      first_piece_.push_back(pool.size());
      for (std::int32_t b = 0; b < graph.num_blocks(); ++b) pool.push_back({&graph, b});
    }
  }

  void write_view(const PackedGraph& graph, Rng& rng, BatchWriter& writer) const override {
    std::vector<std::int32_t> leaves;
    leaves.reserve(idx(graph.num_blocks()));
    for (std::int32_t b = 0; b < graph.num_blocks(); ++b)
      if (graph.super_row_ptr[idx(b) + 1] - graph.super_row_ptr[idx(b)] == 1) leaves.push_back(b);
    const Supply supply = supply_for(graph);
    if (leaves.empty() || supply.size() == 0) return writer.append(graph);

    const auto wanted = static_cast<std::size_t>(std::lround(ratio_ * graph.num_blocks()));
    const std::size_t count = std::min(leaves.size(), std::max<std::size_t>(wanted, 1));
    std::vector<BlockRef> substitutes(idx(graph.num_blocks()));
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(leaves[i], leaves[i + rng.below(leaves.size() - i)]);
      substitutes[idx(leaves[i])] = supply.draw(rng);
    }
    leaves.resize(count);
    writer.append_substituted(graph, substitutes, joints(graph, leaves, substitutes, rng));
  }

 private:
  using Pool = std::vector<BlockRef>;

  /// The pieces of one class without those of one graph, which lie side by side.
  struct Supply {
    std::span<const BlockRef> pieces;
    std::size_t own_first = 0;
    std::size_t own_count = 0;

    std::size_t size() const { return pieces.size() - own_count; }
    BlockRef draw(Rng& rng) const {
      const std::size_t i = rng.below(size());
      return pieces[i < own_first ? i : i + own_count];
    }
  };

  Supply supply_for(const PackedGraph& graph) const {
    const auto pool = pools_.find(graph.label);
    if (pool == pools_.end()) return {};
    // A training graph is known by its address; std::less compares any two of them.
    const PackedGraph* first = training_.data();
    const std::less<const PackedGraph*> before;
    if (before(&graph, first) || !before(&graph, first + training_.size())) return {pool->second};
    return {pool->second, first_piece_[static_cast<std::size_t>(&graph - first)],
            idx(graph.num_blocks())};
  }

  /// Edges between each substitute and the block that it hangs on. Deviation: the paper does not
  /// say how a substitute is attached; it gets as many edges as the piece before it, from the same
  /// outside nodes to random nodes of its own.
  static std::vector<DirectedEdge> joints(const PackedGraph& graph,
                                          std::span<const std::int32_t> leaves,
                                          std::span<const BlockRef> substitutes, Rng& rng) {
    std::vector<std::int32_t> start(substitutes.size() +
                                    1);  // first node of each block in the view
    for (std::size_t b = 0; b < substitutes.size(); ++b)
      start[b + 1] =
          start[b] + (substitutes[b].graph ? size_of(substitutes[b])
                                           : size_of({&graph, static_cast<std::int32_t>(b)}));
    std::vector<DirectedEdge> result;
    std::vector<DirectedEdge> edges;
    result.reserve(16);
    edges.reserve(16);
    for (const std::int32_t leaf : leaves) {
      const std::int32_t hub = graph.super_col[idx(graph.super_row_ptr[idx(leaf)])];
      const BlockRef hub_substitute = substitutes[idx(hub)];
      if (hub_substitute.graph && hub < leaf) continue;  // both ends are new: done from the hub
      const std::int32_t hub_start = graph.block_ptr[idx(hub)];
      edges.clear();
      for (std::int32_t v = graph.block_ptr[idx(leaf)]; v < graph.block_ptr[idx(leaf) + 1]; ++v)
        for (std::int32_t e = graph.row_ptr[idx(v)]; e < graph.row_ptr[idx(v) + 1]; ++e) {
          const std::int32_t u = graph.col[idx(e)];
          if (hub_start <= u && u < graph.block_ptr[idx(hub) + 1])
            edges.push_back({u - hub_start, 0});
        }
      redirect(edges, size_of(substitutes[idx(leaf)]), rng);
      if (hub_substitute.graph) {
        for (DirectedEdge& edge : edges) std::swap(edge.from, edge.to);
        redirect(edges, size_of(hub_substitute), rng);
        for (DirectedEdge& edge : edges) std::swap(edge.from, edge.to);
      }
      for (const auto& [in_hub, in_leaf] : edges) {
        const std::int32_t u = start[idx(hub)] + in_hub;
        const std::int32_t v = start[idx(leaf)] + in_leaf;
        result.push_back({u, v});
        result.push_back({v, u});
      }
    }
    std::sort(result.begin(), result.end());
    return result;
  }

  std::span<const PackedGraph> training_;
  double ratio_;
  std::map<std::optional<std::int32_t>, Pool> pools_;  // pieces of each class, graph after graph
  std::vector<std::size_t> first_piece_;  // [training] where a graph's pieces start in its pool
};

}  // namespace

std::unique_ptr<Augmentation> make_substructure_substitute(const AugmentationContext& context) {
  return std::make_unique<SubstructureSubstitute>(context);
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "sgood/core/cache.h"
#include "src/augment/views.h"

namespace sgood {
namespace {

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// The block itself, its neighbours, and padding: at least four entries.
const std::int32_t* super_list(const PackedGraph& graph, std::int32_t block) {
  const BatchSource::Lists lists = graph.source.super_lists();
  return lists.col + lists.row_ptr[block];
}

/// Points each edge at a random node of [0, size) instead; edges from one node must stand side by
/// side. They get different ends; those for which no end is left are dropped. Returns the edges
/// that are left; `ends` is scratch.
std::span<DirectedEdge> redirect(std::span<DirectedEdge> edges, std::int32_t size, Rng& rng,
                                 std::vector<std::int32_t>& ends) {
  ends.resize(idx(size));
  std::iota(ends.begin(), ends.end(), 0);
  std::size_t kept = 0;
  std::size_t used = 0;  // ends[0, used) are taken by the current node
  for (const DirectedEdge edge : edges) {
    if (kept == 0 || edges[kept - 1].from != edge.from) used = 0;
    if (used == ends.size()) continue;
    std::swap(ends[used], ends[used + rng.below(ends.size() - used)]);
    edges[kept++] = {edge.from, ends[used++]};
  }
  return edges.first(kept);
}

class SubstructureSubstitute final : public Augmentation {
 public:
  explicit SubstructureSubstitute(const AugmentationContext& context)
      : training_(context.training), ratio_(context.ratio) {
    for (const PackedGraph& graph : training_) {
      auto& pool = pools_[graph.label];
      first_piece_.push_back(pool.size());
      for (std::int32_t b = 0; b < graph.source.num_blocks(); ++b)
        pool.push_back({&graph, graph.source.data(), b, graph.source.nodes_of(b).size()});
    }
  }

  void write_view(const PackedGraph& graph, Rng& rng, BatchWriter& writer) const override {
    const Supply supply = supply_for(graph);
    ViewScratch& scratch = writer.scratch();
    std::vector<std::int32_t>& leaves = scratch.leaves;
    leaves.resize(idx(graph.source.num_blocks()) + 1);
    std::size_t num_leaves = 0;
    for (std::int32_t b = 0; b < graph.source.num_blocks(); ++b) {
      leaves[num_leaves] = b;
      const std::int32_t* list = super_list(graph, b);
      num_leaves += static_cast<int>(list[1] >= 0) & static_cast<int>(list[2] < 0);
    }
    leaves.resize(num_leaves);
    if (leaves.empty() || supply.size() == 0) return writer.append(graph);

    const auto wanted = static_cast<std::size_t>(std::lround(ratio_ * graph.source.num_blocks()));
    const std::size_t count = std::min(leaves.size(), std::max<std::size_t>(wanted, 1));
    scratch.substitutes.assign(idx(graph.source.num_blocks()), {});
    scratch.sizes.resize(idx(graph.source.num_blocks()));
    for (std::int32_t b = 0; b < graph.source.num_blocks(); ++b)
      scratch.sizes[idx(b)] = graph.source.nodes_of(b).size();
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(leaves[i], leaves[i + rng.below(leaves.size() - i)]);
      const Piece piece = supply.draw(rng);
      prefetch(std::span(piece.graph, 1));
      prefetch(piece.source);
      scratch.substitutes[idx(leaves[i])] = {piece.graph, piece.block};
      scratch.sizes[idx(leaves[i])] = piece.size;
    }
    leaves.resize(count);
    draw_joints(graph, scratch, rng);
    for (const std::int32_t leaf : leaves)
      prefetch(std::span(scratch.substitutes[idx(leaf)].graph->codes));
    writer.append_substituted(graph, scratch.substitutes, scratch.joints);
  }

 private:
  /// A block, where it lies and how many nodes it has, so that to draw one need not wait for its
  /// graph.
  struct Piece {
    const PackedGraph* graph;
    std::span<const std::int32_t> source;
    std::int32_t block;
    std::int32_t size;
  };
  using Pool = std::vector<Piece>;

  /// The pieces of one class without those of one graph, which lie side by side.
  struct Supply {
    std::span<const Piece> pieces;
    std::size_t own_first = 0;
    std::size_t own_count = 0;

    std::size_t size() const { return pieces.size() - own_count; }
    Piece draw(Rng& rng) const {
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
            idx(graph.source.num_blocks())};
  }

  /// Draws the edges between the substitutes of `scratch.leaves` and the blocks that they hang on.
  /// Deviation: the paper does not say how a substitute is attached; it gets as many edges as the
  /// piece before it, from the same outside nodes to random nodes of its own.
  static void draw_joints(const PackedGraph& graph, ViewScratch& scratch, Rng& rng) {
    const std::vector<BlockRef>& substitutes = scratch.substitutes;
    std::vector<std::int32_t>& start = scratch.block_start;
    start.resize(substitutes.size() + 1);
    start[0] = 0;
    for (std::size_t b = 0; b < substitutes.size(); ++b) start[b + 1] = start[b] + scratch.sizes[b];
    scratch.joints.clear();
    for (const std::int32_t leaf : scratch.leaves) {
      const std::int32_t hub = super_list(graph, leaf)[1];
      const bool hub_is_new = substitutes[idx(hub)].graph != nullptr;
      if (hub_is_new && hub < leaf) continue;  // both ends are new: done from the hub
      std::span<DirectedEdge> edges = edges_between(graph, hub, leaf, scratch.edges);
      edges = redirect(edges, scratch.sizes[idx(leaf)], rng, scratch.ends);
      if (hub_is_new) {
        for (DirectedEdge& edge : edges) std::swap(edge.from, edge.to);
        std::ranges::sort(edges, {}, &DirectedEdge::from);
        edges = redirect(edges, scratch.sizes[idx(hub)], rng, scratch.ends);
        for (DirectedEdge& edge : edges) std::swap(edge.from, edge.to);
      }
      for (const auto [in_hub, in_leaf] : edges)
        scratch.joints.push_back({start[idx(hub)] + in_hub, start[idx(leaf)] + in_leaf});
    }
  }

  /// Edges between two blocks, from nodes of `from` (0 is its first), ascending; `to` of the edges
  /// is not set.
  static std::span<DirectedEdge> edges_between(const PackedGraph& graph, std::int32_t from,
                                               std::int32_t to,
                                               std::vector<DirectedEdge>& scratch) {
    // Edges between blocks are all in the padded lists, which the batch is written from anyway.
    const BatchSource::Lists lists = graph.source.lists();
    const NodeRange nodes = graph.source.nodes_of(from), wanted = graph.source.nodes_of(to);
    const std::int32_t room = lists.row_ptr[nodes.last] - lists.row_ptr[nodes.first];
    if (scratch.size() < idx(room)) scratch.resize(idx(room));
    std::size_t count = 0;
    for (std::int32_t v = nodes.first; v < nodes.last; ++v)
      for (std::int32_t e = lists.row_ptr[v]; e < lists.row_ptr[v + 1]; ++e) {
        const std::int32_t u = lists.col[e] - wanted.first;  // negative for kNoNeighbor
        scratch[count].from = v - nodes.first;  // a conditional store would often be mispredicted
        count += static_cast<std::uint32_t>(u) < static_cast<std::uint32_t>(wanted.size());
      }
    return std::span(scratch).first(count);
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

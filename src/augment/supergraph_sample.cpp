// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "src/augment/views.h"

namespace sgood {
namespace {

class SupergraphSample final : public Augmentation {
 public:
  explicit SupergraphSample(double ratio) : ratio_(ratio) {}

  void write_view(const PackedGraph& graph, Rng& rng, BatchWriter& writer) const override {
    const std::int32_t count = graph.source.num_blocks();
    if (count < 2) return writer.append(graph);
    // Rounding errors must not add a block: 0.3 * 10 may come out slightly above 3.
    const auto wanted = static_cast<std::int32_t>(std::ceil((1 - ratio_) * count - 1e-9));
    writer.append_blocks(graph, first_visited(graph, std::max(wanted, 1), rng, writer.scratch()));
  }

 private:
  /// Marks the first `wanted` blocks that a random depth-first search visits. Deviation: the paper
  /// does not say what happens when a component is exhausted; the search starts again elsewhere.
  static std::span<const char> first_visited(const PackedGraph& graph, std::int32_t wanted,
                                             Rng& rng, ViewScratch& scratch) {
    std::vector<char>& visited = scratch.blocks_kept;
    std::vector<std::int32_t>& stack = scratch.stack;
    visited.assign(static_cast<std::size_t>(graph.source.num_blocks()), 0);
    stack.clear();
    for (std::int32_t left = graph.source.num_blocks(), end = left - wanted; left > end;) {
      if (stack.empty()) stack.push_back(random_unvisited(visited, left, rng));
      const auto block = static_cast<std::size_t>(stack.back());
      stack.pop_back();
      if (visited[block]) continue;
      visited[block] = 1;
      --left;
      const std::size_t old_size = stack.size();
      const BatchSource::Lists lists = graph.source.super_lists();
      for (std::int32_t e = lists.row_ptr[block]; e < lists.row_ptr[block + 1]; ++e) {
        const std::int32_t other = lists.col[e];
        if (other >= 0 && !visited[static_cast<std::size_t>(other)]) stack.push_back(other);
      }
      rng.shuffle(std::span(stack).subspan(old_size));
    }
    return visited;
  }

  /// One of the `left` unvisited blocks, each equally likely.
  static std::int32_t random_unvisited(const std::vector<char>& visited, std::int32_t left,
                                       Rng& rng) {
    auto skip = rng.below(static_cast<std::uint64_t>(left));
    std::size_t block = 0;
    while (visited[block] || skip-- > 0) ++block;
    return static_cast<std::int32_t>(block);
  }

  double ratio_;
};

}  // namespace

std::unique_ptr<Augmentation> make_supergraph_sample(const AugmentationContext& context) {
  return std::make_unique<SupergraphSample>(context.ratio);
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "modularity_merging.h"

namespace sgood {
namespace {

constexpr std::size_t kMaxNodes = kMaxDenseNodes;
constexpr std::ptrdiff_t kRegister = 8;  // a row is padded to whole registers of so many gains

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Blocks under agglomeration and the gain 2m w_ij - D_i D_j of every two. Gains add up when blocks
/// merge, even of pairs without an edge. A pair that must not merge has a gain below 0 and keeps
/// it: -D_i D_j without an edge, or -1 where that is 0; -1 for padding, a block with itself and
/// merged names.
template <typename Gain>
class DenseMerging {
 public:
  explicit DenseMerging(const Graph& graph);
  /// Merges while the best gain is at least 0; returns the name of every node's block.
  std::vector<std::int32_t> run();

 private:
  using Row = std::array<Gain, kMaxNodes>;  // the first width_ are in use

  static Gain larger(Gain a, Gain b) { return a > b ? a : b; }
  auto end(Row& row) const { return row.begin() + width_; }
  std::int32_t first(Row& row, Gain gain) const {
    return static_cast<std::int32_t>(std::find(row.begin(), end(row), gain) - row.begin());
  }
  template <typename Work>
  void each_block(Work work) const {
    for (std::uint64_t rest = blocks_; rest != 0; rest &= rest - 1)
      work(static_cast<std::size_t>(std::countr_zero(rest)));
  }
  void merge(std::size_t u, std::size_t v);

  std::size_t num_nodes_;
  std::ptrdiff_t width_;
  std::uint64_t blocks_ = 0;          // a bit for every name in use
  std::array<Row, kMaxNodes> gains_;  // symmetric
};

template <typename Gain>
DenseMerging<Gain>::DenseMerging(const Graph& graph)
    : num_nodes_(idx(graph.num_nodes())),
      width_((graph.num_nodes() + kRegister - 1) / kRegister * kRegister) {
  Row degree{};
  for (std::size_t v = 0; v < num_nodes_; ++v)
    degree[v] = static_cast<Gain>(graph.degree(static_cast<std::int32_t>(v)));
  for (std::size_t v = 0; v < num_nodes_; ++v) {
    std::transform(degree.begin(), end(degree), gains_[v].begin(), [d = degree[v]](Gain other) {
      return std::min(static_cast<Gain>(-d * other), Gain{-1});
    });
    for (const std::int32_t u : graph.neighbors(static_cast<std::int32_t>(v)))
      gains_[v][idx(u)] += static_cast<Gain>(2 * graph.num_edges());
    gains_[v][v] = -1;
    blocks_ |= std::uint64_t{1} << v;
  }
}

template <typename Gain>
std::vector<std::int32_t> DenseMerging<Gain>::run() {
  std::vector<std::int32_t> name(num_nodes_);
  std::iota(name.begin(), name.end(), 0);
  while (true) {
    Row best;  // of each block
    std::fill(best.begin(), end(best), Gain{-1});
    each_block([&](std::size_t v) {
      std::transform(best.begin(), end(best), gains_[v].begin(), best.begin(), larger);
    });
    const Gain top = std::accumulate(best.begin(), end(best), Gain{-1}, larger);
    if (top < 0) break;
    // The first of the best pairs: its first block has no best partner before itself.
    const std::int32_t u = first(best, top);
    const std::int32_t v = first(gains_[idx(u)], top);
    merge(idx(u), idx(v));
    name[idx(u)] = v;
  }
  // Blocks only merge into larger names.
  for (std::size_t v = num_nodes_; v-- > 0;) name[v] = name[idx(name[v])];
  return name;
}

template <typename Gain>
void DenseMerging<Gain>::merge(std::size_t u, std::size_t v) {
  Row& merged = gains_[v];
  std::transform(merged.begin(), end(merged), gains_[u].begin(), merged.begin(), std::plus<Gain>());
  merged[u] = merged[v] = -1;
  blocks_ ^= std::uint64_t{1} << u;
  each_block([&](std::size_t w) {
    gains_[w][u] = -1;
    gains_[w][v] = merged[w];
  });
}

}  // namespace

std::vector<std::int32_t> merge_dense(const Graph& graph) {
  // No gain is beyond -m^2 or m^2, because w_ij <= D_i, D_j and D_i + D_j <= 2m.
  const std::int32_t m = graph.num_edges();
  if (m * m <= std::numeric_limits<std::int16_t>::max())
    return DenseMerging<std::int16_t>(graph).run();
  return DenseMerging<std::int32_t>(graph).run();
}

}  // namespace sgood

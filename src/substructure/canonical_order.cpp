// SPDX-License-Identifier: MIT
#include "sgood/substructure/canonical_order.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <utility>

#include "refinement.h"
#include "sgood/core/hash.h"

namespace sgood {
namespace {

constexpr std::int64_t kMaxVisits = std::int64_t{1} << 26;

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Whether each node is in the 2-core: what is left after removing nodes of degree 0 and 1 again
/// and again.
std::vector<char> in_two_core(const Graph& graph) {
  const std::int32_t n = graph.num_nodes();
  std::vector<char> in_core(idx(n), 1);
  std::vector<std::int32_t> degree(idx(n));
  std::vector<std::int32_t> removed;
  const auto visit = [&](std::int32_t v) {
    if (degree[idx(v)] > 1 || !in_core[idx(v)]) return;
    in_core[idx(v)] = 0;
    removed.push_back(v);
  };
  for (std::int32_t v = 0; v < n; ++v) {
    degree[idx(v)] = graph.degree(v);
    visit(v);
  }
  for (std::size_t i = 0; i < removed.size(); ++i)
    for (const std::int32_t u : graph.neighbors(removed[i])) {
      --degree[idx(u)];
      visit(u);
    }
  return in_core;
}

/// Three-way comparison of attributes; any total order on their bits will do.
int compare_attributes(std::span<const float> a, std::span<const float> b) {
  for (std::size_t c = 0; c < a.size(); ++c) {
    const auto x = std::bit_cast<std::uint32_t>(a[c] + 0.0F);  // -0 becomes 0
    const auto y = std::bit_cast<std::uint32_t>(b[c] + 0.0F);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

class CanonicalSearch {
 public:
  explicit CanonicalSearch(const Graph& graph)
      : graph_(graph), refinement_(initial_cells(graph, core_size_)) {}

  std::vector<std::int32_t> run() {
    refinement_.refine(kStop);
    for (std::int32_t cell = smallest_shared_core_cell(); cell >= 0;
         cell = smallest_shared_core_cell())
      split_core_cell(cell);
    for (std::int32_t i = core_size_; i < graph_.num_nodes(); ++i)
      while (refinement_.cell_size(i) > 1) {
        refinement_.individualize(refinement_.nodes(i).back());
        refinement_.refine(kStop);
      }
    return refinement_.order();
  }

 private:
  static constexpr auto kStop = Refinement::WhenDiscrete::kStop;
  static constexpr auto kFinishTrace = Refinement::WhenDiscrete::kFinishTrace;

  static Refinement initial_cells(const Graph& graph, std::int32_t& core_size);

  std::int32_t smallest_shared_core_cell() const {
    std::int32_t best = -1;
    for (std::int32_t cell = 0; cell < core_size_; cell += refinement_.cell_size(cell)) {
      const std::int32_t size = refinement_.cell_size(cell);
      if (size == 1 || (best >= 0 && size >= refinement_.cell_size(best))) continue;
      best = cell;
      if (size == 2) break;
    }
    return best;
  }

  void find_twins();
  void mark_twins(std::vector<std::pair<std::uint64_t, std::int32_t>>& keys);
  std::uint64_t individualize(std::span<const std::int32_t> twins,
                              Refinement::WhenDiscrete when_discrete) {
    for (const std::int32_t v : twins) refinement_.individualize(v);
    return combine64(twins.size(), refinement_.refine(when_discrete));
  }
  void split_core_cell(std::int32_t cell);

  const Graph& graph_;
  std::int32_t core_size_ = 0;  // the core's cells come first
  Refinement refinement_;
  std::vector<std::int32_t> twin_;  // one node for each set of nodes with equal neighbourhoods
};

Refinement CanonicalSearch::initial_cells(const Graph& graph, std::int32_t& core_size) {
  const std::int32_t n = graph.num_nodes();
  const std::vector<char> in_core = in_two_core(graph);
  core_size = static_cast<std::int32_t>(std::count(in_core.begin(), in_core.end(), 1));
  const auto compare = [&](std::int32_t a, std::int32_t b) {
    if (in_core[idx(a)] != in_core[idx(b)]) return in_core[idx(a)] ? -1 : 1;
    if (graph.degree(a) != graph.degree(b)) return graph.degree(a) < graph.degree(b) ? -1 : 1;
    const auto x = graph.node_labels(a);
    const auto y = graph.node_labels(b);
    for (std::size_t c = 0; c < x.size(); ++c)
      if (x[c] != y[c]) return x[c] < y[c] ? -1 : 1;
    return compare_attributes(graph.node_attributes(a), graph.node_attributes(b));
  };
  std::vector<std::int32_t> order(idx(n));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::int32_t a, std::int32_t b) { return compare(a, b) < 0; });
  std::vector<char> first(idx(n), 1);
  for (std::size_t i = 1; i < order.size(); ++i)
    first[i] = compare(order[i - 1], order[i]) != 0 ? 1 : 0;
  return Refinement(graph, std::move(order), first);
}

/// Sets twin_ for the nodes of shared core cells: equal open or equal closed neighbourhoods. No
/// node has a twin of both kinds.
void CanonicalSearch::find_twins() {
  twin_.resize(idx(graph_.num_nodes()));
  std::iota(twin_.begin(), twin_.end(), 0);
  std::vector<std::pair<std::uint64_t, std::int32_t>> open, closed;
  for (std::int32_t i = 0; i < core_size_; ++i) {
    const std::int32_t v = refinement_.order()[idx(i)];
    if (refinement_.cell_size(refinement_.cell_of(v)) == 1) continue;
    std::uint64_t key = 0;
    for (const std::int32_t u : graph_.neighbors(v)) key += mix64(static_cast<std::uint64_t>(u));
    open.emplace_back(key, v);
    closed.emplace_back(key + mix64(static_cast<std::uint64_t>(v)), v);
  }
  mark_twins(open);
  mark_twins(closed);
}

void CanonicalSearch::mark_twins(std::vector<std::pair<std::uint64_t, std::int32_t>>& keys) {
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (keys[i].first == keys[i - 1].first)
      twin_[idx(keys[i].second)] = twin_[idx(keys[i - 1].second)];
}

void CanonicalSearch::split_core_cell(std::int32_t cell) {
  if (twin_.empty()) find_twins();
  const auto nodes = refinement_.nodes(cell);
  std::vector<std::int32_t> members(nodes.begin(), nodes.end());
  std::sort(members.begin(), members.end(),
            [&](std::int32_t a, std::int32_t b) { return twin_[idx(a)] < twin_[idx(b)]; });
  std::vector<std::span<const std::int32_t>> candidates;
  for (auto from = members.cbegin(); from != members.cend();) {
    const auto to = std::find_if(
        from, members.cend(), [&](std::int32_t v) { return twin_[idx(v)] != twin_[idx(*from)]; });
    candidates.emplace_back(from, to);
    from = to;
  }

  const auto count = static_cast<std::int64_t>(candidates.size());
  const std::int64_t visits_each =
      std::int64_t{graph_.num_nodes()} + 2 * std::int64_t{graph_.num_edges()};
  if (count == 1 || count * visits_each > kMaxVisits - refinement_.visits()) {
    individualize(candidates.front(), kStop);
    return;
  }
  const std::size_t mark = refinement_.mark();
  std::uint64_t best_trace = 0;
  std::size_t best = 0;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    refinement_.undo(mark);
    const std::uint64_t trace = individualize(candidates[c], kFinishTrace);
    if (trace < best_trace) continue;
    best_trace = trace;  // of equals the last one, which often is in place already
    best = c;
  }
  if (best + 1 == candidates.size()) return;
  refinement_.undo(mark);
  individualize(candidates[best], kStop);
}

}  // namespace

std::vector<std::int32_t> canonical_order(const Graph& graph) {
  return CanonicalSearch(graph).run();
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "modularity_merging.h"

namespace sgood {
namespace {

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// Gains times 2m^2, without rounding; a block weighs its degree sum.
struct ExactGains {
  using Value = std::int64_t;
  Value two_m;

  explicit ExactGains(std::int32_t num_edges) : two_m(2 * Value{num_edges}) {}
  Value weight(std::int32_t degree) const { return degree; }
  Value expected(Value a, Value b) const { return a * b; }
  Value edge(Value a, Value b) const { return two_m - a * b; }
};

/// Gains as NetworkX rounds them; a block weighs its share of all degrees.
struct DoubleGains {
  using Value = double;
  Value one_edge;

  explicit DoubleGains(std::int32_t num_edges) : one_edge(1.0 / num_edges) {}
  Value weight(std::int32_t degree) const { return degree * one_edge * 0.5; }
  Value expected(Value a, Value b) const { return a * b + a * b; }
  Value edge(Value a, Value b) const { return one_edge - expected(a, b); }
};

/// Blocks under agglomeration. A row lists the adjacent blocks of one, ascending, with the gains of
/// merging. Only partners with a larger name count as a row's best, so the best row of all, ties to
/// the smallest, gives the smallest pair among equals.
template <typename Gains>
class Agglomeration {
 public:
  explicit Agglomeration(const Graph& graph);
  /// Merges while the best gain is at least 0; returns the name of every node's block.
  std::vector<std::int32_t> run();

 private:
  using Value = typename Gains::Value;
  static constexpr Value kNone = std::numeric_limits<Value>::lowest();
  struct Entry {
    std::int32_t block;
    Value gain;
  };
  struct Row {
    std::int32_t begin, size, capacity;  // entries_[begin, begin + size)
  };
  struct Best {
    std::int32_t row;
    std::int32_t partner;
    Value gain;  // kNone when there is no partner
    bool operator==(const Best&) const = default;
  };

  Entry* entries(std::int32_t block) { return entries_.data() + rows_[idx(block)].begin; }
  void merge(std::int32_t u, std::int32_t v);
  void replace(std::int32_t w, std::int32_t u, std::int32_t v, Value gain);
  void store(std::int32_t u, std::int32_t v);
  Best& best(std::int32_t block) { return best_[best_.size() / 2 + idx(block)]; }
  Best find_best(std::int32_t block);
  void play(std::size_t game) {
    const Best& a = best_[2 * game];
    const Best& b = best_[2 * game + 1];
    best_[game] = b.gain > a.gain ? b : a;  // the rows of a are the smaller ones
  }
  void play_changed();

  Gains gains_;
  std::vector<Value> weight_;
  std::vector<Entry> entries_;
  std::vector<Row> rows_;
  std::vector<Best> best_;  // a tournament: every row's best in the second half, that of all at 1
  std::vector<std::size_t> changed_;  // places in best_ that changed, ascending
  std::vector<Entry> merged_;         // the row under construction
  std::vector<std::int32_t> name_;    // of a node, or of a block that it merged into
};

template <typename Gains>
Agglomeration<Gains>::Agglomeration(const Graph& graph)
    : gains_(graph.num_edges()),
      weight_(idx(graph.num_nodes())),
      rows_(idx(graph.num_nodes())),
      best_(2 * std::bit_ceil(idx(graph.num_nodes())), Best{-1, -1, kNone}),
      name_(idx(graph.num_nodes())) {
  const std::int32_t n = graph.num_nodes();
  std::iota(name_.begin(), name_.end(), 0);
  for (std::int32_t v = 0; v < n; ++v) weight_[idx(v)] = gains_.weight(graph.degree(v));
  entries_.reserve(graph.col().size());
  for (std::int32_t v = 0; v < n; ++v) {
    rows_[idx(v)] = {graph.row_ptr()[idx(v)], graph.degree(v), graph.degree(v)};
    for (const std::int32_t u : graph.neighbors(v))
      entries_.push_back({u, gains_.edge(weight_[idx(u)], weight_[idx(v)])});
    best(v) = find_best(v);
  }
  for (std::size_t game = best_.size() / 2 - 1; game > 0; --game) play(game);
}

template <typename Gains>
std::vector<std::int32_t> Agglomeration<Gains>::run() {
  while (best_[1].gain >= 0) merge(best_[1].row, best_[1].partner);
  // Blocks only merge into larger names.
  for (std::size_t v = name_.size(); v-- > 0;) name_[v] = name_[idx(name_[v])];
  return std::move(name_);
}

template <typename Gains>
void Agglomeration<Gains>::merge(std::int32_t u, std::int32_t v) {
  merged_.clear();
  const Entry* a = entries(u);
  const Entry* b = entries(v);
  const Entry* const a_end = a + rows_[idx(u)].size;
  const Entry* const b_end = b + rows_[idx(v)].size;
  while (a != a_end || b != b_end) {
    const bool take_a = b == b_end || (a != a_end && a->block <= b->block);
    const bool take_b = a == a_end || (b != b_end && b->block <= a->block);
    const std::int32_t w = take_a ? a->block : b->block;
    Value gain{};
    if (take_a && take_b)
      gain = b->gain + a->gain;
    else if (take_b)
      gain = b->gain - gains_.expected(weight_[idx(u)], weight_[idx(w)]);
    else
      gain = a->gain - gains_.expected(weight_[idx(v)], weight_[idx(w)]);
    a += take_a;
    b += take_b;
    if (w == u || w == v) {
      changed_.push_back(best_.size() / 2 + idx(w));
      continue;
    }
    merged_.push_back({w, gain});
    replace(w, u, v, gain);
  }
  store(u, v);
  best(u) = {u, -1, kNone};
  best(v) = find_best(v);
  play_changed();
  weight_[idx(v)] += weight_[idx(u)];
  name_[idx(u)] = v;
}

/// In the row of w, drops u and gives v its new gain; u < v.
template <typename Gains>
void Agglomeration<Gains>::replace(std::int32_t w, std::int32_t u, std::int32_t v, Value gain) {
  Entry* const begin = entries(w);
  Entry* const end = begin + rows_[idx(w)].size;
  const auto before = [](const Entry& e, std::int32_t block) { return e.block < block; };
  Entry* const at_u = std::lower_bound(begin, end, u, before);
  Entry* const at_v = std::lower_bound(at_u, end, v, before);
  const bool has_u = at_u != end && at_u->block == u;
  const bool has_v = at_v != end && at_v->block == v;
  if (!has_u) {
    at_v->gain = gain;
  } else if (has_v) {
    at_v->gain = gain;
    std::move(at_u + 1, end, at_u);
    --rows_[idx(w)].size;
  } else {
    std::move(at_u + 1, at_v, at_u);
    *(at_v - 1) = {v, gain};
  }

  if (w > v) return;  // neither is a larger name
  Best& old = best(w);
  if (old.partner == u || old.partner == v)
    old = find_best(w);
  else if (gain > old.gain || (gain == old.gain && v < old.partner))
    old = {w, v, gain};
  else
    return;
  changed_.push_back(best_.size() / 2 + idx(w));
}

/// Makes merged_ the row of v, in the space of v, of u, or in new space with room to grow.
template <typename Gains>
void Agglomeration<Gains>::store(std::int32_t u, std::int32_t v) {
  const auto size = static_cast<std::int32_t>(merged_.size());
  Row& row = rows_[idx(v)];
  if (row.capacity < size) std::swap(row, rows_[idx(u)]);
  if (row.capacity < size) {
    row = {static_cast<std::int32_t>(entries_.size()), 0, 2 * size};
    entries_.resize(entries_.size() + 2 * idx(size));
  }
  row.size = size;
  std::copy(merged_.begin(), merged_.end(), entries(v));
}

template <typename Gains>
auto Agglomeration<Gains>::find_best(std::int32_t block) -> Best {
  Best best{block, -1, kNone};
  const Entry* const begin = entries(block);
  for (const Entry* e = begin + rows_[idx(block)].size; e != begin && (e - 1)->block > block; --e)
    if ((e - 1)->gain >= best.gain) best = {block, (e - 1)->block, (e - 1)->gain};
  return best;
}

/// Repeats the games above changed_, level by level, as far as their outcomes change.
template <typename Gains>
void Agglomeration<Gains>::play_changed() {
  while (!changed_.empty() && changed_.front() > 1) {
    std::size_t kept = 0;
    std::size_t last = 0;
    for (const std::size_t place : changed_) {
      const std::size_t game = place / 2;
      if (game == last) continue;
      last = game;
      const Best before = best_[game];
      play(game);
      if (before != best_[game]) changed_[kept++] = game;
    }
    changed_.resize(kept);
  }
  changed_.clear();
}

}  // namespace

std::vector<std::int32_t> merge_sparse(const Graph& graph,
                                       ModularityPartitioner::Arithmetic arithmetic) {
  return arithmetic == ModularityPartitioner::Arithmetic::kExact
             ? Agglomeration<ExactGains>(graph).run()
             : Agglomeration<DoubleGains>(graph).run();
}

}  // namespace sgood

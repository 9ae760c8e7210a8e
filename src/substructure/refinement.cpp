// SPDX-License-Identifier: MIT
#include "refinement.h"

#include <algorithm>
#include <utility>

#include "sgood/core/hash.h"

namespace sgood {
namespace {

std::uint64_t hash_pair(std::int32_t a, std::int32_t b) {
  return mix64((static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32) |
               static_cast<std::uint32_t>(b));
}

}  // namespace

Refinement::Refinement(const Graph& graph, std::vector<std::int32_t> order,
                       std::span<const char> first)
    : graph_(graph),
      order_(std::move(order)),
      position_(order_.size()),
      cell_(order_.size()),
      size_(order_.size()),
      queued_(order_.size()),
      count_(order_.size()),
      num_touched_(order_.size()) {
  const auto n = static_cast<std::int32_t>(order_.size());
  queue_.reserve(order_.size());
  std::int32_t cell = 0;
  std::int32_t largest = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    if (first[idx(i)]) {
      cell = i;
      ++num_cells_;
    }
    position_[idx(order_[idx(i)])] = i;
    cell_[idx(order_[idx(i)])] = cell;
    if (++size_[idx(cell)] > size_[idx(largest)]) largest = cell;
  }
  // What the largest cell would do follows from the degrees and the other cells.
  for (cell = 0; cell < n; cell += size_[idx(cell)])
    if (cell != largest) push(cell);
}

void Refinement::push(std::int32_t cell) {
  queue_.push_back(cell);
  queued_[idx(cell)] = 1;
}

void Refinement::place(std::int32_t node, std::int32_t position) {
  const std::int32_t from = position_[idx(node)];
  const std::int32_t other = order_[idx(position)];
  order_[idx(from)] = other;
  position_[idx(other)] = from;
  order_[idx(position)] = node;
  position_[idx(node)] = position;
}

void Refinement::split(std::int32_t cell, std::int32_t first) {
  const std::int32_t end = cell + size_[idx(cell)];
  size_[idx(cell)] = first - cell;
  size_[idx(first)] = end - first;
  for (std::int32_t i = first; i < end; ++i) cell_[idx(order_[idx(i)])] = first;
  splits_.push_back(first);
  ++num_cells_;
}

void Refinement::undo(std::size_t mark) {
  while (splits_.size() > mark) {
    const std::int32_t first = splits_.back();
    splits_.pop_back();
    const std::int32_t cell = cell_[idx(order_[idx(first - 1)])];
    for (const std::int32_t v : nodes(first)) cell_[idx(v)] = cell;
    size_[idx(cell)] += size_[idx(first)];
    --num_cells_;
  }
}

void Refinement::individualize(std::int32_t node) {
  const std::int32_t cell = cell_[idx(node)];
  const std::int32_t last = cell + size_[idx(cell)] - 1;
  place(node, last);
  if (last > cell) split(cell, last);
  push(last);
}

std::uint64_t Refinement::refine(WhenDiscrete when_discrete) {
  std::uint64_t trace = 0;
  while (head_ < queue_.size()) {
    if (when_discrete == WhenDiscrete::kStop && num_cells_ == graph_.num_nodes()) {
      for (; head_ < queue_.size(); ++head_) queued_[idx(queue_[head_])] = 0;
      break;
    }
    const std::int32_t splitter = queue_[head_++];
    queued_[idx(splitter)] = 0;
    trace = combine64(trace, hash_pair(splitter, size_[idx(splitter)]));
    count_neighbors(splitter);
    collect_touched(trace);
    // The order of the splits must not depend on the order in which neighbours were met.
    std::sort(touched_cells_.begin(), touched_cells_.end());
    for (const std::int32_t cell : touched_cells_) split_by_count(cell, trace);
    for (const std::int32_t v : touched_) count_[idx(v)] = 0;
  }
  queue_.clear();
  head_ = 0;
  return trace;
}

void Refinement::count_neighbors(std::int32_t splitter) {
  touched_.clear();
  for (const std::int32_t v : nodes(splitter)) {
    const auto list = graph_.neighbors(v);
    visits_ += static_cast<std::int64_t>(list.size());
    for (const std::int32_t u : list)
      if (count_[idx(u)]++ == 0) touched_.push_back(u);
  }
}

/// Moves touched nodes to the back of their cells; singletons only leave their mark in the trace,
/// by a sum, because they come in no particular order.
void Refinement::collect_touched(std::uint64_t& trace) {
  touched_cells_.clear();
  for (const std::int32_t v : touched_) {
    const std::int32_t cell = cell_[idx(v)];
    if (size_[idx(cell)] == 1) {
      trace += hash_pair(cell, count_[idx(v)]);
      continue;
    }
    if (num_touched_[idx(cell)]++ == 0) touched_cells_.push_back(cell);
    place(v, cell + size_[idx(cell)] - num_touched_[idx(cell)]);
  }
}

void Refinement::split_by_count(std::int32_t cell, std::uint64_t& trace) {
  const std::int32_t end = cell + size_[idx(cell)];
  const std::int32_t begin = end - std::exchange(num_touched_[idx(cell)], 0);
  const auto by_count = [&](std::int32_t a, std::int32_t b) {
    return count_[idx(a)] < count_[idx(b)];
  };
  const auto from = order_.begin() + begin;
  const auto to = order_.begin() + end;
  if (!std::is_sorted(from, to, by_count)) {
    std::sort(from, to, by_count);
    for (std::int32_t i = begin; i < end; ++i) position_[idx(order_[idx(i)])] = i;
  }

  const std::size_t before = splits_.size();
  trace = combine64(trace, hash_pair(cell, end));
  std::int32_t last = cell;  // the cell that holds what is not split off yet
  std::int32_t previous = begin > cell ? 0 : count_[idx(order_[idx(cell)])];
  for (std::int32_t i = begin; i < end; ++i) {
    const std::int32_t count = count_[idx(order_[idx(i)])];
    if (count == previous) continue;
    trace = combine64(trace, hash_pair(i, previous));
    split(last, i);
    last = i;
    previous = count;
  }
  trace = combine64(trace, hash_pair(end, previous));

  // Hopcroft's trick: what the largest part does follows from the whole and the other parts.
  std::int32_t largest = cell;
  for (std::size_t s = before; s < splits_.size(); ++s)
    if (size_[idx(splits_[s])] > size_[idx(largest)]) largest = splits_[s];
  const bool all = queued_[idx(cell)] != 0;
  if (!all && largest != cell) push(cell);
  for (std::size_t s = before; s < splits_.size(); ++s)
    if (all || splits_[s] != largest) push(splits_[s]);
}

}  // namespace sgood

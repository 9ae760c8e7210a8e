// SPDX-License-Identifier: MIT
#include "min_max_index.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

#include "sgood/core/error.h"
#include "stored.h"

namespace sgood {
namespace {

std::size_t idx(std::int64_t i) { return static_cast<std::size_t>(i); }

/// df of 0 stands for features that training never showed.
double feature_weight(std::int64_t num_graphs, std::int64_t df, bool idf) {
  if (!idf) return 1;
  return std::log(static_cast<double>(num_graphs + 1) / (static_cast<double>(df) + 0.5)) + 0.1;
}

}  // namespace

MinMaxIndex::MinMaxIndex(const std::vector<std::vector<ColourCount>>& profiles,
                         std::span<const std::int32_t> graphs_with, bool idf) {
  struct Row {
    ColourCount colour;
    std::int32_t profile;
    auto operator<=>(const Row&) const = default;
  };
  std::vector<Row> rows;
  for (std::size_t p = 0; p < profiles.size(); ++p)
    for (const ColourCount& c : profiles[p]) rows.push_back({c, static_cast<std::int32_t>(p)});
  std::sort(rows.begin(), rows.end());
  for (const Row& row : rows) {
    const bool new_colour = colours_.empty() || colours_.back() != row.colour.colour;
    if (new_colour) {
      colours_.push_back(row.colour.colour);
      first_level_.push_back(static_cast<std::int32_t>(levels_.size()));
    }
    if (new_colour || levels_.back().count != row.colour.count)
      levels_.push_back({.count = row.colour.count, .first = std::ssize(profiles_)});
    profiles_.push_back(row.profile);
  }
  first_level_.push_back(static_cast<std::int32_t>(levels_.size()));
  levels_.push_back({.first = std::ssize(profiles_)});
  add_weights(graphs_with, idf);
}

void MinMaxIndex::add_weights(std::span<const std::int32_t> graphs_with, bool idf) {
  const std::int64_t num_graphs =
      std::accumulate(graphs_with.begin(), graphs_with.end(), std::int64_t{0});
  unseen_weight_ = feature_weight(num_graphs, 0, idf);
  totals_.assign(graphs_with.size(), 0);
  for (std::size_t c = 0; c < colours_.size(); ++c) {
    const std::span<Level> levels(&levels_[idx(first_level_[c])],
                                  idx(first_level_[c + 1] - first_level_[c]));
    std::int32_t graphs = 0;
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
      for (const std::int32_t p : profiles_of(*level)) graphs += graphs_with[idx(p)];
      level->graphs = graphs;
    }
    Level below;
    for (Level& level : levels) {
      level.slope = feature_weight(num_graphs, level.graphs, idf);
      level.weight = below.weight + (level.count - below.count) * level.slope;
      for (const std::int32_t p : profiles_of(level)) totals_[idx(p)] += level.weight;
      below = level;
    }
  }
  // Colours are hashes: their leading bits are spread evenly, and find a colour in a step or two.
  bucket_bits_ = static_cast<int>(std::bit_width(colours_.size() | 1));
  bucket_.assign((std::size_t{1} << bucket_bits_) + 1, 0);
  for (const std::uint64_t colour : colours_) ++bucket_[idx(colour >> (64 - bucket_bits_)) + 1];
  std::partial_sum(bucket_.begin(), bucket_.end(), bucket_.begin());
}

void MinMaxIndex::weigh_as(const MinMaxIndex& training) {
  totals_.assign(totals_.size(), 0);
  for (std::size_t c = 0; c < colours_.size(); ++c) {
    const std::span<const Level> known = training.levels_of(colours_[c]);
    for (std::int32_t l = first_level_[c]; l < first_level_[c + 1]; ++l) {
      Level& level = levels_[idx(l)];
      level.weight = training.weight_of(known, level.count);
      for (const std::int32_t p : profiles_of(level)) totals_[idx(p)] += level.weight;
    }
  }
}

std::span<const MinMaxIndex::Level> MinMaxIndex::levels_of(std::uint64_t colour) const {
  const std::size_t bucket = colour >> (64 - bucket_bits_);
  std::size_t c = idx(bucket_[bucket]);
  const std::size_t end = idx(bucket_[bucket + 1]);
  while (c < end && colours_[c] != colour) ++c;
  if (c == end) return {};
  return {&levels_[idx(first_level_[c])], idx(first_level_[c + 1] - first_level_[c])};
}

double MinMaxIndex::weight_of(std::span<const Level> levels, std::int32_t count) const {
  Level below;
  for (const Level& level : levels) {
    if (level.count == count) return level.weight;
    if (level.count > count) return below.weight + (count - below.count) * level.slope;
    below = level;
  }
  return below.weight + (count - below.count) * unseen_weight_;
}

std::span<const std::int32_t> MinMaxIndex::profiles_of(const Level& level) const {
  const Level& next = *(&level + 1);
  return {profiles_.data() + level.first, idx(next.first - level.first)};
}

std::vector<double> MinMaxIndex::distances(std::span<const ColourCount> counts) const {
  std::vector<double> values(totals_.size());
  double total = 0;
  for (const auto& [colour, count] : counts) {
    const std::span<const Level> levels = levels_of(colour);
    const double weight = weight_of(levels, count);
    total += weight;
    for (const Level& level : levels) {
      const double common = level.count < count ? level.weight : weight;
      for (const std::int32_t p : profiles_of(level)) values[idx(p)] += common;
    }
  }
  if (counts.empty()) {
    for (std::size_t p = 0; p < values.size(); ++p) values[p] = totals_[p] > 0 ? 1 : 0;
    return values;
  }
  for (std::size_t p = 0; p < values.size(); ++p)
    values[p] = 1 - values[p] / (total + totals_[p] - values[p]);
  return values;
}

std::vector<MinMaxIndex::Excess> MinMaxIndex::excess(std::span<const ColourCount> counts,
                                                     std::int32_t profile) const {
  std::vector<Excess> found;
  double all = totals_[idx(profile)];  // of the union
  for (const ColourCount& own : counts) {
    const std::span<const Level> levels = levels_of(own.colour);
    Excess e{.colour = own, .training_graphs = levels.empty() ? 0 : levels[0].graphs};
    for (const Level& level : levels)
      if (std::ranges::binary_search(profiles_of(level), profile)) e.in_profile = level.count;
    if (own.count <= e.in_profile) continue;
    e.share = weight_of(levels, own.count) - weight_of(levels, e.in_profile);
    all += e.share;
    found.push_back(e);
  }
  for (Excess& e : found) e.share /= all;
  return found;
}

void MinMaxIndex::save(TensorFile& file, const std::string& prefix) const {
  const std::vector<std::int64_t> colours(colours_.begin(), colours_.end());
  std::vector<std::int32_t> counts;
  std::vector<std::int64_t> first;
  for (const Level& level : levels_) {
    counts.push_back(level.count);
    first.push_back(level.first);
  }
  counts.pop_back();
  file.tensors[prefix + ".colours"] = Tensor::of(colours);
  file.tensors[prefix + ".first_level"] = Tensor::of(first_level_);
  file.tensors[prefix + ".level_counts"] = Tensor::of(counts);
  file.tensors[prefix + ".first_profile"] = Tensor::of(first);
  file.tensors[prefix + ".profiles"] = Tensor::of(profiles_);
}

MinMaxIndex MinMaxIndex::load(const TensorFile& file, const std::string& prefix,
                              std::span<const std::int32_t> graphs_with, bool idf) {
  const auto colours = file.tensor(prefix + ".colours").values<std::int64_t>();
  const auto counts = file.tensor(prefix + ".level_counts").values<std::int32_t>();
  const auto first =
      stored_values<std::int64_t>(file, prefix + ".first_profile", {std::ssize(counts) + 1});
  MinMaxIndex index;
  index.colours_.assign(colours.begin(), colours.end());
  index.first_level_ =
      stored_values<std::int32_t>(file, prefix + ".first_level", {std::ssize(colours) + 1});
  index.profiles_ = file.tensor(prefix + ".profiles").values<std::int32_t>();

  const auto ascends = [](const auto& values) {
    return std::ranges::adjacent_find(values, std::greater_equal<>()) == values.end();
  };
  bool fits = ascends(index.colours_) && ascends(index.first_level_) && ascends(first) &&
              index.first_level_.front() == 0 && index.first_level_.back() == std::ssize(counts) &&
              first.front() == 0 && first.back() == std::ssize(index.profiles_);
  for (std::size_t c = 0; fits && c < colours.size(); ++c) {
    const std::span<const std::int32_t> of_colour(
        counts.data() + index.first_level_[c],
        idx(index.first_level_[c + 1] - index.first_level_[c]));
    fits = ascends(of_colour) && of_colour.front() >= 1;
  }
  for (std::size_t l = 0; fits && l < counts.size(); ++l) {
    const std::span<const std::int32_t> of_level(index.profiles_.data() + first[l],
                                                 idx(first[l + 1] - first[l]));
    fits = ascends(of_level) && of_level.front() >= 0 && of_level.back() < std::ssize(graphs_with);
  }
  SGOOD_CHECK(fits, "the model file's {}.* do not fit together", prefix);
  for (std::size_t l = 0; l < first.size(); ++l)
    index.levels_.push_back({.count = l < counts.size() ? counts[l] : 0, .first = first[l]});
  index.add_weights(graphs_with, idf);
  return index;
}

}  // namespace sgood

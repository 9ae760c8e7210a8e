// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sgood/graph/wl_colours.h"
#include "sgood/io/safetensors.h"

namespace sgood {

/// Different multisets of colours ("profiles") and how many training graphs have each, stored by
/// colour, so that a graph is compared with all of them at the price of the colours they share.
///
/// A colour x that occurs k times is k features (x, 1) .. (x, k). Feature (x, j) weighs ln((N + 1)
/// / (df + 0.5)) + 0.1, where df of N training graphs have x at least j times, or 1 without `idf`.
/// The distance of two multisets is 1 - (weight of common features) / (weight of all their
/// features): the weighted Jaccard distance of features, which is the weighted min-max distance of
/// counts. Two empty multisets are at distance 0, an empty one and another at 1. All sums run by
/// ascending colour, so equal multisets are at distance 0 exactly.
class MinMaxIndex {
 public:
  MinMaxIndex() = default;
  /// `profiles` are different, each ascending by colour; graphs_with[p] >= 1 graphs have profile p.
  MinMaxIndex(const std::vector<std::vector<ColourCount>>& profiles,
              std::span<const std::int32_t> graphs_with, bool idf);

  /// Takes the weights of features from `training`, whatever has these profiles. Afterwards only
  /// multisets that are among the profiles can be compared.
  void weigh_as(const MinMaxIndex& training);

  std::int32_t num_profiles() const { return static_cast<std::int32_t>(totals_.size()); }
  std::int64_t num_colours() const { return static_cast<std::int64_t>(colours_.size()); }

  /// Distance of a multiset to each profile, [num_profiles].
  std::vector<double> distances(std::span<const ColourCount> counts) const;

  /// What of a multiset a profile lacks.
  struct Excess {
    ColourCount colour;
    std::int32_t in_profile = 0;       ///< Times that the profile has the colour.
    std::int32_t training_graphs = 0;  ///< How many have the colour at all.
    double share = 0;                  ///< Of the distance: weight in excess / weight of the union.
  };
  /// One entry per colour of `counts` that it has more often than `profile`, ascending by colour.
  std::vector<Excess> excess(std::span<const ColourCount> counts, std::int32_t profile) const;

  /// As tensors called `PREFIX.*`.
  void save(TensorFile& file, const std::string& prefix) const;
  /// Throws InvalidArgument on anything that save() could not have written for these graphs.
  static MinMaxIndex load(const TensorFile& file, const std::string& prefix,
                          std::span<const std::int32_t> graphs_with, bool idf);

 private:
  /// The profiles that have a colour exactly `count` times.
  struct Level {
    std::int32_t count = 0;
    std::int32_t graphs = 0;  ///< Training graphs that have it at least `count` times.
    std::int64_t first = 0;   ///< Its profiles are [first, first of the next level).
    double slope = 0;         ///< Weight of each feature above the level below, up to this one.
    double weight = 0;        ///< Of all features up to this level.
  };

  void add_weights(std::span<const std::int32_t> graphs_with, bool idf);
  std::span<const Level> levels_of(std::uint64_t colour) const;
  double weight_of(std::span<const Level> levels, std::int32_t count) const;
  std::span<const std::int32_t> profiles_of(const Level& level) const;

  std::vector<std::uint64_t> colours_;     ///< Ascending.
  std::vector<std::int32_t> first_level_;  ///< [num_colours + 1]
  std::vector<Level> levels_;              ///< By colour and count, and one more for the end.
  std::vector<std::int32_t> profiles_;     ///< By level, ascending in each.
  std::vector<double> totals_;             ///< [num_profiles]: weight of all features.
  std::vector<std::int32_t> bucket_;       ///< First colour with these leading bits.
  int bucket_bits_ = 1;
  double unseen_weight_ = 1;  ///< Of a feature that no training graph has.
};

}  // namespace sgood

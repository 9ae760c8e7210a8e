// SPDX-License-Identifier: MIT
#include "sgood/chem/scaffold_split.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sgood/chem/molecule.h"
#include "sgood/core/error.h"
#include "sgood/core/threads.h"

namespace sgood {
namespace {

using Group = std::vector<std::int32_t>;

/// Positions of equal scaffolds, ascending within a group; largest group first, of equal sizes the
/// one that begins later.
std::vector<Group> scaffold_groups(std::span<const std::string> scaffolds) {
  std::vector<Group> groups;
  std::unordered_map<std::string_view, std::size_t> group_of;
  for (std::size_t i = 0; i < scaffolds.size(); ++i) {
    const auto [place, is_new] = group_of.try_emplace(scaffolds[i], groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(static_cast<std::int32_t>(i));
  }
  std::sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    return std::pair(a.size(), a.front()) > std::pair(b.size(), b.front());
  });
  return groups;
}

}  // namespace

ScaffoldSplit split_by_scaffold(std::span<const std::string> scaffolds) {
  ScaffoldSplit split;
  for (const Group& group : scaffold_groups(scaffolds)) {
    const std::size_t in_train = split.train.size() + group.size();
    const bool fits_train = 10 * in_train <= 8 * scaffolds.size();
    const bool fits_valid = 10 * (in_train + split.valid.size()) <= 9 * scaffolds.size();
    Group& part = fits_train ? split.train : fits_valid ? split.valid : split.test;
    part.insert(part.end(), group.begin(), group.end());
  }
  for (Group* part : {&split.train, &split.valid, &split.test})
    std::sort(part->begin(), part->end());
  return split;
}

ScaffoldSplit scaffold_split(std::span<const std::string> smiles, int threads) {
  SGOOD_CHECK(threads >= 1, "threads is {}; legal is 1 or more", threads);
  std::vector<std::string> scaffolds(smiles.size());
  std::vector<std::string> errors(smiles.size());
  parallel_for(static_cast<std::int64_t>(smiles.size()), threads, [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    try {
      scaffolds[at] = murcko_scaffold(smiles[at]);
    } catch (const InvalidArgument& error) {
      errors[at] = error.what();
    }
  });
  for (std::size_t i = 0; i < errors.size(); ++i)
    SGOOD_CHECK(errors[i].empty(), "molecule {}: {}", i, errors[i]);
  return split_by_scaffold(scaffolds);
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "colour_index.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "sgood/core/error.h"
#include "stored.h"

namespace sgood {

ColourIndex::ColourIndex(const std::vector<std::vector<ColourCount>>& graphs) {
  struct Row {
    std::uint64_t colour;
    Entry entry;
  };
  std::vector<Row> rows;
  for (std::size_t g = 0; g < graphs.size(); ++g)
    for (const auto& [colour, count] : graphs[g])
      rows.push_back({colour, {static_cast<std::int32_t>(g), count}});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.colour < b.colour; });
  for (const auto& [colour, entry] : rows) {
    if (colours_.empty() || colours_.back() != colour) {
      colours_.push_back(colour);
      first_.push_back(std::ssize(entries_));
    }
    entries_.push_back(entry);
  }
  first_.push_back(std::ssize(entries_));
  add_norms(std::ssize(graphs));
}

void ColourIndex::add_norms(std::int64_t num_graphs) {
  squared_norms_.assign(static_cast<std::size_t>(num_graphs), 0);
  for (const auto& [graph, count] : entries_)
    squared_norms_[static_cast<std::size_t>(graph)] += double(count) * count;
}

std::vector<double> ColourIndex::cosine_distances(const std::vector<ColourCount>& counts) const {
  std::vector<double> values(squared_norms_.size());
  double squared_norm = 0;
  for (const auto& [colour, count] : counts) {
    squared_norm += double(count) * count;
    const auto found = std::lower_bound(colours_.begin(), colours_.end(), colour);
    if (found == colours_.end() || *found != colour) continue;
    const auto c = static_cast<std::size_t>(found - colours_.begin());
    for (std::int64_t e = first_[c]; e < first_[c + 1]; ++e) {
      const Entry& entry = entries_[static_cast<std::size_t>(e)];
      values[static_cast<std::size_t>(entry.graph)] += double(count) * entry.count;
    }
  }
  for (std::size_t g = 0; g < values.size(); ++g) {
    const double other = squared_norms_[g];
    // The root of a square is exact, so equal counts have cosine 1 and not nearly 1.
    values[g] = squared_norm > 0 && other > 0 ? 1 - values[g] / std::sqrt(squared_norm * other)
                                              : (squared_norm == other ? 0 : 1);
  }
  return values;
}

void ColourIndex::save(TensorFile& file) const {
  std::vector<std::int64_t> colours(colours_.begin(), colours_.end());
  std::vector<std::int32_t> graphs, counts;
  for (const auto& [graph, count] : entries_) {
    graphs.push_back(graph);
    counts.push_back(count);
  }
  file.metadata["sgood.colours.graphs"] = std::to_string(num_graphs());
  file.tensors["colours.hashes"] = Tensor::of(colours);
  file.tensors["colours.first"] = Tensor::of(first_);
  file.tensors["colours.graphs"] = Tensor::of(graphs);
  file.tensors["colours.counts"] = Tensor::of(counts);
}

ColourIndex ColourIndex::load(const TensorFile& file) {
  const std::int64_t num_graphs = stored_integer(file, "sgood.colours.graphs");
  const auto colours = file.tensor("colours.hashes").values<std::int64_t>();
  const auto graphs = file.tensor("colours.graphs").values<std::int32_t>();
  const auto counts = stored_values<std::int32_t>(file, "colours.counts", {std::ssize(graphs)});
  ColourIndex index;
  index.colours_.assign(colours.begin(), colours.end());
  index.first_ = stored_values<std::int64_t>(file, "colours.first", {std::ssize(colours) + 1});

  const auto ascends = [](const auto& values) {
    return std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) == values.end();
  };
  SGOOD_CHECK(num_graphs >= 1 && num_graphs <= std::numeric_limits<std::int32_t>::max() &&
                  ascends(index.colours_) && ascends(index.first_) && index.first_.front() == 0 &&
                  index.first_.back() == std::ssize(graphs),
              "the model file's colours.* do not fit together");
  for (std::size_t e = 0; e < graphs.size(); ++e) {
    SGOOD_CHECK(graphs[e] >= 0 && graphs[e] < num_graphs && counts[e] >= 1,
                "the model file's colours.graphs[{}] is {} with count {}, but there are {} graphs",
                e, graphs[e], counts[e], num_graphs);
    index.entries_.push_back({graphs[e], counts[e]});
  }
  index.add_norms(num_graphs);
  return index;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/io/graph_source.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "sgood/io/numbers.h"

namespace sgood {
namespace {

/// The different labels, ascending: as numbers when all are.
std::vector<std::string> sorted_classes(const std::vector<GraphRow>& rows) {
  std::map<std::string, std::optional<double>> values;
  for (const GraphRow& row : rows)
    if (row.graph && !row.label.empty() && !values.contains(row.label))
      values[row.label] = parse_number<double>(row.label);
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  const bool numbers = std::ranges::all_of(
      values, [](const auto& entry) { return entry.second && !std::isnan(*entry.second); });
  if (numbers)
    std::ranges::stable_sort(names, {}, [&](const auto& name) { return *values.at(name); });
  return names;
}

}  // namespace

GraphSet gather(GraphSet header, std::vector<GraphRow> rows) {
  GraphSet set = std::move(header);
  set.class_names = sorted_classes(rows);
  std::map<std::string, std::int32_t> class_index;
  for (const std::string& name : set.class_names)
    class_index.emplace(name, static_cast<std::int32_t>(class_index.size()));
  for (GraphRow& row : rows) {
    if (!row.graph)
      set.bad_rows.push_back({row.row, std::move(row.id), std::move(row.error)});
    else if (row.label.empty())
      set.graphs.push_back(std::move(*row.graph));
    else
      set.graphs.push_back(row.graph->with_label(class_index.at(row.label)));
  }
  return set;
}

GraphSet read_all(GraphSource& source) {
  constexpr std::size_t kChunk = 8192;
  std::vector<GraphRow> rows;
  for (std::vector<GraphRow> chunk; !(chunk = source.next(kChunk)).empty();)
    rows.insert(rows.end(), std::make_move_iterator(chunk.begin()),
                std::make_move_iterator(chunk.end()));
  return gather(source.header(), std::move(rows));
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/graph/code_table.h"

#include <map>
#include <span>

#include "sgood/graph/packed_graph.h"

namespace sgood {

std::optional<CodeTable> tabulate_codes(std::vector<PackedGraph>& graphs, std::int32_t columns) {
  if (columns < 2) return std::nullopt;
  CodeTable table{columns, {}};
  std::map<std::vector<std::int32_t>, std::int32_t> places;
  std::vector<std::vector<std::int32_t>> rows(graphs.size());
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const std::vector<std::int32_t>& codes = graphs[g].codes;
    for (auto row = codes.begin(); row != codes.end(); row += columns) {
      const auto [at, is_new] = places.try_emplace({row, row + columns}, table.num_rows());
      if (is_new) table.codes.insert(table.codes.end(), row, row + columns);
      if (table.num_rows() > kMostTableRows) return std::nullopt;
      rows[g].push_back(at->second);
    }
  }
  for (std::size_t g = 0; g < graphs.size(); ++g) graphs[g].codes = std::move(rows[g]);
  return table;
}

std::vector<std::int32_t> codes_of(const PackedBatch& batch, std::int32_t first,
                                   std::int32_t last) {
  const auto columns = static_cast<std::ptrdiff_t>(batch.input_columns());
  const CodeTable* table = batch.code_table;
  const auto row_of = [&](std::int32_t node) {
    return table == nullptr
               ? batch.codes.begin() + node * columns
               : table->codes.begin() + batch.codes[static_cast<std::size_t>(node)] * columns;
  };
  std::vector<std::int32_t> codes;
  for (std::int32_t node = first; node < last; ++node)
    codes.insert(codes.end(), row_of(node), row_of(node) + columns);
  return codes;
}

}  // namespace sgood

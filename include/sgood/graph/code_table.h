// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace sgood {

struct PackedBatch;
struct PackedGraph;

/// Rows of codes that nodes share. Molecules have nine columns but fewer than a hundred kinds of
/// atoms, so that a network need compute each kind once and a batch hold one number per node.
struct CodeTable {
  std::int32_t columns = 0;
  std::vector<std::int32_t> codes;  ///< [num_rows, columns]

  std::int32_t num_rows() const {
    return columns == 0 ? 0 : static_cast<std::int32_t>(codes.size()) / columns;
  }
};

/// Tables with more rows than this cost more than they save.
inline constexpr std::int32_t kMostTableRows = 512;

/// The distinct rows of codes [num_nodes, columns] among `graphs`, in order of appearance, each row
/// of which is then replaced by its place in the table. Nothing is changed, and nothing returned,
/// for fewer than two columns or more than kMostTableRows distinct rows.
std::optional<CodeTable> tabulate_codes(std::vector<PackedGraph>& graphs, std::int32_t columns);

/// The codes of nodes [first, last) of `batch` themselves, [last - first, batch.input_columns()].
std::vector<std::int32_t> codes_of(const PackedBatch& batch, std::int32_t first, std::int32_t last);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "graph_blocks.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "per_graph.h"
#include "sgood/core/error.h"
#include "sgood/graph/subgraph.h"
#include "sgood/io/numbers.h"
#include "stored.h"

namespace sgood {
namespace {

[[noreturn]] void reject_columns(const std::string& columns, std::int32_t available) {
  throw InvalidArgument(
      fmt::format("option columns is '{}' but must be all, first, none, no-chirality, or positions "
                  "from 0 to {} such as 0,2-{}",
                  columns, available - 1, available - 1));
}

/// Positions and ranges, ascending.
std::vector<std::int32_t> parse_positions(const std::string& columns, std::int32_t available) {
  std::vector<std::int32_t> positions;
  for (std::string_view rest = columns; !rest.empty();) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const auto dash = item.find('-');
    const auto first = parse_number<std::int32_t>(item.substr(0, dash));
    const auto last = dash == item.npos ? first : parse_number<std::int32_t>(item.substr(dash + 1));
    if (!first || !last || *first < 0 || *first > *last || *last >= available)
      reject_columns(columns, available);
    for (std::int32_t c = *first; c <= *last; ++c) positions.push_back(c);
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  if (positions.empty()) reject_columns(columns, available);
  return positions;
}

std::vector<std::int32_t> choose_columns(const GraphSet& train, const std::string& columns,
                                         std::int32_t available) {
  if (columns == "none" || available == 0) return {};
  if (columns == "first") return {0};
  std::vector<std::int32_t> all(static_cast<std::size_t>(available));
  std::iota(all.begin(), all.end(), 0);
  if (columns == "no-chirality")
    std::erase_if(all, [&](std::int32_t c) {
      const auto i = static_cast<std::size_t>(c);
      return i < train.node_label_names.size() && train.node_label_names[i] == "chirality";
    });
  return columns == "all" || columns == "no-chirality" ? all : parse_positions(columns, available);
}

bool have_edge_labels(const GraphSet& train) {
  for (const Graph& graph : train.graphs)
    if (graph.num_edges() > 0) return graph.num_edge_columns() > 0;
  return false;
}

}  // namespace

BlockLabels choose_block_labels(const GraphSet& train, const std::string& columns,
                                bool edge_labels) {
  BlockLabels labels;
  const std::int32_t available = label_columns_of(train);
  labels.node_columns = choose_columns(train, columns, available);
  labels.needed_columns = labels.node_columns.empty() ? 0 : available;
  labels.edges = edge_labels && have_edge_labels(train);
  return labels;
}

void store(TensorFile& file, const BlockLabels& labels) {
  file.metadata["sgood.density.node_columns"] = std::to_string(labels.needed_columns);
  file.metadata["sgood.density.edge_labels"] = std::to_string(labels.edges ? 1 : 0);
  file.tensors["density.columns"] = Tensor::of(labels.node_columns);
}

BlockLabels stored_block_labels(const TensorFile& file) {
  BlockLabels labels;
  const std::int64_t needed = stored_integer(file, "sgood.density.node_columns");
  labels.node_columns = file.tensor("density.columns").values<std::int32_t>();
  labels.edges = stored_integer(file, "sgood.density.edge_labels") != 0;
  const std::vector<std::int32_t>& read = labels.node_columns;
  SGOOD_CHECK(needed >= 0 && needed <= 1 << 20 && read.empty() == (needed == 0) &&
                  std::ranges::adjacent_find(read, std::greater_equal<>()) == read.end() &&
                  (read.empty() || (read.front() >= 0 && read.back() < needed)),
              "the model file's density.columns do not fit {} node columns", needed);
  labels.needed_columns = static_cast<std::int32_t>(needed);
  return labels;
}

std::string block_name(const Block& block) {
  return fmt::format("{}, {}, depth {}", block.core ? "2-core" : "whole graph",
                     block.elements ? "elements" : "all labels", block.depth);
}

GraphBlocks::GraphBlocks(BlockLabels labels, int depth, bool whole, bool core)
    : labels_(std::move(labels)), depth_(depth) {
  const auto add = [&](bool of_core, bool elements) {
    for (int h = 0; h <= depth; ++h) blocks_.push_back({of_core, elements, h});
  };
  if (whole) add(false, false);
  if (core && (labels_.edges || labels_.node_columns.size() > 1)) add(true, true);
  if (core) add(true, false);
}

GraphColours GraphBlocks::colours(const Graph& graph) const {
  SGOOD_CHECK(labels_.needed_columns == 0 || graph.num_nodes() == 0 ||
                  graph.num_label_columns() == labels_.needed_columns,
              "graph {} has {} node labels per node but training graphs have {}", graph.id(),
              graph.num_label_columns(), labels_.needed_columns);
  SGOOD_CHECK(!labels_.edges || graph.num_edges() == 0 || graph.num_edge_columns() > 0,
              "graph {} has no edge labels but training graphs have", graph.id());
  const std::span<const std::int32_t> columns = labels_.node_columns;
  GraphColours result;
  Graph core;
  if (!blocks_.empty() && blocks_.back().core) {
    result.core = two_core(graph);
    core = induced_subgraph(graph, result.core);
  }
  for (std::size_t b = 0; b < blocks_.size(); b += static_cast<std::size_t>(depth_) + 1) {
    const Block& block = blocks_[b];
    const WlLabels labels = block.elements
                                ? WlLabels{columns.first(std::min<std::size_t>(columns.size(), 1))}
                                : WlLabels{columns, labels_.edges};
    for (auto& colours : wl_colours(block.core ? core : graph, depth_, labels))
      result.colours.push_back(std::move(colours));
  }
  return result;
}

std::vector<std::vector<ColourCount>> GraphBlocks::counts(const Graph& graph) const {
  GraphColours found = colours(graph);
  std::vector<std::vector<ColourCount>> counts;
  for (auto& of_block : found.colours) counts.push_back(count_colours(std::move(of_block)));
  return counts;
}

}  // namespace sgood

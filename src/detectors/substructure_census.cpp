// SPDX-License-Identifier: MIT
#include "substructure_census.h"

#include <algorithm>
#include <bit>

#include "per_graph.h"
#include "sgood/core/error.h"
#include "sgood/substructure/fingerprint.h"
#include "stored.h"

namespace sgood {

SubstructureCensus::SubstructureCensus(const GraphSet& train, const Partitioner& partitioner,
                                       int threads, const RunControl& control) {
  std::vector<std::vector<std::uint64_t>> of_graph(train.graphs.size());
  for_each_graph(
      std::ssize(of_graph), threads, control, "counting substructures", [&](std::int64_t g) {
        const Graph& graph = train.graphs[static_cast<std::size_t>(g)];
        const Substructures found = find_substructures(graph, partitioner, NodeOrder::kCanonical);
        std::vector<std::uint64_t> own = block_fingerprints(graph, found.partition);
        std::ranges::sort(own);
        own.erase(std::unique(own.begin(), own.end()), own.end());
        of_graph[static_cast<std::size_t>(g)] = std::move(own);
      });
  std::vector<std::uint64_t> all;
  for (const auto& own : of_graph) all.insert(all.end(), own.begin(), own.end());
  std::ranges::sort(all);
  for (const std::uint64_t fingerprint : all) {
    if (fingerprints_.empty() || fingerprints_.back() != fingerprint) {
      fingerprints_.push_back(fingerprint);
      graphs_with_.push_back(0);
    }
    ++graphs_with_.back();
  }
  for (const auto& own : of_graph)
    graphs_with_unique_ += std::ranges::any_of(
        own, [&](std::uint64_t fingerprint) { return graphs_with(fingerprint) == 1; });
  for (const Graph& graph : train.graphs) sizes_.push_back(graph.num_nodes());
  std::ranges::sort(sizes_);
}

std::int32_t SubstructureCensus::graphs_with(std::uint64_t fingerprint) const {
  const auto found = std::ranges::lower_bound(fingerprints_, fingerprint);
  return found == fingerprints_.end() || *found != fingerprint
             ? 0
             : graphs_with_[static_cast<std::size_t>(found - fingerprints_.begin())];
}

void SubstructureCensus::save(TensorFile& file) const {
  std::vector<std::int64_t> bits;
  for (const std::uint64_t fingerprint : fingerprints_)
    bits.push_back(std::bit_cast<std::int64_t>(fingerprint));
  file.tensors["census.fingerprints"] = Tensor::of(bits);
  file.tensors["census.graphs_with"] = Tensor::of(graphs_with_);
  file.tensors["census.sizes"] = Tensor::of(sizes_);
  file.metadata["sgood.census.unique"] = std::to_string(graphs_with_unique_);
}

SubstructureCensus SubstructureCensus::load(const TensorFile& file) {
  SubstructureCensus census;
  for (const std::int64_t bits : file.tensor("census.fingerprints").values<std::int64_t>())
    census.fingerprints_.push_back(std::bit_cast<std::uint64_t>(bits));
  census.graphs_with_ =
      stored_values<std::int32_t>(file, "census.graphs_with", {std::ssize(census.fingerprints_)});
  census.sizes_ = file.tensor("census.sizes").values<std::int32_t>();
  census.graphs_with_unique_ =
      static_cast<std::int32_t>(stored_integer(file, "sgood.census.unique"));
  SGOOD_CHECK(
      std::ranges::adjacent_find(census.fingerprints_, std::ranges::greater_equal()) ==
              census.fingerprints_.end() &&
          std::ranges::all_of(census.graphs_with_,
                              [&](std::int32_t n) { return n >= 1 && n <= census.num_graphs(); }) &&
          std::ranges::is_sorted(census.sizes_) && (census.sizes_.empty() || census.sizes_[0] >= 0),
      "the model file's census.* is not a count of substructures");
  return census;
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/substructure/partitioner.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sgood/core/error.h"
#include "sgood/substructure/brics.h"
#include "sgood/substructure/canonical_order.h"
#include "sgood/substructure/components.h"
#include "sgood/substructure/graclus.h"
#include "sgood/substructure/label_propagation.h"
#include "sgood/substructure/modularity.h"

namespace sgood {

Substructures find_substructures(const Graph& graph, const Partitioner& partitioner,
                                 NodeOrder order) {
  Substructures found;
  if (order == NodeOrder::kInput) {
    found.order.resize(static_cast<std::size_t>(graph.num_nodes()));
    std::iota(found.order.begin(), found.order.end(), 0);
    found.partition = partitioner.partition(graph);
    return found;
  }
  found.order = canonical_order(graph);
  std::vector<std::int32_t> position(found.order.size());
  for (std::size_t i = 0; i < found.order.size(); ++i)
    position[static_cast<std::size_t>(found.order[i])] = static_cast<std::int32_t>(i);
  const Partition canonical = partitioner.partition(graph.relabelled(position));
  std::vector<std::int32_t> block(found.order.size());
  for (std::size_t v = 0; v < block.size(); ++v) block[v] = canonical.block(position[v]);
  found.partition = Partition(std::move(block));
  return found;
}

const std::vector<PartitionerInfo>& partitioners() {
  using Made = std::unique_ptr<Partitioner>;
  using Options = PartitionerOptions;
  using Arithmetic = ModularityPartitioner::Arithmetic;
  static const std::vector<PartitionerInfo> rows = {
      {"modularity", "Greedy modularity with exact gains.", "Clauset, Newman and Moore, 2004",
       [](const Options&) -> Made {
         return std::make_unique<ModularityPartitioner>(Arithmetic::kExact);
       }},
      {"modularity-networkx", "Greedy modularity with the rounding and the ties of NetworkX.",
       "Clauset, Newman and Moore, 2004; NetworkX 2.8",
       [](const Options&) -> Made {
         return std::make_unique<ModularityPartitioner>(Arithmetic::kDouble);
       }},
      {"graclus", "Rounds of heavy-edge matching: each merges adjacent blocks in pairs.",
       "Dhillon, Guan and Kulis, 2007",
       [](const Options& options) -> Made {
         return std::make_unique<GraclusPartitioner>(options.graclus_levels);
       }},
      {"label-propagation", "Nodes take the most frequent label around them until none changes.",
       "Cordasco and Gargano, 2010; NetworkX 2.8",
       [](const Options&) -> Made { return std::make_unique<LabelPropagationPartitioner>(); }},
      {"brics", "Molecules, cut at the bonds that retrosynthesis would break.",
       "Degen, Wegscheid-Gerlach, Zaliani and Rarey, 2008",
       [](const Options&) -> Made { return std::make_unique<BricsPartitioner>(); }},
      {"none", "No substructures: every connected component is one.", "",
       [](const Options&) -> Made { return std::make_unique<ComponentsPartitioner>(); }},
  };
  return rows;
}

std::unique_ptr<Partitioner> make_partitioner(std::string_view name,
                                              const PartitionerOptions& options) {
  std::vector<std::string_view> known;
  for (const PartitionerInfo& row : partitioners()) {
    if (row.name == name) return row.make(options);
    known.push_back(row.name);
  }
  throw InvalidArgument(
      fmt::format("partitioner is '{}' but must be one of {}", name, fmt::join(known, ", ")));
}

}  // namespace sgood

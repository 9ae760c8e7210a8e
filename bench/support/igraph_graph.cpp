// SPDX-License-Identifier: MIT
#include "bench/support/igraph_graph.h"

#include <vector>

namespace sgood::bench {

IgraphGraph::IgraphGraph(const Graph& graph) {
  igraph_vector_int_t edges;
  igraph_vector_int_init(&edges, 2 * graph.num_edges());
  igraph_integer_t at = 0;
  for (std::int32_t u = 0; u < graph.num_nodes(); ++u)
    for (const std::int32_t v : graph.neighbors(u)) {
      if (v <= u) continue;
      VECTOR(edges)[at++] = u;
      VECTOR(edges)[at++] = v;
    }
  igraph_create(&graph_, &edges, graph.num_nodes(), IGRAPH_UNDIRECTED);
  igraph_vector_int_destroy(&edges);
}

IgraphGraph::~IgraphGraph() { igraph_destroy(&graph_); }

Partition IgraphGraph::partition() const {
  igraph_matrix_int_t merges;
  igraph_vector_t modularity;
  igraph_vector_int_t membership;
  igraph_matrix_int_init(&merges, 0, 0);
  igraph_vector_init(&modularity, 0);
  igraph_vector_int_init(&membership, 0);
  igraph_community_fastgreedy(&graph_, nullptr, &merges, &modularity, nullptr);
  igraph_community_to_membership(&merges, igraph_vcount(&graph_),
                                 igraph_vector_which_max(&modularity), &membership, nullptr);
  std::vector<std::int32_t> blocks;
  blocks.reserve(static_cast<std::size_t>(igraph_vector_int_size(&membership)));
  for (igraph_integer_t v = 0; v < igraph_vector_int_size(&membership); ++v)
    blocks.push_back(static_cast<std::int32_t>(VECTOR(membership)[v]));
  igraph_vector_int_destroy(&membership);
  igraph_vector_destroy(&modularity);
  igraph_matrix_int_destroy(&merges);
  return Partition(std::move(blocks));
}

}  // namespace sgood::bench

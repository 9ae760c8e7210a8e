// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sgood/graph/graph_set.h"

namespace sgood {

/// How much of the generated benchmark to make.
struct MotifOptions {
  std::int32_t num_id = 1000;  ///< >= 1
  std::int32_t num_ood = 300;  ///< >= 1
  std::uint64_t seed = 0;
};

/// The generated benchmark. All graphs have constant node features and no edge labels.
struct MotifData {
  GraphSet id;   ///< Two classes, as many graphs of each (one more of the first if odd).
  GraphSet ood;  ///< Unlabelled.
  /// Nodes of the pieces that no ID graph has, ascending, by OOD graph: what an explanation of a
  /// high score should name.
  std::vector<std::vector<std::int32_t>> new_nodes;
};

/// Generates graphs that differ in their substructures and in nothing simpler.
///
/// A graph is a random tree of 3 to 8 pieces, each number equally often. Every piece has six nodes,
/// seven edges and degrees 3, 3, 2, 2, 2, 2, and every tree edge joins two nodes of degree two, so
/// graphs of equally many pieces agree in nodes, edges and degrees.
///
/// ID pieces are two squares that share an edge (the majority in class 0) and a triangle and a
/// pentagon that share one (class 1). At least half of the pieces of an OOD graph are new: two
/// triangles joined by an edge, or a square and a pentagon that share two edges. On their own, the
/// joined triangles and the two squares look alike to plain message passing (Paper: Lemma 2).
///
/// Throws InvalidArgument for a number below 1.
MotifData make_motif_data(const MotifOptions& options);

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sgood {

/// A training graph that a graph was compared with.
struct NearGraph {
  std::int32_t position = 0;  ///< Among the training graphs.
  std::string id;             ///< Its own name.
  double distance = 0;        ///< In the units of the view.
};

/// One of the terms whose sum is the score.
struct ScoreTerm {
  std::string name;                ///< E.g. "core".
  double value = 0;                ///< What was measured, e.g. a distance from the training graphs.
  double contribution = 0;         ///< To the score; all contributions add up to it.
  std::vector<NearGraph> nearest;  ///< Nearest training graphs in this view, nearest first.
};

/// A substructure that training graphs like this one do not have, or have less often.
struct UnusualPart {
  std::string kind;                  ///< What it is, e.g. "2-core, all labels, depth 1".
  int radius = 0;                    ///< The part is all nodes at most so far from one of `nodes`.
  std::vector<std::int32_t> nodes;   ///< Where it is: the centres of its occurrences, ascending.
  std::int32_t in_nearest = 0;       ///< Occurrences in the nearest training graph.
  std::int32_t training_graphs = 0;  ///< How many have it at all; 0: never seen.
  double weight = 0;                 ///< Its share of the score, > 0.
};

/// What a method itself says of a graph's score.
struct Explanation {
  double score = 0;
  std::vector<ScoreTerm> terms;    ///< Largest contribution first.
  std::vector<UnusualPart> parts;  ///< Heaviest first.
  /// [num_nodes]: weights of parts, divided among their nodes; empty when the method cannot say.
  std::vector<double> node_weights;
  /// What of the positive contributions no node stands for: size, and what the graph lacks.
  double elsewhere = 0;
};

/// One of the substructures that a graph consists of, and what it does to the score.
struct SubstructureReason {
  std::vector<std::int32_t> nodes;  ///< Ascending.
  /// What it carries of the score, see Model::explain().
  std::optional<double> contribution;
  /// The score minus that of the graph without these nodes; nothing when no other node is left.
  std::optional<double> fall;
  std::int32_t training_graphs = 0;  ///< How many have an equal substructure; 0: never seen.
};

}  // namespace sgood

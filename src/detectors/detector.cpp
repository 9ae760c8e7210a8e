// SPDX-License-Identifier: MIT
#include "sgood/detectors/detector.h"

namespace sgood {

Explanation Detector::explain(const Graph& graph, int) const {
  GraphSet alone;
  alone.graphs.push_back(graph);
  Explanation result;
  result.score = score(alone)[0].score;
  result.terms.push_back({"score", result.score, result.score, {}});
  return result;
}

std::unique_ptr<Partitioner> Detector::substructures() const {
  return make_partitioner("modularity");
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sgood/core/error.h"
#include "sgood/detectors/detector.h"
#include "sgood/detectors/sgood.h"
#include "sgood/detectors/size.h"
#include "sgood/detectors/stats_knn.h"
#include "sgood/detectors/wl_knn.h"

namespace sgood {
namespace {

template <typename Method>
std::unique_ptr<Detector> make() {
  return std::make_unique<Method>();
}

}  // namespace

const std::vector<DetectorInfo>& detectors() {
  static const std::vector<DetectorInfo> rows = {
      {"sgood",
       "Two-level network over substructures, contrastive pre-training, Mahalanobis distance.",
       "Ding, Shi: SGOOD, Substructure-enhanced Graph-Level Out-of-Distribution Detection, CIKM "
       "2024",
       true, make<SgoodDetector>},
      {"size", "Untrained: how unusual the number of nodes (or edges, or the density) is.",
       "The shortcut that every other method must beat.", false, make<SizeDetector>},
      {"stats-knn", "Untrained: distance to the nearest training graphs in graph statistics.",
       "Angiulli, Pizzuti: Fast Outlier Detection in High Dimensional Spaces, PKDD 2002", false,
       make<StatsKnnDetector>},
      {"wl-knn",
       "Untrained: distance to the nearest training graphs under the Weisfeiler-Lehman kernel.",
       "Shervashidze, Schweitzer, van Leeuwen, Mehlhorn, Borgwardt: Weisfeiler-Lehman Graph "
       "Kernels, JMLR 2011",
       false, make<WlKnnDetector>},
  };
  return rows;
}

std::unique_ptr<Detector> make_detector(std::string_view name) {
  std::vector<std::string> names;
  for (const DetectorInfo& row : detectors()) {
    if (row.name == name) return row.make();
    names.push_back(row.name);
  }
  throw InvalidArgument(
      fmt::format("there is no method '{}'; known are {}", name, fmt::join(names, ", ")));
}

}  // namespace sgood

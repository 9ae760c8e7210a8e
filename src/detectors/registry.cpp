// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sgood/core/error.h"
#include "sgood/detectors/detector.h"
#include "sgood/detectors/sgood.h"

namespace sgood {

const std::vector<DetectorInfo>& detectors() {
  static const std::vector<DetectorInfo> rows = {
      {"sgood",
       "Two-level network over substructures, contrastive pre-training, Mahalanobis distance.",
       "Ding, Shi: SGOOD, Substructure-enhanced Graph-Level Out-of-Distribution Detection, CIKM "
       "2024",
       true, []() -> std::unique_ptr<Detector> { return std::make_unique<SgoodDetector>(); }},
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

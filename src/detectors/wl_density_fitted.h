// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph_blocks.h"
#include "sgood/detectors/wl_density.h"
#include "training_density.h"
#include "view_calibration.h"

namespace sgood {

struct WlDensityDetector::Fitted {
  GraphBlocks blocks;
  TrainingDensity density;
  ViewCalibration calibration;
  std::vector<std::string> ids;  ///< Of the training graphs.

  GraphFeatures features(const Graph& graph) const {
    return {graph.num_nodes(), blocks.counts(graph)};
  }
};

}  // namespace sgood

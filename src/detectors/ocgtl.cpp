// SPDX-License-Identifier: MIT
#include "sgood/detectors/ocgtl.h"

namespace sgood {

void OcgtlDetector::add_options(OptionTable& table) {
  table.add("transformations", &transformations_, 1, 100, "Encoders beside the reference (K).");
  table.add("layers", &layers_, 1, 16, "Layers of each encoder.");
  table.add("width", &width_, 1, 1024, "Hidden width.");
  table.add("tau", &tau_, 0.001, 1000, "Temperature of the contrast among transformations.");
}

}  // namespace sgood

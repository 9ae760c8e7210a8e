// SPDX-License-Identifier: MIT
#include "sgood/detectors/glocalkd.h"

namespace sgood {

void GlocalkdDetector::add_options(OptionTable& table) {
  table.add("width", &width_, 2, 4096, "Hidden width.");
  table.add("outputs", &outputs_, 1, 4096, "Width of what the student copies.");
  table.add("published", &published_,
            "As the published code: graphs are padded to one size, and training normalises over "
            "nodes at the same place of all graphs of a batch.");
}

}  // namespace sgood

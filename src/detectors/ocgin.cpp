// SPDX-License-Identifier: MIT
#include "sgood/detectors/ocgin.h"

namespace sgood {

void OcginDetector::add_options(OptionTable& table) {
  table.add("backbone", &backbone_, {"gin", "gcn", "sage"}, "Message passing.");
  table.add("layers", &layers_, 1, 16, "Layers.");
  table.add("width", &width_, 1, 1024, "Hidden width.");
  table.add("weight_decay", &weight_decay_, 0, 1, "Adam's weight decay.");
}

}  // namespace sgood

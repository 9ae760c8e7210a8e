// SPDX-License-Identifier: MIT
#include "sgood/detectors/graphde.h"

namespace sgood {

void GraphdeDetector::add_options(OptionTable& table) {
  table.add("variant", &variant_, {"variational", "amortised"},
            "Whether each training graph has free weights (GraphDE-v) or they follow from its "
            "likelihood (GraphDE-a).");
  table.add("backbone", &backbone_, {"gat", "gcn", "gin", "sage"},
            "Message passing of the classifier.");
  table.add("layers", &layers_, 1, 16, "Layers of the classifier.");
  table.add("width", &width_, 1, 1024, "Hidden width.");
  table.add("outlier_share", &outlier_share_, 0.001, 0.999,
            "Share of outliers in training that is expected beforehand (rho).");
  table.add("published", &published_, "As the published code: random non-edges in scoring.");
}

}  // namespace sgood

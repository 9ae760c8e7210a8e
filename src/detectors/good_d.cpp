// SPDX-License-Identifier: MIT
#include "sgood/detectors/good_d.h"

namespace sgood {

void GoodDDetector::add_options(OptionTable& table) {
  table.add("backbone", &backbone_, {"gin", "gcn", "sage"}, "Message passing of both views.");
  table.add("layers", &layers_, 1, 16, "Layers of each encoder.");
  table.add("width", &width_, 1, 1024, "Hidden width.");
  table.add("clusters", &clusters_, 2, 1000, "Groups of training graphs.");
  table.add("alpha", &alpha_, 0, 10,
            "Losses are weighted in training by the power alpha of their deviation.");
  table.add("tau", &tau_, 0.05, 1000, "Temperature of all contrasts.");
  table.add("bank", &bank_, 2, 1 << 20, "Most training graphs kept as negatives for scoring.");
  table.add("published", &published_,
            "As the published code: negatives are the other graphs of the call.");
}

}  // namespace sgood

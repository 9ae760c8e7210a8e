// SPDX-License-Identifier: MIT
#include "sgood/detectors/sgood.h"

namespace sgood {

OptionTable SgoodOptions::table() {
  OptionTable t;
  add_network_to(t);
  add_training_to(t);
  DistanceOptions::add_to(t);
  add_engine_to(t);
  return t;
}

}  // namespace sgood

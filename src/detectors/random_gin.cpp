// SPDX-License-Identifier: MIT
#include "sgood/detectors/random_gin.h"

namespace sgood {

OptionTable RandomGinOptions::table() {
  OptionTable t;
  add_network_to(t);
  DistanceOptions::add_to(t);
  return t;
}

}  // namespace sgood

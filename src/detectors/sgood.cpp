// SPDX-License-Identifier: MIT
#include "sgood/detectors/sgood.h"

namespace sgood {

OptionTable SgoodOptions::table() {
  OptionTable t;
  NetworkOptions::add_to(t);
  DistanceOptions::add_to(t);
  add_engine_to(t);
  return t;
}

}  // namespace sgood

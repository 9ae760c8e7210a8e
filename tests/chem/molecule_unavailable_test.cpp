// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sgood/chem/molecule.h"
#include "sgood/core/error.h"

namespace sgood {
namespace {

TEST(MoleculeWithoutRdkit, EveryFunctionTellsTheCure) {
  EXPECT_FALSE(molecules_available());
  EXPECT_THAT([] { molecule_to_graph("CCO"); },
              testing::ThrowsMessage<Unavailable>(testing::HasSubstr("librdkit-dev")));
  EXPECT_THAT([] { murcko_scaffold("CCO"); },
              testing::ThrowsMessage<Unavailable>(testing::HasSubstr("librdkit-dev")));
}

}  // namespace
}  // namespace sgood

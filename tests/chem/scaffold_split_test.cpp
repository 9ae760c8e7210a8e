// SPDX-License-Identifier: MIT
#include "sgood/chem/scaffold_split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sgood/chem/molecule.h"
#include "sgood/core/error.h"

namespace sgood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;
using Texts = std::vector<std::string>;

TEST(ScaffoldSplit, LargestGroupsTrainAndOfEqualSizesTheLaterGoesFirst) {
  // Sizes: a 4, b 2 (begins at 4), c 2 (begins at 6), d 1, e 1; 10 molecules: 8 train, 1 valid, 1
  // test.
  const Texts scaffolds = {"a", "a", "a", "a", "b", "b", "c", "c", "d", "e"};
  const ScaffoldSplit split = split_by_scaffold(scaffolds);
  EXPECT_THAT(split.train, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(split.valid, ElementsAre(9));
  EXPECT_THAT(split.test, ElementsAre(8));
}

TEST(ScaffoldSplit, GroupTooLargeForTrainLeavesRoomForSmallerOnes) {
  // d would make nine in train, so it goes to valid; e still fits.
  const Texts scaffolds = {"a", "a", "a", "a", "a", "a", "a", "d", "d", "e"};
  const ScaffoldSplit split = split_by_scaffold(scaffolds);
  EXPECT_THAT(split.train, ElementsAre(0, 1, 2, 3, 4, 5, 6, 9));
  EXPECT_THAT(split.valid, ElementsAre(7, 8));
  EXPECT_THAT(split.test, IsEmpty());
}

TEST(ScaffoldSplit, OneScaffoldForAllGoesToTest) {
  const ScaffoldSplit split = split_by_scaffold(Texts(10, ""));
  EXPECT_THAT(split.train, IsEmpty());
  EXPECT_THAT(split.valid, IsEmpty());
  EXPECT_EQ(split.test.size(), 10u);
}

TEST(ScaffoldSplit, EmptyListGivesEmptyParts) {
  const ScaffoldSplit split = split_by_scaffold({});
  EXPECT_THAT(split.train, IsEmpty());
  EXPECT_THAT(split.test, IsEmpty());
}

TEST(ScaffoldSplit, ScaffoldsDifferByChirality) {
  EXPECT_NE(murcko_scaffold("C1CC[C@@]2(C1)CCNC2"), murcko_scaffold("C1CC[C@]2(C1)OCNC2"));
  EXPECT_NE(murcko_scaffold("O=C1N[C@H]2CCC[C@@H]2O1"),
            murcko_scaffold("O=C1N[C@@H]2CCC[C@@H]2O1"));
  EXPECT_EQ(murcko_scaffold("CCCO"), "");
}

TEST(ScaffoldSplit, UnreadableSmilesIsNamed) {
  EXPECT_THAT(
      [] {
        scaffold_split(Texts{"CC", "C1CC", "CC("}, 2);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("molecule 1: RDKit cannot read the SMILES 'C1CC'")));
  EXPECT_THROW(scaffold_split(Texts{"CC"}, 0), InvalidArgument);
}

}  // namespace
}  // namespace sgood

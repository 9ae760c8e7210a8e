// SPDX-License-Identifier: MIT
// From files alone; tests/cli/test_fetch.py has a server.
#include "sgood/io/download.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sgood/core/error.h"
#include "tests/io/temporary_folder.h"

namespace sgood {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// As sha256sum prints it for "abc", the example of FIPS 180.
constexpr const char* kDigest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

std::string address_of(const std::filesystem::path& path) { return "file://" + path.string(); }

TEST(Download, CopiesAFileWithItsDigest) {
  const TemporaryFolder folder;
  const auto made = download(address_of(folder.write("a", "abc")), folder / "b", kDigest);
  EXPECT_EQ(made.bytes, 3);
  EXPECT_EQ(made.sha256, kDigest);
  EXPECT_EQ(read_bytes(folder / "b"), "abc");
  EXPECT_FALSE(std::filesystem::exists(folder / "b.part"));
}

TEST(Download, GoesOnFromAPart) {
  const TemporaryFolder folder;
  folder.write("b.part", "ab");
  EXPECT_EQ(download(address_of(folder.write("a", "abc")), folder / "b").sha256, kDigest);
  folder.write("c.part",
               "xx");  // not the beginning of the file: the rest alone is fetched, as told
  EXPECT_THAT(
      error_of<ParseError>([&] { download(address_of(folder / "a"), folder / "c", kDigest); }),
      AllOf(HasSubstr(kDigest), HasSubstr("is expected")));
  EXPECT_FALSE(std::filesystem::exists(folder / "c.part"));
  EXPECT_FALSE(std::filesystem::exists(folder / "c"));
}

TEST(Download, NamesWhatIsMissingAndLeavesNothing) {
  const TemporaryFolder folder;
  const std::string address = address_of(folder / "none");
  EXPECT_THAT(error_of<IoError>([&] { download(address, folder / "b"); }), HasSubstr(address));
  EXPECT_THAT(error_of<IoError>([&] { download("gopher://x/y", folder / "b"); }),
              HasSubstr("gopher"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace sgood

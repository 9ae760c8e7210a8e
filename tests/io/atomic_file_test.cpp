// SPDX-License-Identifier: MIT
#include "sgood/io/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "sgood/core/error.h"
#include "tests/io/temporary_folder.h"

namespace sgood {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

namespace fs = std::filesystem;

std::ptrdiff_t entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), {});
}

TEST(AtomicFile, WritesNewFilesAndReplacesOldOnesLeavingNothingElse) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "first");
  EXPECT_EQ(read_bytes(folder / "a"), "first");
  const std::string bytes("\0\n\xFF second", 10);
  write_file_atomically(folder / "a", bytes);
  EXPECT_EQ(read_bytes(folder / "a"), bytes);
  write_file_atomically(folder / "a", "");
  EXPECT_EQ(read_bytes(folder / "a"), "");
  EXPECT_EQ(entries(folder.path()), 1);
}

TEST(AtomicFile, KeepsThePermissionsAndFollowsLinks) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a", "old");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  fs::create_symlink("a", folder / "link");
  write_file_atomically(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_bytes(file), "new");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
}

TEST(AtomicFile, AFullDiskLeavesTheOldFileAndNoTemporary) {
  const TemporaryFolder folder;
  const fs::path file = folder.write("a", "old");
  // A limit on the size of files stands for the full disk.
  rlimit old_limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{1000, old_limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::string message;
  try {
    write_file_atomically(file, std::string(5000, 'x'));
  } catch (const IoError& error) {
    message = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  ::signal(SIGXFSZ, old_handler);
  EXPECT_THAT(message, AllOf(HasSubstr(file.string()), HasSubstr("File too large")));
  EXPECT_EQ(read_bytes(file), "old");
  EXPECT_EQ(entries(folder.path()), 1);
}

TEST(AtomicFile, ErrorsNameThePathAndTheReason) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of<IoError>([&] { write_file_atomically(folder / "none/a", "x"); }),
              AllOf(HasSubstr("none/a: cannot be written"), HasSubstr("No such file")));
  EXPECT_THAT(error_of<IoError>([&] { write_file_atomically(folder.path(), "x"); }),
              HasSubstr("directory"));
  EXPECT_THAT(error_of<IoError>([&] { write_file_atomically(folder.write("f", "") / "a", "x"); }),
              HasSubstr("Not a directory"));
}

TEST(AtomicFile, DevicesAreWrittenAndNotReplaced) {
  EXPECT_THAT(error_of<IoError>([] { write_file_atomically("/dev/full", "x"); }),
              HasSubstr("No space left"));
  write_file_atomically("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/io/text_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "sgood/core/error.h"
#include "tests/io/temporary_folder.h"

namespace sgood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  while (const auto line = reader.next()) lines.emplace_back(*line);
  EXPECT_EQ(reader.line(), static_cast<std::int64_t>(lines.size()));
  EXPECT_EQ(reader.next(), std::nullopt);
  return lines;
}

TEST(LineReader, HandlesEveryKindOfLineEnd) {
  const TemporaryFolder folder;
  EXPECT_THAT(lines_of(folder.write("a", "x\ny\r\n\nz")), ElementsAre("x", "y", "", "z"));
  EXPECT_THAT(lines_of(folder.write("b", "x\n")), ElementsAre("x"));
  EXPECT_THAT(lines_of(folder.write("c", "\n")), ElementsAre(""));
  EXPECT_THAT(lines_of(folder.write("d", "")), IsEmpty());
  EXPECT_THAT(lines_of(folder.write("e", "x\ry\r")), ElementsAre("x\ry"));
}

TEST(LineReader, DropsAByteOrderMarkAtTheStartOnly) {
  const TemporaryFolder folder;
  EXPECT_THAT(lines_of(folder.write("a", "\xEF\xBB\xBFx\n\xEF\xBB\xBFy")),
              ElementsAre("x", "\xEF\xBB\xBFy"));
}

TEST(LineReader, ReadsGzipAndFindsItBehindThePlainName) {
  const TemporaryFolder folder;
  folder.write_gz("a.txt.gz", "one\ntwo\n");
  EXPECT_THAT(lines_of(folder / "a.txt"), ElementsAre("one", "two"));
  EXPECT_THAT(lines_of(folder / "a.txt.gz"), ElementsAre("one", "two"));
  folder.write("a.txt", "plain\n");
  EXPECT_THAT(lines_of(folder / "a.txt"), ElementsAre("plain"));
}

TEST(LineReader, LinesLongerThanTheBufferComeWhole) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 40; ++i)
    text +=
        std::string(static_cast<std::size_t>(i) * 20'001, static_cast<char>('a' + i % 26)) + '\n';
  const auto check = [&](const std::filesystem::path& path) {
    std::string joined;
    for (const std::string& line : lines_of(path)) joined += line + '\n';
    EXPECT_TRUE(joined == text);
  };
  check(folder.write("a", text));
  check(folder.write_gz("b.gz", text));
}

TEST(LineReader, NamesBothFilesWhenThereIsNeither) {
  const TemporaryFolder folder;
  EXPECT_THAT(
      error_of<IoError>([&] { LineReader(folder / "none.txt"); }),
      testing::AllOf(HasSubstr("none.txt: "), HasSubstr("none.txt.gz"), HasSubstr("check")));
}

TEST(LineReader, ACutOffOrDamagedGzipFileIsAnErrorAndNotAShorterFile) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919 % 10'007) + '\n';
  const std::string whole = read_bytes(folder.write_gz("a.gz", text));
  for (const std::size_t size :
       {std::size_t{12}, whole.size() / 2, whole.size() - 9, whole.size() - 1})
    EXPECT_THAT(error_of<IoError>([&] { lines_of(folder.write("cut.gz", whole.substr(0, size))); }),
                HasSubstr("cut.gz: the gzip data are damaged or cut off"))
        << size;
  std::string altered = whole;
  altered[altered.size() / 2] ^= 0x10;
  EXPECT_THAT(error_of<IoError>([&] { lines_of(folder.write("bad.gz", altered)); }),
              HasSubstr("damaged"));
}

TEST(LineReader, AFolderIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of<IoError>([&] { lines_of(folder.path()); }), HasSubstr("directory"));
}

TEST(LineReader, DashReadsStandardInputLineByLine) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  LineReader reader("-");
  // The first line must come although the writer has not closed.
  ASSERT_EQ(::write(ends[1], "one\ntw", 6), 6);
  EXPECT_EQ(reader.next(), "one");
  ASSERT_EQ(::write(ends[1], "o\n", 2), 2);
  EXPECT_EQ(reader.next(), "two");
  ::close(ends[1]);
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_EQ(reader.file(), "standard input");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(ends[0]);
}

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/io/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sgood/core/error.h"
#include "sgood/core/rng.h"
#include "tests/io/temporary_folder.h"

namespace sgood {
namespace {

using ::testing::HasSubstr;

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

/// A file of format 1 with this dictionary.
std::string npy(const std::string& dictionary, const std::string& data) {
  std::string file = "\x93NUMPY";
  file += '\1';
  file += '\0';
  file += static_cast<char>(dictionary.size() & 0xff);
  file += static_cast<char>(dictionary.size() >> 8);
  return file + dictionary + data;
}

std::string header(const std::string& type, const std::string& shape) {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

TEST(Npy, ReadsWhatNumPyWrites) {
  std::ifstream stream(SGOOD_TEST_FOLDER "/golden/io_npy.json");
  const auto golden = nlohmann::json::parse(stream);
  ASSERT_GT(golden.size(), 15u);
  const TemporaryFolder folder;
  for (const auto& file : golden) {
    SCOPED_TRACE(file["name"].get<std::string>());
    const NpyArray array =
        read_npy(folder.write("a.npy", from_hex(file["hex"].get<std::string>())));
    EXPECT_EQ(array.shape, file["shape"].get<std::vector<std::int64_t>>());
    EXPECT_EQ(array.values, file["values"].get<std::vector<double>>());
    EXPECT_EQ(array.matrix().rows, array.shape[0]);
    EXPECT_EQ(array.matrix().cols, array.shape.size() == 2 ? array.shape[1] : 1);
  }
}

TEST(Npy, KeepsWhatIsNotFinite) {
  const TemporaryFolder folder;
  const std::string data("\0\0\xc0\x7f\0\0\x80\xff", 8);
  const NpyArray array = read_npy(folder.write("a.npy", npy(header("<f4", "(2,)"), data)));
  EXPECT_TRUE(std::isnan(array.values[0]));
  EXPECT_EQ(array.values[1], -INFINITY);
}

TEST(Npy, ADefectIsNamedTogetherWithTheFile) {
  const TemporaryFolder folder;
  const std::string eight(8, '\0');
  const std::vector<std::pair<std::string, const char*>> cases = {
      {"", "not a .npy file"},
      {"id,score\n1,2\n3,4\n", "not a .npy file"},
      {std::string("\x93NUMPY\x04\0\x01\0xxxx", 14), "format 4"},
      {npy(header("<f8", "(1,)"), eight).substr(0, 30), "cut off in its header"},
      {npy("no dictionary", eight), "header is damaged"},
      {npy("{'descr': '<f8', 'shape': (1,)}", eight), "header is damaged"},
      {npy("{'descr': '<f8', 'fortran_order': 1, 'shape': (1,)}", eight), "header is damaged"},
      {npy(header("<f8", "(-1,)"), eight), "header is damaged"},
      {npy(header("<f8", "(1"), eight), "header is damaged"},
      {npy(header("<f8", "(99999999999999999999,)"), eight), "header is damaged"},
      {npy(header("<f8", "()"), eight), "0 dimensions"},
      {npy(header("<f8", "(1, 1, 1)"), eight), "3 dimensions"},
      {npy(header(">f8", "(1,)"), eight), "type '>f8'"},
      {npy(header("<c8", "(1,)"), eight), "type '<c8'"},
      {npy(header("|O", "(1,)"), eight), "type '|O'"},
      {npy(header("<f8", "(2,)"), eight), "but 8 bytes follow"},
      {npy(header("<f8", "(1,)"), eight + "x"), "but 9 bytes follow"},
      {npy(header("<f8", "(0, 3)"), eight), "but 8 bytes follow"},
      {npy(header("<f8", "(4611686018427387904, 4611686018427387904)"), eight), "bytes follow"},
      {npy(header("<f8", "(2305843009213693953, 8)"), eight), "bytes follow"},
      {npy(header("<i8", "(1,)"), std::string("\1\0\0\0\0\0\x20\0", 8)), "from 2^53 on"},
  };
  for (const auto& [contents, text] : cases) {
    const auto path = folder.write("bad.npy", contents);
    const std::string error = error_of<ParseError>([&] { read_npy(path); });
    EXPECT_THAT(error, HasSubstr(text));
    EXPECT_THAT(error, HasSubstr("bad.npy"));
  }
  EXPECT_THAT(error_of<IoError>([&] { read_npy(folder / "none.npy"); }), HasSubstr("no such file"));
  EXPECT_THAT(error_of<IoError>([&] { read_npy(folder.path()); }), HasSubstr("not a regular file"));
}

TEST(Npy, NoDamageCrashesTheReader) {
  const TemporaryFolder folder;
  const std::string whole = npy(header("<i4", "(3, 2)"), std::string(24, '\1'));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THROW(read_npy(folder.write("cut.npy", whole.substr(0, length))), ParseError);
  Rng rng(5);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = whole;
    for (int n = 0; n < 3; ++n)
      damaged[rng.below(damaged.size())] = static_cast<char>(rng.below(256));
    try {
      EXPECT_LE(read_npy(folder.write("damaged.npy", damaged)).values.size(), 24u);
    } catch (const ParseError&) {
    }
  }
}

}  // namespace
}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/io/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sgood/core/error.h"
#include "tests/io/temporary_folder.h"

namespace sgood {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename T>
std::vector<T> numbers_of(const std::string& text) {
  const TemporaryFolder folder;
  LineReader reader(folder.write("n.txt", "first\n" + text));
  reader.next();
  const auto line = reader.next();
  std::vector<T> values;
  const std::size_t count = append_numbers(reader, line.value_or(""), values);
  EXPECT_EQ(count, values.size());
  return values;
}

TEST(Numbers, TrimmedRemovesBlanksAtBothEndsOnly) {
  EXPECT_EQ(trimmed(" \ta b\t "), "a b");
  EXPECT_EQ(trimmed("  "), "");
}

TEST(Numbers, ParseTakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_number<std::int32_t>(" -12 "), -12);
  EXPECT_EQ(parse_number<std::int32_t>("+7"), 7);
  EXPECT_EQ(parse_number<std::int64_t>("9000000000"), 9'000'000'000);
  EXPECT_EQ(parse_number<double>("1e-3"), 0.001);
  EXPECT_EQ(parse_number<float>("1e-50"), 0.0f);
  EXPECT_TRUE(std::isnan(*parse_number<double>("nan")));
  for (const char* text : {"", " ", "1 2", "1.5", "x", "+-1", "+", "2147483648", "1,", "0x10"})
    EXPECT_EQ(parse_number<std::int32_t>(text), std::nullopt) << text;
}

TEST(Numbers, ALineMayHoldBlanksAroundCommas) {
  EXPECT_THAT(numbers_of<std::int32_t>("1, 2 ,\t-3  "), ElementsAre(1, 2, -3));
  EXPECT_THAT(numbers_of<float>("0.5,1e2, +3"), ElementsAre(0.5f, 100.0f, 3.0f));
}

TEST(Numbers, ErrorsNameFileLinePositionAndValue) {
  EXPECT_THAT(error_of<ParseError>([] { numbers_of<std::int32_t>("1, abc, 3"); }),
              AllOf(HasSubstr("n.txt:2: value 2 is 'abc'"), HasSubstr("whole number")));
  for (const char* text : {"1,", ",1", "1,,2", "1 2", "1.0", "", "99999999999", "1;2"})
    EXPECT_THROW(numbers_of<std::int32_t>(text), ParseError) << text;
  for (const char* text : {"nan", "1,inf", "-Infinity", "1e39", "1e400", "1,2x"})
    EXPECT_THAT(error_of<ParseError>([&] { numbers_of<float>(text); }),
                HasSubstr("must be a finite number"))
        << text;
}

}  // namespace
}  // namespace sgood

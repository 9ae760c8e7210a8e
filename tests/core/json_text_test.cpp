// SPDX-License-Identifier: MIT
#include "sgood/core/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sgood/core/error.h"

namespace sgood {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

template <typename Json>
std::string complaint(const std::string& text) {
  try {
    parse_json<Json>(text);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

std::string nested(int levels) { return std::string(levels, '[') + std::string(levels, ']'); }

std::string object_of(int members) {
  std::string text = "{";
  for (int i = 0; i < members; ++i) text += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":0";
  return text + "}";
}

TEST(JsonText, ReadsWhatIsLegal) {
  EXPECT_EQ(parse_json<json>(R"({"a": [1, 2.5, "x"]})")["a"][2], "x");
  EXPECT_EQ(complaint<json>(nested(100)), "");
  EXPECT_EQ(complaint<json>(object_of(20'000)), "");
  EXPECT_EQ(complaint<ordered_json>(object_of(10'000)), "");
}

TEST(JsonText, TellsWhereTheTextIsWrong) {
  EXPECT_THAT(complaint<json>("{\"a\": }"),
              AllOf(HasSubstr("not JSON"), HasSubstr("column 7"), Not(HasSubstr("exception"))));
  EXPECT_LT(complaint<json>(fmt::format("\"{:x<100000}", "")).size(), 300U);
}

TEST(JsonText, RefusesWhatWouldOverflowTheStackOrTakeForever) {
  EXPECT_THAT(complaint<json>(nested(101)), HasSubstr("deeper than 100 levels"));
  EXPECT_THAT(complaint<json>(std::string(1'000'000, '[')), HasSubstr("deeper than 100 levels"));
  EXPECT_THAT(complaint<ordered_json>(object_of(10'001)), HasSubstr("10001 members"));
}

TEST(JsonText, BracketsInsideTextsDoNotNest) {
  EXPECT_EQ(complaint<json>(fmt::format("\"{:[<1000}\"", "")), "");
  EXPECT_EQ(complaint<json>(fmt::format("[\"\\\"{:[<1000}\"]", "")), "");
}

}  // namespace
}  // namespace sgood

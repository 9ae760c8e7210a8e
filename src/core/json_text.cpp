// SPDX-License-Identifier: MIT
#include "sgood/core/json_text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include "sgood/core/error.h"

namespace sgood {
namespace {

constexpr std::int64_t kDeepest = 100;
constexpr std::int64_t kMostOrderedMembers = 10'000;

/// What the brackets and colons outside of texts tell.
struct Outline {
  std::int64_t depth = 0;    // at most kDeepest + 1: counting stops there
  std::int64_t members = 0;  // of all objects together
};

Outline outline_of(std::string_view text) {
  Outline outline;
  std::int64_t depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size() && outline.depth <= kDeepest; ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted) {
      i += c == '\\' ? 1 : 0;
      continue;
    }
    if (c == '[' || c == '{') outline.depth = std::max(outline.depth, ++depth);
    if (c == ']' || c == '}') --depth;
    outline.members += c == ':' ? 1 : 0;
  }
  return outline;
}

/// The library's complaint without its catalogue number and the line, which is always the first.
std::string complaint(std::string text) {
  constexpr std::size_t kLongest = 200;
  if (const auto end = text.find("] "); text.starts_with('[') && end != std::string::npos)
    text.erase(0, end + 2);
  constexpr std::string_view kLine = "line 1, ";
  if (const auto at = text.find(kLine); at != std::string::npos) text.erase(at, kLine.size());
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text;
}

}  // namespace

template <typename Json>
Json parse_json(std::string_view text) {
  const Outline outline = outline_of(text);
  SGOOD_CHECK(outline.depth <= kDeepest, "the JSON nests deeper than {} levels", kDeepest);
  SGOOD_CHECK(
      (!std::is_same_v<Json, nlohmann::ordered_json>) || outline.members <= kMostOrderedMembers,
      "the JSON has {} members; legal are {} at most", outline.members, kMostOrderedMembers);
  try {
    return Json::parse(text);
  } catch (const typename Json::exception& error) {
    throw InvalidArgument("not JSON: " + complaint(error.what()));
  }
}

template nlohmann::json parse_json(std::string_view);
template nlohmann::ordered_json parse_json(std::string_view);

}  // namespace sgood

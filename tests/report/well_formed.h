// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

namespace sgood {

/// Whether every element of an XML or XHTML text is closed in order, attributes are quoted, and
/// every ampersand starts an entity.
inline ::testing::AssertionResult well_formed(std::string text) {
  static const std::regex declarations(R"(<\?[^>]*\?>|<!DOCTYPE[^>]*>|<!--[^]*?-->)");
  static const std::regex tag(
      R"(<(/?)([A-Za-z][A-Za-z0-9:]*)((?:\s+[A-Za-z][-A-Za-z0-9:]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(/?)>)");
  static const std::regex entity(R"(&(?:[a-z]+|#[0-9]+);)");
  text = std::regex_replace(text, declarations, "");
  std::vector<std::string> open;
  std::string rest;
  auto last = text.cbegin();
  for (std::sregex_iterator it(text.cbegin(), text.cend(), tag), end; it != end; ++it) {
    const std::smatch& match = *it;
    rest.append(last, match[0].first).append(match[3].str());
    last = match[0].second;
    if (match[1].length() > 0) {
      if (open.empty() || open.back() != match[2])
        return ::testing::AssertionFailure() << "</" << match[2] << "> closes nothing";
      open.pop_back();
    } else if (match[4].length() == 0) {
      open.push_back(match[2]);
    }
  }
  rest.append(last, text.cend());
  if (!open.empty()) return ::testing::AssertionFailure() << open.back() << " is not closed";
  rest = std::regex_replace(rest, entity, "");
  const std::size_t stray = rest.find_first_of("<&");
  if (stray != std::string::npos)
    return ::testing::AssertionFailure() << "not markup: " << rest.substr(stray, 60);
  return ::testing::AssertionSuccess();
}

}  // namespace sgood

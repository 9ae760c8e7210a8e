// SPDX-License-Identifier: MIT
#include "sgood/io/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "sgood/core/error.h"

namespace sgood {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// std::from_chars with the leading '+' that it refuses; returns the end of the number, or null.
template <typename T>
const char* scan(const char* first, const char* last, T* value) {
  if (last - first >= 2 && *first == '+' && first[1] != '-') ++first;
  const auto [end, error] = std::from_chars(first, last, *value);
  return error == std::errc() ? end : nullptr;
}

// Through double, so that tiny values become 0 (or denormal) and not an error.
const char* scan(const char* first, const char* last, float* value) {
  double wide = 0;
  const char* const end = scan(first, last, &wide);
  *value = static_cast<float>(wide);
  return end;
}

template <typename T>
[[noreturn]] void reject(const LineReader& reader, std::size_t position, const char* first,
                         const char* last) {
  const char* const comma = std::find(first, last, ',');
  const std::string_view value = trimmed({first, static_cast<std::size_t>(comma - first)});
  throw ParseError(
      reader.file(), reader.line(),
      fmt::format("value {} is '{:.40}' but must be a {}", position, value,
                  std::is_integral_v<T> ? "whole number that fits 32 bits" : "finite number"));
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

template <typename T>
std::optional<T> parse_number(std::string_view text) {
  text = trimmed(text);
  T value{};
  const char* const last = text.data() + text.size();
  if (text.empty() || scan(text.data(), last, &value) != last) return std::nullopt;
  return value;
}

template <typename T>
std::size_t append_numbers(const LineReader& reader, std::string_view line, std::vector<T>& out) {
  const char* at = line.data();
  const char* const last = at + line.size();
  for (std::size_t position = 1;; ++position) {
    const char* const first = at;
    while (at != last && is_blank(*at)) ++at;
    T value{};
    at = scan(at, last, &value);
    if (!at) reject<T>(reader, position, first, last);
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(value)) reject<T>(reader, position, first, last);
    out.push_back(value);
    while (at != last && is_blank(*at)) ++at;
    if (at == last) return position;
    if (*at != ',') reject<T>(reader, position, first, last);
    ++at;
  }
}

template std::optional<std::int32_t> parse_number(std::string_view);
template std::optional<std::int64_t> parse_number(std::string_view);
template std::optional<float> parse_number(std::string_view);
template std::optional<double> parse_number(std::string_view);
template std::size_t append_numbers(const LineReader&, std::string_view,
                                    std::vector<std::int32_t>&);
template std::size_t append_numbers(const LineReader&, std::string_view, std::vector<float>&);

}  // namespace sgood

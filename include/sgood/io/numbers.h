// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sgood/io/text_file.h"

namespace sgood {

/// `text` without blanks and tabs at its ends.
std::string_view trimmed(std::string_view text);

/// The whole of `text` (blanks around it allowed) as a number; nothing when it is no number or does
/// not fit. Always with a decimal point, whatever the locale. T: int32_t, int64_t, float, double;
/// reals may come out as nan or infinite when the text says so.
template <typename T>
std::optional<T> parse_number(std::string_view text);

/// Appends the comma-separated numbers of `line` to `out` and returns how many there were (>= 1).
/// Throws ParseError with the file and line of `reader` on anything that is not a number of type T
/// (int32_t, float) and on nan and infinity.
template <typename T>
std::size_t append_numbers(const LineReader& reader, std::string_view line, std::vector<T>& out);

}  // namespace sgood

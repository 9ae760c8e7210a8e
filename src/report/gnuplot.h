// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sgood {

/// Colours that people with any colour vision tell apart (Okabe and Ito).
inline constexpr std::string_view kBlue = "#0072b2";
inline constexpr std::string_view kOrange = "#d55e00";

/// `text` as a quoted string of a gnuplot script: nothing in it is a command or markup.
std::string gnuplot_text(std::string_view text);

/// Size in pixels of an SVG; a PNG has twice as many, with everything twice as large.
struct PictureSize {
  int width, height;
};

/// Runs gnuplot on `commands`, which draw with any text taken literally. The extension of `path`
/// chooses the format: .svg or .png. Throws InvalidArgument for another one, Unavailable without
/// gnuplot and IoError, with gnuplot's own words, when the picture could not be drawn or written.
void draw_with_gnuplot(const std::filesystem::path& path, PictureSize size,
                       std::string_view commands);

}  // namespace sgood

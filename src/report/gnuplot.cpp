// SPDX-License-Identifier: MIT
#include "src/report/gnuplot.h"

#include "sgood/core/error.h"
#include "src/report/run_program.h"

namespace sgood {
namespace {

std::string header(const std::filesystem::path& output, bool svg, PictureSize size) {
  return fmt::format("set encoding utf8\nset minussign\nset terminal {}\nset output {}\n",
                     svg ? fmt::format("svg noenhanced size {},{} font 'sans-serif,14' "
                                       "background 'white'",
                                       size.width, size.height)
                         : fmt::format("pngcairo noenhanced size {},{} font 'sans-serif,10.5' "
                                       "fontscale 2 linewidth 2 pointscale 2",
                                       2 * size.width, 2 * size.height),
                     gnuplot_text(output.string()));
}

}  // namespace

std::string gnuplot_text(std::string_view text) {
  // Between single quotes gnuplot knows no escapes and runs no `commands`.
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + '\'';
}

void draw_with_gnuplot(const std::filesystem::path& path, PictureSize size,
                       std::string_view commands) {
  const bool svg = path.extension() == ".svg";
  SGOOD_CHECK(svg || path.extension() == ".png", "{} must end in .svg or .png", path.string());
  const PartFile part(path, ".part");
  draw_with({"gnuplot", {}, "gnuplot-nox"}, path, part.path(),
            fmt::format("{}{}\nunset output\n", header(part.path(), svg, size), commands));
}

}  // namespace sgood

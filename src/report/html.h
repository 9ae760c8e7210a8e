// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace sgood {

// What all pages share. They load nothing, and suit bright and dark screens of any width.

/// `text` with nothing in it taken for markup.
std::string html_text(std::string_view text);

/// Up to the open <header> with its h1. `more_style`: rules of this page alone.
std::string page_head(const std::string& title, std::string_view more_style = {});

/// A <p> with `kind` as its attributes (" class=..." or nothing); nothing for an empty text.
std::string paragraph(const char* kind, const std::string& text);

/// The svg element for the inside of a page: no declarations, no titles of the program, and names
/// that do not clash with those of other pictures, which have other prefixes.
std::string inner_svg(std::string svg, const std::string& prefix, const std::string& label);

}  // namespace sgood

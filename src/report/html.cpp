// SPDX-License-Identifier: MIT
#include "src/report/html.h"

#include <algorithm>

#include "sgood/core/error.h"
#include "src/report/table_cells.h"

namespace sgood {
namespace {

// The pictures are drawn for a bright page and keep their white card on a dark one.
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --text: #1b1f24; --quiet: #57606a; --back: #ffffff; --box: #f6f8fa;
  --line: #d0d7de; --link: #0550ae; --best: #ddeeff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --quiet: #9aa4af; --back: #14181d; --box: #1c2229; --line: #3a424c;
    --link: #79b8ff; --best: #17344f; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 1240px; padding: 1rem 1.25rem 4rem; background: var(--back);
  color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 1rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 3rem 0 0.5rem; padding-top: 0.75rem;
  border-top: 1px solid var(--line); }
p { margin: 0.5rem 0; max-width: 75ch; overflow-wrap: anywhere; }
a { color: var(--link); }
nav ul { margin: 1.5rem 0; padding: 0.75rem 1rem; list-style: none; columns: 15rem; column-gap: 1.5rem;
  background: var(--box); border: 1px solid var(--line); border-radius: 8px; }
nav li { break-inside: avoid; padding: 0.2rem 0; }
.wide { overflow-x: auto; margin: 1rem 0 0.25rem; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: 0.9rem;
  font-variant-numeric: tabular-nums; }
th, td { padding: 0.4rem 0.7rem; text-align: right; white-space: nowrap; vertical-align: top;
  border-bottom: 1px solid var(--line); background: var(--back); }
thead th { background: var(--box); vertical-align: bottom; }
tr > :first-child { position: sticky; left: 0; text-align: left; min-width: min(9rem, 34vw); white-space: normal;
  border-right: 1px solid var(--line); }
tbody th { font-weight: 500; }
tbody tr:last-child > * { border-bottom: 0; }
tr.apart > * { border-top: 2px solid var(--quiet); }
td.best { background: var(--best); }
td u { text-underline-offset: 3px; }
td small { display: block; color: var(--quiet); font-size: 0.78rem; line-height: 1.35; }
.note, .files { color: var(--quiet); font-size: 0.88rem; }
.files a { margin-right: 0.8rem; white-space: nowrap; }
.title { font-weight: 600; margin-top: 1.5rem; }
.picture { background: #ffffff; color-scheme: light; }
.picture svg { display: block; height: auto; max-width: max(100%, 800px); margin: 0 auto; }
@media print { .wide { overflow: visible; } nav { display: none; } }
)";

void replace_all(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// Whether there was anything to erase.
bool erase_between(std::string& text, std::string_view begin, std::string_view end) {
  const std::size_t first = text.find(begin);
  if (first == std::string::npos) return false;
  const std::size_t last = text.find(end, first + begin.size());
  if (last == std::string::npos) return false;
  text.erase(first, last + end.size() - first);
  return true;
}

}  // namespace

std::string html_text(std::string_view text) {
  return escaped(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

std::string page_head(const std::string& title, std::string_view more_style) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<title>{0}</title>\n<style>{1}{2}</style>\n</head>\n<body>\n<header>\n<h1>{0}</h1>\n",
      html_text(title), kStyle, more_style);
}

std::string paragraph(const char* kind, const std::string& text) {
  return text.empty() ? "" : fmt::format("<p{}>{}</p>\n", kind, html_text(text));
}

std::string inner_svg(std::string svg, const std::string& prefix, const std::string& label) {
  svg.erase(0, std::min(svg.find("<svg"), svg.size()));
  erase_between(svg, "xmlns=\"", "\"");
  erase_between(svg, "xmlns:xlink=\"", "\"");
  erase_between(svg, "<desc>", "</desc>");
  // A title shows as soon as the pointer rests on a curve: the program's own names help nobody.
  while (erase_between(svg, "<title>", "</title>")) continue;
  for (const char* name : {"id=\"", "id='", "href='#", "href=\"#", "url(#"})
    replace_all(svg, name, name + prefix + '-');
  replace_all(svg, "<svg", fmt::format("<svg role=\"img\" aria-label=\"{}\"", html_text(label)));
  return svg;
}

}  // namespace sgood

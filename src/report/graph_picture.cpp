// SPDX-License-Identifier: MIT
#include "sgood/report/graph_picture.h"

#include <array>
#include <cmath>

#include "sgood/core/error.h"
#include "src/report/run_program.h"

namespace sgood {
namespace {

constexpr std::int32_t kSmall = 60;      // nodes up to which labels can be read
constexpr std::int32_t kForNeato = 400;  // beyond, its time grows too fast

/// White at 0, orange at 1, blue at -1; as #rrggbb.
std::string colour_of(double shade) {
  const std::array<int, 3> full = shade > 0 ? std::array{242, 133, 64} : std::array{89, 166, 230};
  std::array<int, 3> mixed{};
  for (std::size_t c = 0; c < 3; ++c)
    mixed[c] = static_cast<int>(std::lround(255 - std::abs(shade) * (255 - full[c])));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

std::string dot_text(const Graph& graph, std::span<const double> shades,
                     std::span<const std::int32_t> blocks) {
  const bool small = graph.num_nodes() <= kSmall;
  std::string text = fmt::format(
      "graph {{\n  graph [overlap=false, outputorder=edgesfirst, size=\"7,5\", "
      "bgcolor=transparent]\n"
      "  node [shape=circle, style=filled, fontname=\"sans-serif\", fontsize=11, fixedsize=true, "
      "width={}, penwidth=0.8, color=\"#57606a\", label=\"\"]\n"
      "  edge [color=\"#8c959f\", penwidth=1.4]\n",
      small ? 0.32 : 0.16);
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
    text +=
        fmt::format("  {} [fillcolor=\"{}\"", v, colour_of(shades[static_cast<std::size_t>(v)]));
    if (small && graph.num_label_columns() > 0)
      text += fmt::format(", label=\"{}\"", graph.node_labels(v)[0]);
    text += "]\n";
  }
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
    for (const std::int32_t u : graph.neighbors(v))
      if (u > v)
        text +=
            fmt::format("  {} -- {}{}\n", v, u,
                        blocks[static_cast<std::size_t>(u)] == blocks[static_cast<std::size_t>(v)]
                            ? ""
                            : " [style=dashed]");
  return text + "}\n";
}

}  // namespace

void write_graph_picture(const std::filesystem::path& path, const Graph& graph,
                         std::span<const double> shades, std::span<const std::int32_t> blocks) {
  SGOOD_CHECK(std::ssize(shades) == graph.num_nodes() && std::ssize(blocks) == graph.num_nodes(),
              "{} shades and {} blocks for {} nodes", shades.size(), blocks.size(),
              graph.num_nodes());
  const PartFile part(path, ".part");
  draw_with({graph.num_nodes() <= kForNeato ? "neato" : "sfdp",
             {"-Tsvg", "-o", part.path().string()},
             "graphviz"},
            path, part.path(), dot_text(graph, shades, blocks));
}

}  // namespace sgood

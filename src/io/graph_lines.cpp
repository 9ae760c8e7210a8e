// SPDX-License-Identifier: MIT
#include "sgood/io/graph_lines.h"

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "graph_json.h"
#include "sgood/core/error.h"
#include "sgood/core/json_text.h"
#include "sgood/core/threads.h"
#include "sgood/io/numbers.h"
#include "sgood/io/text_file.h"

namespace sgood {
namespace {

using Json = nlohmann::json;

/// A line of the file that is not blank.
struct Line {
  std::int64_t number = 0;  // 1-based
  std::string text;
};

Json parse_object(const std::string& text) {
  Json json = parse_json<Json>(text);
  SGOOD_CHECK(json.is_object(), "the line holds {} but must hold an object of one graph",
              json.type_name());
  return json;
}

class GraphLinesSource final : public GraphSource {
 public:
  GraphLinesSource(const std::filesystem::path& path, const GraphLinesOptions& options)
      : lines_(path), options_(options) {
    SGOOD_CHECK(options.threads >= 1, "threads is {}; legal is 1 or more", options.threads);
    header_.source = lines_.file();
    find_columns();
    header_.node_label_names = columns_.node_labels;
    header_.edge_label_names = columns_.edge_labels;
    note_columns();
  }

  std::vector<GraphRow> next(std::size_t limit) override {
    std::vector<Line> chunk;
    std::size_t bytes = 0;
    while (chunk.size() < limit && bytes < kChunkBytes && fill()) {
      bytes += waiting_.front().text.size();
      chunk.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
    std::vector<GraphRow> rows(chunk.size());
    const std::int64_t first = next_row_;
    parallel_for(std::ssize(rows), options_.threads, [&](std::int64_t i) {
      const auto r = static_cast<std::size_t>(i);
      rows[r] = read_row(chunk[r], first + i);
    });
    next_row_ += std::ssize(rows);
    return rows;
  }

  const GraphSet& header() const override { return header_; }

 private:
  static constexpr std::size_t kSampleLines = 1000;
  static constexpr std::size_t kChunkBytes = std::size_t{1} << 26;  // a few long lines fill memory

  /// Reads a line ahead unless one waits; false at the end.
  bool fill() { return !waiting_.empty() || read_line(); }

  bool read_line() {
    while (const auto line = lines_.next()) {
      if (trimmed(*line).empty()) continue;
      waiting_.push_back({lines_.line(), std::string(*line)});
      return true;
    }
    return false;
  }

  void find_columns() {
    for (std::size_t i = 0; i < kSampleLines && !columns_.complete(); ++i) {
      if (i == waiting_.size() && !read_line()) return;
      try {
        columns_.learn(parse_object(waiting_[i].text));
      } catch (const InvalidArgument&) {
        // It will be a bad row when its turn comes.
      }
    }
  }

  void note_columns() {
    const auto note = [&](const char* what, const std::vector<std::string>& names) {
      if (!names.empty())
        header_.notes.push_back(fmt::format("{}: {}", what, fmt::join(names, ", ")));
    };
    note("node labels", columns_.node_labels);
    note("node attributes", columns_.attributes);
    note("edge labels", columns_.edge_labels);
  }

  GraphRow read_row(const Line& line, std::int64_t row) const {
    GraphRow result;
    result.row = row;
    result.id = std::to_string(row);
    try {
      const Json json = parse_object(line.text);
      if (const Json* id = find_key(json, options_.id_key, {"id", "name"}); id != nullptr)
        result.id = scalar_text(*id, "the id");
      if (options_.label_key != "none") {
        const Json* label = find_key(json, options_.label_key, {"y", "label", "class"});
        if (label != nullptr) result.label = scalar_text(*label, "the class");
      }
      result.graph = graph_from_json(json, columns_, result.id, row);
    } catch (const InvalidArgument& error) {
      result.error = ParseError(lines_.file(), line.number, error.what()).what();
    }
    return result;
  }

  LineReader lines_;
  GraphLinesOptions options_;
  GraphSet header_;
  JsonColumns columns_;
  std::deque<Line> waiting_;
  std::int64_t next_row_ = 0;
};

}  // namespace

std::unique_ptr<GraphSource> open_graph_lines(const std::filesystem::path& path,
                                              const GraphLinesOptions& options) {
  return std::make_unique<GraphLinesSource>(path, options);
}

std::string graph_line(const Graph& graph, const std::string& label) {
  using Ordered = nlohmann::ordered_json;
  Ordered json = {
      {"id", graph.id()}, {"num_nodes", graph.num_nodes()}, {"edges", Ordered::array()}};
  const auto row_of = [](auto values) {
    return values.size() == 1 ? Ordered(values[0])
                              : Ordered(std::vector(values.begin(), values.end()));
  };
  Ordered edge_labels = Ordered::array();
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v)
    for (std::int32_t i = 0; i < graph.degree(v); ++i) {
      const auto e = graph.row_ptr()[static_cast<std::size_t>(v)] + i;
      const std::int32_t u = graph.col()[static_cast<std::size_t>(e)];
      if (u < v) continue;
      json["edges"].push_back({v, u});
      if (graph.num_edge_columns() > 0) edge_labels.push_back(row_of(graph.edge_labels(e)));
    }
  for (std::int32_t v = 0; v < graph.num_nodes(); ++v) {
    if (graph.num_label_columns() > 0) json["node_labels"].push_back(row_of(graph.node_labels(v)));
    if (graph.num_attributes() > 0)
      json["x"].push_back(
          std::vector(graph.node_attributes(v).begin(), graph.node_attributes(v).end()));
  }
  if (!edge_labels.empty()) json["edge_labels"] = std::move(edge_labels);
  if (!label.empty()) json["y"] = label;
  return json.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

}  // namespace sgood

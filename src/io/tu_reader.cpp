// SPDX-License-Identifier: MIT
#include "sgood/io/tu_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "scratch_folder.h"
#include "sgood/core/error.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/io/numbers.h"
#include "sgood/io/text_file.h"
#include "sgood/io/zip_archive.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;

std::size_t idx(std::int32_t i) { return static_cast<std::size_t>(i); }

/// The part before "_A.txt" of the folder's edge list.
std::string find_prefix(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator files(folder, error);
  if (error)
    throw IoError(
        fmt::format("{}: cannot be opened as a TU folder: {}", folder.string(), error.message()));
  std::vector<std::string> prefixes;
  for (const fs::directory_entry& entry : files) {
    std::string name = entry.path().filename().string();
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    if (name.ends_with("_A.txt") && !name.starts_with("._"))
      prefixes.push_back(name.substr(0, name.size() - 6));
  }
  std::sort(prefixes.begin(), prefixes.end());
  prefixes.erase(std::unique(prefixes.begin(), prefixes.end()), prefixes.end());
  if (prefixes.empty())
    throw IoError(fmt::format(
        "{}: holds no DS_A.txt (or .gz); a TU folder needs DS_A.txt and DS_graph_indicator.txt",
        folder.string()));
  if (prefixes.size() > 1)
    throw IoError(fmt::format("{}: holds several TU sets ({}); give each a folder of its own",
                              folder.string(), fmt::join(prefixes, ", ")));
  return prefixes.front();
}

/// Lines of a file whose only blank lines may be the last ones.
class DataLines {
 public:
  explicit DataLines(const fs::path& path) : reader_(path) {
    std::error_code ignored;
    const auto packed = static_cast<std::int64_t>(fs::file_size(reader_.file(), ignored));
    if (!ignored) most_bytes_ = std::max(kSmall, kMostRatio * packed);
  }

  std::optional<std::string_view> next() {
    std::int64_t blank = 0;
    while (const auto line = reader_.next()) {
      bytes_ += std::ssize(*line) + 1;
      if (bytes_ > most_bytes_)
        reject(fmt::format("the file grows to more than {} times its size; is this a data set?",
                           kMostRatio));
      if (line->find('\0') != std::string_view::npos)
        reject("the line has the byte 0x00; is this a text file?");
      if (!trimmed(*line).empty()) {
        if (blank > 0) throw ParseError(file(), blank, "the line is blank but more lines follow");
        ++count_;
        return line;
      }
      if (blank == 0) blank = reader_.line();
    }
    return std::nullopt;
  }

  /// Appends the numbers of the next line; false at the end. Lines must be equally long.
  template <typename T>
  bool next_numbers(std::vector<T>& values) {
    const auto line = next();
    if (!line) return false;
    const std::size_t found = append_numbers(reader_, *line, values);
    if (count_ == 1) columns_ = found;
    if (found != columns_)
      reject(fmt::format("the line has {} values but the first line has {}", found, columns_));
    return true;
  }

  [[noreturn]] void reject(const std::string& message) const {
    throw ParseError(file(), reader_.line(), message);
  }

  /// Throws unless as many lines have been read as there are `what`.
  void check_count(std::int64_t expected, std::string_view what) const {
    if (count_ != expected)
      throw ParseError(file(), 0,
                       fmt::format("has {} lines but there are {} {}", count_, expected, what));
  }

  const std::string& file() const { return reader_.file(); }
  std::int64_t count() const { return count_; }
  std::int32_t columns() const { return static_cast<std::int32_t>(columns_); }

 private:
  static constexpr std::int64_t kSmall = std::int64_t{1} << 28, kMostRatio = 200;

  LineReader reader_;
  std::int64_t bytes_ = 0, most_bytes_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t count_ = 0;
  std::size_t columns_ = 0;
};

std::vector<std::string> column_names(const std::string& name, std::int32_t columns) {
  if (columns == 1) return {name};
  std::vector<std::string> names;
  for (std::int32_t c = 1; c <= columns; ++c) names.push_back(fmt::format("{}_{}", name, c));
  return names;
}

class TuReader {
 public:
  TuReader(const fs::path& folder, const TuOptions& options)
      : folder_(folder), prefix_(find_prefix(folder)), options_(options) {}

  GraphSet read() {
    set_.source = folder_.string();
    read_indicator();
    read_graph_labels();
    for (const std::int32_t size : sizes_) builders_.emplace_back(size);
    read_node_labels();
    read_node_attributes();
    read_edges();
    build();
    for (const char* part : {"edge_attributes", "graph_attributes"})
      if (has(part)) note("{}_{}.txt is not used", prefix_, part);
    return std::move(set_);
  }

 private:
  fs::path path(const std::string& part) const { return folder_ / (prefix_ + "_" + part + ".txt"); }

  bool has(const std::string& part) const {
    return fs::exists(path(part)) || fs::exists(path(part) += ".gz");
  }

  template <typename... Args>
  void note(fmt::format_string<Args...> text, Args&&... args) {
    set_.notes.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  std::int64_t num_nodes() const { return static_cast<std::int64_t>(graph_of_.size()); }
  std::int64_t num_graphs() const { return static_cast<std::int64_t>(sizes_.size()); }

  void read_indicator() {
    DataLines lines(path("graph_indicator"));
    std::vector<std::int32_t> ids;
    while (lines.next_numbers(ids)) {
      if (lines.columns() != 1) lines.reject("a line must hold one graph id");
      if (ids.back() < 1) lines.reject(fmt::format("graph id {} is below 1", ids.back()));
      if (num_nodes() == std::numeric_limits<std::int32_t>::max()) lines.reject("too many nodes");
      graph_of_.push_back(ids.back() - 1);
    }
    if (graph_of_.empty()) lines.reject("holds no graph ids");
    largest_ = *std::max_element(graph_of_.begin(), graph_of_.end());
  }

  void read_graph_labels() {
    std::vector<std::string> labels;
    if (has("graph_labels")) {
      DataLines lines(path("graph_labels"));
      bool more_columns = false;
      while (const auto line = lines.next()) {
        const std::string_view first = trimmed(line->substr(0, line->find(',')));
        const auto number = parse_number<double>(first);
        if (!number || !std::isfinite(*number))
          lines.reject(fmt::format("graph label '{:.40}' must be a finite number", first));
        more_columns |= first.size() < trimmed(*line).size();
        labels.emplace_back(first);
      }
      if (largest_ >= lines.count())
        throw ParseError(lines.file(), 0,
                         fmt::format("has {} lines but the graph indicator names graph {}",
                                     lines.count(), largest_ + 1));
      if (more_columns) note("{}_graph_labels.txt: only the first column is used", prefix_);
      set_classes(labels);
    }
    count_sizes(labels.empty() ? idx(largest_) + 1 : labels.size(), !labels.empty());
  }

  /// Classes are the different labels as written, in numeric order.
  void set_classes(const std::vector<std::string>& labels) {
    set_.class_names = labels;
    auto& names = set_.class_names;
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
      return std::tuple(*parse_number<double>(a), a) < std::tuple(*parse_number<double>(b), b);
    });
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::map<std::string, std::int32_t> class_of;
    for (const std::string& name : names)
      class_of.emplace(name, static_cast<std::int32_t>(class_of.size()));
    for (const std::string& label : labels) classes_.push_back(class_of.at(label));
  }

  /// Numbers the nodes within their graphs. A gap in the ids is an empty graph only when the labels
  /// say so; otherwise rows and ids could not be told apart.
  void count_sizes(std::size_t graphs, bool gaps_allowed) {
    const fs::path file = find_text_file(path("graph_indicator"));
    if (!gaps_allowed && largest_ >= num_nodes())
      throw ParseError(file.string(), 0,
                       fmt::format("names graph {} but has only {} nodes; ids must have no gaps",
                                   largest_ + 1, num_nodes()));
    sizes_.assign(graphs, 0);
    for (const std::int32_t g : graph_of_) local_.push_back(sizes_[idx(g)]++);
    const auto empty = std::count(sizes_.begin(), sizes_.end(), 0);
    if (empty == 0) return;
    const auto first = std::find(sizes_.begin(), sizes_.end(), 0) - sizes_.begin() + 1;
    if (!gaps_allowed)
      throw ParseError(
          file.string(), 0,
          fmt::format("graph {} has no nodes; without {}_graph_labels.txt the ids must "
                      "have no gaps",
                      first, prefix_));
    note("{} graphs have no nodes, the first is graph {}", empty, first);
  }

  /// Sorts rows of `values`, one per node of the set, into one table per graph.
  template <typename T>
  std::vector<std::vector<T>> split_by_graph(const std::vector<T>& values, std::int32_t columns) {
    std::vector<std::vector<T>> tables(sizes_.size());
    for (std::size_t g = 0; g < tables.size(); ++g)
      tables[g].reserve(idx(sizes_[g]) * idx(columns));
    auto row = values.begin();
    for (const std::int32_t g : graph_of_) {
      tables[idx(g)].insert(tables[idx(g)].end(), row, row + columns);
      row += columns;
    }
    return tables;
  }

  void read_node_labels() {
    if (!has("node_labels")) return;
    DataLines lines(path("node_labels"));
    std::vector<std::int32_t> values;
    while (lines.next_numbers(values)) continue;
    lines.check_count(num_nodes(), "nodes");
    auto tables = split_by_graph(values, lines.columns());
    for (std::size_t g = 0; g < tables.size(); ++g)
      builders_[g].set_node_labels(std::move(tables[g]), lines.columns());
    set_.node_label_names = column_names("node_label", lines.columns());
  }

  void read_node_attributes() {
    if (!has("node_attributes") || !options_.node_attributes) return;
    DataLines lines(path("node_attributes"));
    std::vector<float> values;
    while (lines.next_numbers(values)) continue;
    lines.check_count(num_nodes(), "nodes");
    auto tables = split_by_graph(values, lines.columns());
    for (std::size_t g = 0; g < tables.size(); ++g)
      builders_[g].set_node_attributes(std::move(tables[g]), lines.columns());
  }

  void read_edges() {
    DataLines lines(path("A"));
    std::optional<DataLines> label_lines;
    if (has("edge_labels")) label_lines.emplace(path("edge_labels"));
    std::vector<std::int32_t> ends;
    std::vector<std::int32_t> labels;
    for (;; ends.clear(), labels.clear()) {
      const bool more = lines.next_numbers(ends);
      const bool labelled = label_lines && label_lines->next_numbers(labels);
      if (!more) break;
      if (label_lines && !labelled) break;
      if (ends.size() != 2) lines.reject("a line must hold two node ids, 'a, b'");
      for (const std::int32_t end : ends)
        if (end < 1 || end > num_nodes())
          lines.reject(fmt::format("node {} is not in [1, {}]", end, num_nodes()));
      const std::size_t u = idx(ends[0] - 1);
      const std::size_t v = idx(ends[1] - 1);
      if (graph_of_[u] != graph_of_[v])
        lines.reject(fmt::format("the edge joins node {} of graph {} and node {} of graph {}",
                                 ends[0], graph_of_[u] + 1, ends[1], graph_of_[v] + 1));
      builders_[idx(graph_of_[u])].add_edge(local_[u], local_[v], labels);
    }
    num_edge_lines_ = lines.count();
    if (!label_lines) return;
    if (label_lines->count() != lines.count())
      throw ParseError(
          label_lines->file(), 0,
          fmt::format("has {} lines than {}; they must be equally long",
                      label_lines->count() < lines.count() ? "fewer" : "more", lines.file()));
    set_.edge_label_names = column_names("edge_label", label_lines->columns());
  }

  void build() {
    std::int64_t loops = 0;
    std::int64_t edges = 0;
    for (std::int32_t g = 0; g < num_graphs(); ++g) {
      GraphBuilder& builder = builders_[idx(g)];
      builder.set_id(std::to_string(g + 1)).set_row(g);
      if (!classes_.empty()) builder.set_label(classes_[idx(g)]);
      set_.graphs.push_back(builder.build());
      loops += builder.dropped_self_loops();
      edges += set_.graphs.back().num_edges();
    }
    if (loops > 0) note("{}_A.txt: {} self-loops were dropped", prefix_, loops);
    if (num_edge_lines_ - loops != 2 * edges)
      note(
          "{}_A.txt lists {} edges, which are {} different ones; {} lines were expected, each edge "
          "in both directions",
          prefix_, num_edge_lines_ - loops, edges, 2 * edges);
  }

  fs::path folder_;
  std::string prefix_;
  TuOptions options_;
  GraphSet set_;
  std::vector<std::int32_t> graph_of_;  // [num_nodes], 0-based
  std::int32_t largest_ = 0;            // largest entry of graph_of_
  std::vector<std::int32_t> local_;     // [num_nodes] index of each node within its graph
  std::vector<std::int32_t> sizes_;     // [num_graphs] nodes of each graph
  std::vector<std::int32_t> classes_;   // [num_graphs], or empty when there are no labels
  std::vector<GraphBuilder> builders_;
  std::int64_t num_edge_lines_ = 0;
};

/// A message without the temporary folder, of which the user knows nothing.
std::string without_folder(std::string message, const fs::path& folder) {
  const std::string name = folder.string();
  for (auto at = message.find(name); at != std::string::npos; at = message.find(name))
    message.erase(at, name.size() + (message.compare(at + name.size(), 1, "/") == 0));
  return message;
}

}  // namespace

GraphSet read_tu(const std::filesystem::path& path, const TuOptions& options) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return TuReader(path, options).read();
  const ScratchFolder folder;
  unpack_zip(path, folder.path(), place_of_text_file);
  try {
    GraphSet set = TuReader(folder.path(), options).read();
    set.source = path.string();
    return set;
  } catch (const ParseError& error) {
    throw ParseError(path.string(), 0, without_folder(error.what(), folder.path()));
  } catch (const IoError& error) {
    throw IoError(
        fmt::format("{}: {}", path.string(), without_folder(error.what(), folder.path())));
  }
}

}  // namespace sgood

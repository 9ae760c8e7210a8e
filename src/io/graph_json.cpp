// SPDX-License-Identifier: MIT
#include "graph_json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "sgood/core/error.h"
#include "sgood/core/hash.h"
#include "sgood/graph/graph_builder.h"
#include "sgood/io/graph_lines.h"

namespace sgood {
namespace {

using Json = nlohmann::json;

// A wrong number must not take all memory.
constexpr std::int64_t kMostNodes = 1 << 24;
constexpr std::int64_t kMostBareNodes = 10'000;

/// The beginning of a value, for messages.
std::string shown(const Json& value) {
  if (value.is_structured() && value.size() > 20)
    return fmt::format("{} of {} entries", value.is_array() ? "a list" : "an object", value.size());
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 40) text = text.substr(0, 40) + "...";
  return text;
}

const Json* find(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() || found->is_null() ? nullptr : &*found;
}

const Json& list(const Json& value, const std::string& what) {
  SGOOD_CHECK(value.is_array(), "{} is {} but must be a list", what, shown(value));
  return value;
}

bool is_label(const Json& value) { return value.is_number_integer() || value.is_string(); }

std::int32_t label_code(const Json& value, const std::string& what) {
  if (value.is_string()) return text_code(value.get_ref<const std::string&>());
  SGOOD_CHECK(value.is_number_integer(), "{} is {} but must be a whole number or a text", what,
              shown(value));
  const auto number = value.get<std::int64_t>();
  SGOOD_CHECK(std::in_range<std::int32_t>(number) && !(value.is_number_unsigned() && number < 0),
              "{} is {} but must be in [-2^31, 2^31)", what, shown(value));
  return static_cast<std::int32_t>(number);
}

float real(const Json& value, const std::string& what) {
  SGOOD_CHECK(value.is_number(), "{} is {} but must be a number", what, shown(value));
  const auto number = static_cast<float>(value.get<double>());
  SGOOD_CHECK(std::isfinite(number), "{} is {} but must be a finite number", what, shown(value));
  return number;
}

std::int32_t index(const Json& value, std::int64_t count, const std::string& what) {
  SGOOD_CHECK(value.is_number_integer() && value.get<std::int64_t>() >= 0 &&
                  value.get<std::int64_t>() < count &&
                  !(value.is_number_unsigned() &&
                    value.get<std::uint64_t>() >= static_cast<std::uint64_t>(count)),
              "{} is {} but must be a node, a whole number in [0, {})", what, shown(value), count);
  return static_cast<std::int32_t>(value.get<std::int64_t>());
}

/// Entries of a row that is one value or a list of them.
std::size_t width(const Json& row) { return row.is_array() ? row.size() : 1; }
const Json& entry(const Json& row, std::size_t i) { return row.is_array() ? row[i] : row; }

std::vector<std::string> numbered(const std::string& name, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i)
    names.push_back(count == 1 ? name : fmt::format("{}_{}", name, i + 1));
  return names;
}

/// One value or a list per node (or edge) becomes a row-major table with `columns` columns.
template <typename T, typename Convert>
std::vector<T> table(const Json& rows, std::int64_t count, std::size_t columns,
                     const std::string& key, Convert convert) {
  list(rows, key);
  SGOOD_CHECK(std::ssize(rows) == count, "{} has {} entries but must have {}", key, rows.size(),
              count);
  std::vector<T> values;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::string what = fmt::format("{}[{}]", key, r);
    SGOOD_CHECK(width(rows[r]) == columns, "{} has {} values but the first graph's have {}", what,
                width(rows[r]), columns);
    for (std::size_t c = 0; c < columns; ++c) values.push_back(convert(entry(rows[r], c), what));
  }
  return values;
}

bool is_node_link(const Json& json) { return json.contains("nodes"); }

const Json* links_of(const Json& json) {
  const Json* links = find(json, "links");
  return links != nullptr ? links : find(json, "edges");
}

// The compact form.

/// Pairs of ends, whichever way they are written.
std::vector<std::pair<const Json*, const Json*>> ends_of(const Json& json) {
  std::vector<std::pair<const Json*, const Json*>> ends;
  if (const Json* pairs = find(json, "edges"); pairs != nullptr) {
    for (const Json& pair : list(*pairs, "edges")) {
      SGOOD_CHECK(pair.is_array() && pair.size() == 2,
                  "an edge is {} but must be a list of two nodes", shown(pair));
      ends.emplace_back(&pair[0], &pair[1]);
    }
    return ends;
  }
  const Json* lists = find(json, "edge_index");
  SGOOD_CHECK(lists != nullptr,
              "the object has neither edges nor edge_index (compact form) nor nodes (node-link)");
  SGOOD_CHECK(lists->is_array() && lists->size() == 2 && (*lists)[0].is_array() &&
                  (*lists)[1].is_array() && (*lists)[0].size() == (*lists)[1].size(),
              "edge_index is {} but must be two lists of equal length", shown(*lists));
  for (std::size_t e = 0; e < (*lists)[0].size(); ++e)
    ends.emplace_back(&(*lists)[0][e], &(*lists)[1][e]);
  return ends;
}

std::int64_t count_nodes(const Json& json) {
  if (const Json* count = find(json, "num_nodes"); count != nullptr) {
    SGOOD_CHECK(count->is_number_unsigned() && count->get<std::uint64_t>() <= kMostNodes,
                "num_nodes is {} but must be a whole number in [0, {}]", shown(*count), kMostNodes);
    return count->get<std::int64_t>();
  }
  for (const char* key : {"node_labels", "x"})
    if (const Json* rows = find(json, key); rows != nullptr) return std::ssize(list(*rows, key));
  throw InvalidArgument("num_nodes is missing, and neither node_labels nor x tell it");
}

Graph compact_graph(const Json& json, const JsonColumns& columns, const std::string& id,
                    std::int64_t row) {
  const std::int64_t n = count_nodes(json);
  GraphBuilder builder(static_cast<std::int32_t>(n));
  builder.set_id(id).set_row(row);
  const auto wanted = [&](const char* key) -> const Json& {
    const Json* rows = find(json, key);
    SGOOD_CHECK(rows != nullptr, "{} is missing, which earlier graphs have", key);
    return *rows;
  };
  if (!columns.node_labels.empty() && n > 0)
    builder.set_node_labels(
        table<std::int32_t>(wanted("node_labels"), n, columns.node_labels.size(), "node_labels",
                            label_code),
        static_cast<std::int32_t>(columns.node_labels.size()));
  if (columns.num_attributes > 0 && n > 0)
    builder.set_node_attributes(
        table<float>(wanted("x"), n, static_cast<std::size_t>(columns.num_attributes), "x", real),
        columns.num_attributes);
  const auto ends = ends_of(json);
  SGOOD_CHECK(!columns.node_labels.empty() || columns.num_attributes > 0 ||
                  n - 2 * std::ssize(ends) <= kMostBareNodes,
              "num_nodes is {} but there are only {} edges; legal are {} nodes without an edge", n,
              ends.size(), kMostBareNodes);
  const std::size_t width = columns.edge_labels.size();
  std::vector<std::int32_t> labels;
  if (width > 0 && !ends.empty())
    labels = table<std::int32_t>(wanted("edge_labels"), std::ssize(ends), width, "edge_labels",
                                 label_code);
  for (std::size_t e = 0; e < ends.size(); ++e)
    builder.add_edge(index(*ends[e].first, n, "an end of an edge"),
                     index(*ends[e].second, n, "an end of an edge"),
                     std::span(labels).subspan(e * width, width));
  return builder.build();
}

// The node-link form.

std::int32_t numbers_in(const Json& value) {
  return value.is_array() ? static_cast<std::int32_t>(value.size()) : 1;
}

void append_reals(const Json& value, const std::string& what, std::vector<float>& values) {
  for (std::size_t i = 0; i < width(value); ++i) values.push_back(real(entry(value, i), what));
}

const Json& value_of(const Json& object, const std::string& key, const char* what) {
  const auto found = object.find(key);
  SGOOD_CHECK(found != object.end(), "{} {} has no '{}', which earlier ones have", what,
              shown(object), key);
  return *found;
}

/// A node's own name in the file, whatever its type.
std::string node_name(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Graph node_link_graph(const Json& json, const JsonColumns& columns, const std::string& id,
                      std::int64_t row) {
  const Json& nodes = list(json["nodes"], "nodes");
  SGOOD_CHECK(std::ssize(nodes) <= kMostNodes, "the graph has {} nodes; legal are {} at most",
              nodes.size(), kMostNodes);
  std::map<std::string, std::int32_t> position;
  std::vector<std::int32_t> labels;
  std::vector<float> attributes;
  for (const Json& node : nodes) {
    SGOOD_CHECK(node.is_object() && node.contains("id"),
                "a node is {} but must be an object with an id", shown(node));
    const auto next = static_cast<std::int32_t>(position.size());
    SGOOD_CHECK(position.emplace(node_name(node["id"]), next).second, "two nodes have the id {}",
                shown(node["id"]));
    for (const std::string& key : columns.node_labels)
      labels.push_back(label_code(value_of(node, key, "node"), key));
    const std::size_t before = attributes.size();
    for (const std::string& key : columns.attributes)
      append_reals(value_of(node, key, "node"), key, attributes);
    SGOOD_CHECK(
        std::ssize(attributes) - static_cast<std::ptrdiff_t>(before) == columns.num_attributes,
        "node {} has {} attributes but the first node has {}", shown(node["id"]),
        attributes.size() - before, columns.num_attributes);
  }
  GraphBuilder builder(static_cast<std::int32_t>(nodes.size()));
  builder.set_id(id).set_row(row);
  if (!labels.empty())
    builder.set_node_labels(std::move(labels),
                            static_cast<std::int32_t>(columns.node_labels.size()));
  if (!attributes.empty())
    builder.set_node_attributes(std::move(attributes), columns.num_attributes);
  const Json* links = links_of(json);
  SGOOD_CHECK(links != nullptr, "the object has nodes but neither links nor edges");
  for (const Json& link : list(*links, "links")) {
    const auto end = [&](const char* key) {
      SGOOD_CHECK(link.is_object() && link.contains(key),
                  "a link is {} but must be an object with source and target", shown(link));
      const auto found = position.find(node_name(link[key]));
      SGOOD_CHECK(found != position.end(), "a link's {} is {}, which is no node's id", key,
                  shown(link[key]));
      return found->second;
    };
    std::vector<std::int32_t> link_labels;
    for (const std::string& key : columns.edge_labels)
      link_labels.push_back(label_code(value_of(link, key, "link"), key));
    builder.add_edge(end("source"), end("target"), link_labels);
  }
  return builder.build();
}

/// Keys of an object that can be labels, and those that are numbers or lists of numbers.
void sort_keys(const Json& object, const std::vector<std::string>& reserved,
               std::vector<std::string>& labels, std::vector<std::string>& reals) {
  SGOOD_CHECK(object.is_object(), "{} must be an object", shown(object));
  for (const auto& [key, value] : object.items()) {
    if (std::find(reserved.begin(), reserved.end(), key) != reserved.end()) continue;
    const bool numbers =
        value.is_array() && !value.empty() &&
        std::all_of(value.begin(), value.end(), [](const Json& v) { return v.is_number(); });
    if (is_label(value)) labels.push_back(key);
    if (value.is_number_float() || numbers) reals.push_back(key);
  }
}

}  // namespace

void JsonColumns::learn(const Json& json) {
  std::vector<std::string> unused;
  if (is_node_link(json)) {
    const Json& nodes = list(json["nodes"], "nodes");
    if (!nodes_known && !nodes.empty()) {
      sort_keys(nodes[0], {"id"}, node_labels, attributes);
      for (const std::string& key : attributes) num_attributes += numbers_in(nodes[0][key]);
      nodes_known = true;
    }
    const Json* links = links_of(json);
    if (!edges_known && links != nullptr && links->is_array() && !links->empty()) {
      sort_keys((*links)[0], {"source", "target", "key"}, edge_labels, unused);
      edges_known = true;
    }
    return;
  }
  const auto columns = [&](const char* key) -> std::size_t {
    const Json* rows = find(json, key);
    return rows != nullptr && rows->is_array() && !rows->empty() ? width((*rows)[0]) : 0;
  };
  if (!nodes_known && count_nodes(json) > 0) {
    node_labels = numbered("node_label", columns("node_labels"));
    attributes = numbered("x", columns("x"));
    num_attributes = static_cast<std::int32_t>(attributes.size());
    nodes_known = true;
  }
  if (!edges_known && !ends_of(json).empty()) {
    edge_labels = numbered("edge_label", columns("edge_labels"));
    edges_known = true;
  }
}

const Json* find_key(const Json& json, const std::string& wanted,
                     std::initializer_list<const char*> usual) {
  const auto look = [&](const char* key) -> const Json* {
    if (const Json* value = find(json, key); value != nullptr) return value;
    const Json* inner = find(json, "graph");
    return inner != nullptr && inner->is_object() ? find(*inner, key) : nullptr;
  };
  if (!wanted.empty()) return look(wanted.c_str());
  for (const char* key : usual)
    if (const Json* value = look(key); value != nullptr) return value;
  return nullptr;
}

std::string scalar_text(const Json& value, const char* what) {
  if (value.is_string()) return value.get<std::string>();
  // A tensor of one number is a list in many writers.
  if (value.is_array() && value.size() == 1) return scalar_text(value[0], what);
  SGOOD_CHECK(value.is_number() || value.is_boolean(),
              "{} is {} but must be a text, a number or a truth value", what, shown(value));
  return value.dump();
}

std::int32_t text_code(std::string_view text) {
  return static_cast<std::int32_t>((hash64(text) >> 34) | (1U << 30));
}

Graph graph_from_json(const Json& json, const JsonColumns& columns, const std::string& id,
                      std::int64_t row) {
  return is_node_link(json) ? node_link_graph(json, columns, id, row)
                            : compact_graph(json, columns, id, row);
}

}  // namespace sgood

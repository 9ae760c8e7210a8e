// SPDX-License-Identifier: MIT
#include "sgood/core/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sgood/core/error.h"

namespace sgood {
namespace {

std::string legal_values(const OptionEntry& entry) {
  if (std::holds_alternative<bool*>(entry.target)) return "true or false";
  if (std::holds_alternative<int*>(entry.target))
    return fmt::format("a whole number from {:.0f} to {:.0f}", entry.minimum, entry.maximum);
  if (std::holds_alternative<double*>(entry.target))
    return fmt::format("a number from {:g} to {:g}", entry.minimum, entry.maximum);
  if (entry.choices.empty()) return "any text";
  return fmt::format("one of {}", fmt::join(entry.choices, ", "));
}

[[noreturn]] void reject(const OptionEntry& entry, std::string_view value) {
  throw InvalidArgument(
      fmt::format("option {} is '{}' but must be {}", entry.name, value, legal_values(entry)));
}

template <typename T>
bool parse_number(std::string_view text, T* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

void OptionTable::add(std::string name, int* target, int minimum, int maximum, std::string help) {
  entries_.push_back({std::move(name),
                      std::move(help),
                      target,
                      static_cast<double>(minimum),
                      static_cast<double>(maximum),
                      {}});
}

void OptionTable::add(std::string name, double* target, double minimum, double maximum,
                      std::string help) {
  entries_.push_back({std::move(name), std::move(help), target, minimum, maximum, {}});
}

void OptionTable::add(std::string name, bool* target, std::string help) {
  entries_.push_back({std::move(name), std::move(help), target, 0, 0, {}});
}

void OptionTable::add(std::string name, std::string* target, std::vector<std::string> choices,
                      std::string help) {
  entries_.push_back({std::move(name), std::move(help), target, 0, 0, std::move(choices)});
}

const OptionEntry& OptionTable::find(std::string_view name) const {
  const auto it = std::find_if(entries_.begin(), entries_.end(),
                               [&](const OptionEntry& e) { return e.name == name; });
  if (it == entries_.end()) {
    std::vector<std::string> names;
    for (const OptionEntry& e : entries_) names.push_back(e.name);
    throw InvalidArgument(
        fmt::format("there is no option '{}'; known are {}", name, fmt::join(names, ", ")));
  }
  return *it;
}

void OptionTable::set(std::string_view name, std::string_view value) const {
  const OptionEntry& entry = find(name);
  if (auto* const* target = std::get_if<int*>(&entry.target)) {
    int parsed = 0;
    if (!parse_number(value, &parsed) || parsed < entry.minimum || parsed > entry.maximum)
      reject(entry, value);
    **target = parsed;
  } else if (auto* const* real = std::get_if<double*>(&entry.target)) {
    double parsed = 0;
    if (!parse_number(value, &parsed) || !(parsed >= entry.minimum && parsed <= entry.maximum))
      reject(entry, value);
    **real = parsed;
  } else if (auto* const* flag = std::get_if<bool*>(&entry.target)) {
    if (value != "true" && value != "false") reject(entry, value);
    **flag = value == "true";
  } else {
    if (!entry.choices.empty() &&
        std::find(entry.choices.begin(), entry.choices.end(), value) == entry.choices.end())
      reject(entry, value);
    *std::get<std::string*>(entry.target) = std::string(value);
  }
}

nlohmann::ordered_json OptionTable::values() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const OptionEntry& entry : entries_)
    std::visit([&](auto* target) { json[entry.name] = *target; }, entry.target);
  return json;
}

void OptionTable::set_values(const nlohmann::ordered_json& values) const {
  SGOOD_CHECK(values.is_object(), "options must be a JSON object, not {}", values.type_name());
  for (const auto& [name, value] : values.items())
    set(name, value.is_string() ? value.get<std::string>() : value.dump());
}

nlohmann::ordered_json OptionTable::describe() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const OptionEntry& entry : entries_) {
    nlohmann::ordered_json one;
    one["name"] = entry.name;
    static constexpr const char* kTypes[] = {"int", "real", "bool", "text"};
    one["type"] = kTypes[entry.target.index()];
    std::visit([&](auto* target) { one["default"] = *target; }, entry.target);
    one["legal"] = legal_values(entry);
    one["help"] = entry.help;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace sgood

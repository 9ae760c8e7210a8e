// SPDX-License-Identifier: MIT
#include "command_text.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace sgood::cli {
namespace {

/// Line breaks made for a terminal become blanks.
std::string one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

/// CLI11 keeps legal words in the type, TEXT:{csv,jsonl}, or {random->0,first->1} where they stand
/// for something.
std::vector<std::string> choices_in(const std::string& type) {
  const auto open = type.find('{');
  if (open == std::string::npos) return {};
  std::istringstream list(type.substr(open + 1, type.find('}', open) - open - 1));
  std::vector<std::string> choices;
  for (std::string word; std::getline(list, word, ',');)
    choices.push_back(word.substr(0, word.find("->")));
  return choices;
}

/// The legal numbers of a type such as "FLOAT:FLOAT in [0 - 1]".
std::string range_in(const std::string& type) {
  if (type.find("NONNEGATIVE") != std::string::npos) return "0 or more";
  const auto open = type.find(" in [");
  return open == std::string::npos ? "" : type.substr(open + 4);
}

Value value_of(const CLI::Option& option, const std::string& type) {
  if (option.get_items_expected_max() == 0) return Value::kNothing;
  for (const char* number : {"INT", "UINT", "FLOAT"})
    if (type == number || type.starts_with(std::string(number) + ":")) return Value::kNumber;
  return Value::kText;
}

std::vector<std::string> names_of(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  std::ranges::sort(names);  // a set of pointers has no order of its own
  return names;
}

OptionText option_text(const CLI::Option& option) {
  OptionText text;
  text.positional = option.get_positional();
  if (text.positional) text.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  text.description = one_line(option.get_description());
  const std::string type = option.get_type_name();
  text.value = value_of(option, type);
  text.choices = choices_in(type);
  text.range = range_in(type);
  text.default_value = option.get_default_str();
  if (text.default_value.starts_with('['))  // a list
    text.default_value = text.default_value.substr(1, text.default_value.size() - 2);
  text.needs = names_of(option.get_needs());
  text.excludes = names_of(option.get_excludes());
  text.required = option.get_required();
  text.by_commas = option.get_delimiter() != '\0';
  text.repeatable = option.get_expected_max() > 1;
  return text;
}

}  // namespace

CommandText command_text(const CLI::App& app) {
  CommandText text;
  text.name = app.get_name();
  text.description = one_line(app.get_description());
  for (const CLI::Option* option : app.get_options()) text.options.push_back(option_text(*option));
  text.footer = app.get_footer();
  for (const CLI::App* command : app.get_subcommands({}))
    text.commands.push_back(command_text(*command));
  return text;
}

}  // namespace sgood::cli

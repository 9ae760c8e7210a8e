// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sgood::cli {

/// What follows an option.
enum class Value { kNothing, kNumber, kText };

/// An option or a positional argument, as the command line knows it.
struct OptionText {
  std::vector<std::string> names;  ///< "-o", "--output"; a positional has one, without dashes.
  std::string description;         ///< One line.
  Value value = Value::kText;
  std::vector<std::string> choices;   ///< All legal values; empty: others than a list of words.
  std::string range;                  ///< Legal numbers, "[0 - 1]"; may be empty.
  std::string default_value;          ///< May be empty.
  std::vector<std::string> needs;     ///< Options that must be there too.
  std::vector<std::string> excludes;  ///< Options that must not.
  bool positional = false;
  bool required = false;
  bool repeatable = false;
  bool by_commas = false;  ///< Takes several values, separated by commas.
};

/// A command with all that its help says.
struct CommandText {
  std::string name;  ///< "sgood", "fit".
  std::string description;
  std::vector<OptionText> options;  ///< Positionals among them.
  std::string footer;               ///< Notes and examples; lines.
  std::vector<CommandText> commands;
};

/// Reads the description of `app` and, below it, of its commands: the one source of completion
/// scripts, manual pages and the reference.
CommandText command_text(const CLI::App& app);

}  // namespace sgood::cli

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "command_text.h"
#include "commands.h"
#include "sgood/detectors/detector.h"
#include "sgood/experiments/experiment.h"
#include "sgood/suites/suite.h"

namespace sgood::cli {
namespace {

template <typename Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

/// "tau=" for each option of any method.
std::vector<std::string> settings() {
  std::set<std::string> keys;
  for (const DetectorInfo& row : detectors())
    for (const auto& option : row.make()->options().describe())
      keys.insert(option["name"].get<std::string>() + "=");
  return {keys.begin(), keys.end()};
}

/// The words that may follow; empty: numbers, files, or nothing.
std::vector<std::string> words_of(const OptionText& option) {
  if (!option.choices.empty()) return option.choices;
  // What the registries hold is no fixed list to CLI11.
  const std::string& name = option.names.back();
  if (name == "--method") return names_of(detectors());
  if (name == "--set") return settings();
  if (name == "suites") return names_of(suites());
  if (name != "--experiment") return {};
  std::vector<std::string> names = names_of(experiments());
  names.emplace_back("all");
  return names;
}

std::vector<std::string> option_names(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options)
    if (!option.positional) names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// `text` inside single quotes; `quote` is how the shell writes one there.
std::string quoted(const std::string& text, const char* quote) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string(quote) : std::string(1, c);
  return result + '\'';
}

// ---- bash

/// What is completed after one of `option`'s names, as a branch of a case.
std::string bash_branch(const CommandText& command, const OptionText& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.names)
    patterns.push_back(fmt::format("'{} {}'", command.name, name));
  const std::vector<std::string> words = words_of(option);
  std::string action = "return 0";  // readline offers files
  if (!words.empty())
    action = fmt::format("words='{}'{}", fmt::join(words, " "), option.by_commas ? " list=1" : "");
  else if (option.value == Value::kNumber)
    action = "words=' '";
  return fmt::format("    {}) {} ;;\n", fmt::join(patterns, " | "), action);
}

std::string bash_script(const CommandText& root) {
  std::string values, options, positionals;
  for (const CommandText& command : root.commands) {
    options +=
        fmt::format("    {}) words='{}' ;;\n", command.name, fmt::join(option_names(command), " "));
    for (const OptionText& option : command.options) {
      if (!option.positional && option.value != Value::kNothing)
        values += bash_branch(command, option);
      if (const auto words = words_of(option); option.positional && !words.empty())
        positionals += fmt::format("    {}) words='{}'{} ;;\n", command.name, fmt::join(words, " "),
                                   option.by_commas ? " list=1" : "");
    }
  }
  std::vector<std::string> first = names_of(root.commands);
  for (const std::string& name : option_names(root)) first.push_back(name);
  return fmt::format(R"(# bash completion, made by: sgood complete bash
_sgood() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local words='' list='' head=''
  COMPREPLY=()
  # bash cuts --option=value at the sign
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  if ((COMP_CWORD == 1)); then
    words='{}'
  else
    case "${{COMP_WORDS[1]}} $previous" in
{}    *)
      if [[ $current == -* ]]; then
        case ${{COMP_WORDS[1]}} in
{}        esac
      else
        case ${{COMP_WORDS[1]}} in
{}        esac
      fi
      ;;
    esac
  fi
  [[ -n $words ]] || return 0
  compopt +o default
  if [[ -n $list && $current == *,* ]]; then
    head=${{current%,*}},
    current=${{current##*,}}
  fi
  COMPREPLY=($(compgen -P "$head" -W "$words" -- "$current"))
  if [[ ${{COMPREPLY[0]}} == *= ]]; then compopt -o nospace; fi
}}
complete -o default -F _sgood sgood
)",
                     fmt::join(first, " "), values, options, positionals);
}

// ---- zsh

/// ":output:_files", what zsh completes for a value.
std::string zsh_value(const OptionText& option) {
  std::string name = option.names.back();
  name.erase(0, name.find_first_not_of('-'));
  const std::vector<std::string> words = words_of(option);
  if (words.empty())
    return fmt::format(":{}:{}", name, option.value == Value::kNumber ? "" : "_files");
  const std::string joined = fmt::format("{}", fmt::join(words, " "));
  if (option.by_commas) return fmt::format(":{}:_sequence compadd - {}", name, joined);
  if (words[0].ends_with('=')) return fmt::format(":{}:compadd -S \"\" - {}", name, joined);
  return fmt::format(":{}:({})", name, joined);
}

/// One specification of _arguments.
std::string zsh_option(const OptionText& option) {
  const char* quote = "'\\''";
  if (option.positional) return quoted((option.repeatable ? "*" : "") + zsh_value(option), quote);
  std::string help;
  for (const char c : option.description) {
    if (c == '[' || c == ']' || c == '\\') help += '\\';
    help += c;
  }
  const std::string rest =
      fmt::format("[{}]{}", help, option.value == Value::kNothing ? "" : zsh_value(option));
  if (option.repeatable) return quoted("*" + option.names.back() + rest, quote);
  if (option.names.size() == 1) return quoted(option.names[0] + rest, quote);
  return fmt::format("'({})'{{{}}}{}", fmt::join(option.names, " "), fmt::join(option.names, ","),
                     quoted(rest, quote));
}

std::string zsh_script(const CommandText& root) {
  std::string commands, branches, options;
  for (const OptionText& option : root.options) options += " " + zsh_option(option);
  for (const CommandText& command : root.commands) {
    commands += " " + quoted(command.name + ":" + command.description, "'\\''");
    branches += fmt::format("        {})\n          _arguments", command.name);
    for (const OptionText& option : command.options)
      branches += " \\\n            " + zsh_option(option);
    branches += "\n          ;;\n";
  }
  return fmt::format(R"(#compdef sgood
# zsh completion, made by: sgood complete zsh
_sgood() {{
  local context state state_descr line
  typeset -A opt_args
  _arguments -C{} '1: :->command' '*:: :->rest'
  case $state in
    command)
      local -a commands
      commands=({})
      _describe -t commands command commands
      ;;
    rest)
      case $words[1] in
{}      esac
      ;;
  esac
}}
if [[ $funcstack[1] == _sgood ]]; then _sgood "$@"; else compdef _sgood sgood; fi
)",
                     options, commands, branches);
}

// ---- fish

std::string fish_option(const OptionText& option) {
  std::string text;
  for (const std::string& name : option.names)
    if (!option.positional)
      text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  const std::vector<std::string> words = words_of(option);
  const std::string joined = fmt::format("{}", fmt::join(words, " "));
  if (option.value != Value::kNothing) {
    if (words.empty())
      text += option.value == Value::kNumber ? " -x" : option.positional ? " -F" : " -r -F";
    else
      text += fmt::format(" {}-a '{}'", option.positional ? "" : "-x ",
                          option.by_commas ? "(__fish_append , " + joined + ")" : joined);
  }
  return text + (option.positional ? "" : " -d " + quoted(option.description, "\\'"));
}

std::string fish_script(const CommandText& root) {
  std::string text =
      "# fish completion, made by: sgood complete fish\n"
      "complete -c sgood -f\n";
  for (const OptionText& option : root.options)
    text += fmt::format("complete -c sgood -n __fish_use_subcommand{}\n", fish_option(option));
  for (const CommandText& command : root.commands) {
    text += fmt::format("complete -c sgood -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        quoted(command.description, "\\'"));
    for (const OptionText& option : command.options)
      text += fmt::format("complete -c sgood -n '__fish_seen_subcommand_from {}'{}\n", command.name,
                          fish_option(option));
  }
  return text;
}

struct CompleteOptions {
  std::string shell, output = "-";
};

void complete(const CompleteOptions& options, const CommandText& root) {
  const auto script = options.shell == "bash"  ? bash_script
                      : options.shell == "zsh" ? zsh_script
                                               : fish_script;
  write_output(options.output, script(root));
}

}  // namespace

void add_complete(CLI::App& app, Session&) {
  auto* command =
      app.add_subcommand("complete", "Prints a script with which a shell completes commands");
  auto options = std::make_shared<CompleteOptions>();
  command->add_option("shell", options->shell, "The shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->add_option("-o,--output", options->output, "File to write (default: standard output)");
  command->footer(
      "Example: sgood complete bash > ~/.local/share/bash-completion/completions/sgood\n"
      "zsh: write it as _sgood into a folder of $fpath\n"
      "fish: write it to ~/.config/fish/completions/sgood.fish");
  command->callback([options, &app] { complete(*options, command_text(app)); });
}

}  // namespace sgood::cli

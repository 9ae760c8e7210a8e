// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string_view>

#include "command_text.h"
#include "commands.h"
#include "sgood/core/version.h"

namespace sgood::cli {
namespace {

/// How a page is written.
struct PageFormat {
  std::string (*write)(const CommandText& command, const CommandText& root);
  const char* ending;
};

std::string title(const CommandText& command, const CommandText& root, const char* between) {
  return &command == &root ? root.name : root.name + between + command.name;
}

/// "OUTPUT" for --output, "{csv,jsonl}" where only some words are legal.
std::string placeholder(const OptionText& option) {
  if (!option.choices.empty()) return fmt::format("{{{}}}", fmt::join(option.choices, ","));
  std::string name = option.names.back();
  name.erase(0, name.find_first_not_of('-'));
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

/// "model [data]", the positionals in order.
std::string usage(const CommandText& command) {
  std::string text = "[OPTIONS]";
  if (!command.commands.empty()) text += " COMMAND";
  for (const OptionText& option : command.options)
    if (option.positional)
      text += fmt::format(fmt::runtime(option.required ? " {}{}" : " [{}{}]"), option.names[0],
                          option.repeatable ? "..." : "");
  return text;
}

/// The description with all that the parser checks.
std::string full_description(const OptionText& option) {
  std::string text = option.description + ".";
  if (!option.range.empty()) text += fmt::format(" Legal: {}.", option.range);
  if (!option.choices.empty() && option.positional)
    text += fmt::format(" One of: {}.", fmt::join(option.choices, ", "));
  if (!option.default_value.empty()) text += fmt::format(" Default: {}.", option.default_value);
  if (option.required && !option.positional) text += " Required.";
  if (option.repeatable && !option.positional) text += " May be given several times.";
  if (!option.needs.empty()) text += fmt::format(" Needs {}.", fmt::join(option.needs, ", "));
  if (!option.excludes.empty())
    text += fmt::format(" Not together with {}.", fmt::join(option.excludes, ", "));
  return text;
}

/// `text` as roff shows it unchanged.
std::string roff(const std::string& text) {
  std::string escaped;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '-') escaped += '\\';
    escaped += c == '\\' ? std::string("\\e") : std::string(1, c);
    line_start = c == '\n';
  }
  return escaped;
}

std::string man_option(const OptionText& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names)
    names.push_back(fmt::format("\\fB{}\\fR", roff(name)));
  const bool with_value = !option.positional && option.value != Value::kNothing;
  return fmt::format(".TP\n{}{}\n{}\n", fmt::join(names, ", "),
                     with_value ? fmt::format(" \\fI{}\\fR", roff(placeholder(option))) : "",
                     roff(full_description(option)));
}

std::string man_page(const CommandText& command, const CommandText& root) {
  const std::string name = title(command, root, "-");
  std::string upper = name;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
  std::string text = fmt::format(
      ".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n\\fB{}\\fR "
      "{}\n",
      roff(upper), root.name, kVersion, roff(name), roff(command.description),
      roff(title(command, root, " ")), roff(usage(command)));
  for (const bool positional : {true, false}) {
    std::string options;
    for (const OptionText& option : command.options)
      if (option.positional == positional) options += man_option(option);
    if (!options.empty())
      text += fmt::format(".SH {}\n{}", positional ? "ARGUMENTS" : "OPTIONS", options);
  }
  std::vector<std::string> see_also;
  if (&command != &root) see_also.push_back(fmt::format(".BR {} (1)", roff(root.name)));
  for (const CommandText& other : root.commands)
    if (&other != &command)
      see_also.push_back(fmt::format(".BR {} (1)", roff(title(other, root, "-"))));
  if (!command.commands.empty()) text += ".SH COMMANDS\n";
  for (const CommandText& other : command.commands)
    text += fmt::format(".TP\n\\fB{}\\fR\n{}.\n", roff(other.name), roff(other.description));
  return text + fmt::format(".SH NOTES AND EXAMPLES\n.nf\n{}\n.fi\n.SH SEE ALSO\n{}\n",
                            roff(command.footer), fmt::join(see_also, ",\n"));
}

/// `text` as a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    // Every Markdown knows entities, but not every one an escaped pipe.
    const bool special = std::string_view("|<*_`[").find(c) != std::string_view::npos;
    escaped += special ? fmt::format("&#{};", static_cast<int>(c)) : std::string(1, c);
  }
  return escaped;
}

std::string markdown_row(const OptionText& option) {
  std::string names = fmt::format("{}", fmt::join(option.names, ", "));
  if (!option.positional && option.value != Value::kNothing) names += " " + placeholder(option);
  return fmt::format("| `{}` | {} |\n", names, cell(full_description(option)));
}

std::string markdown_page(const CommandText& command, const CommandText& root) {
  std::string text =
      fmt::format("# {0}\n\n{1}.\n\n```text\n{0} {2}\n```\n", title(command, root, " "),
                  cell(command.description), usage(command));
  for (const bool positional : {true, false}) {
    std::string rows;
    for (const OptionText& option : command.options)
      if (option.positional == positional) rows += markdown_row(option);
    if (!rows.empty())
      text += fmt::format("\n## {}\n\n| | |\n|---|---|\n{}", positional ? "Arguments" : "Options",
                          rows);
  }
  if (!command.commands.empty()) text += "\n## Commands\n\n| | |\n|---|---|\n";
  for (const CommandText& other : command.commands)
    text += fmt::format("| [{0}]({1}-{0}.md) | {2} |\n", other.name, root.name,
                        cell(other.description));
  return text + fmt::format("\n## Notes and examples\n\n```text\n{}\n```\n", command.footer);
}

struct ManualOptions {
  std::string command, format = "man", output;
};

void manual(const ManualOptions& options, const CommandText& root) {
  const PageFormat format =
      options.format == "man" ? PageFormat{man_page, ".1"} : PageFormat{markdown_page, ".md"};
  std::vector<const CommandText*> pages = {&root};
  for (const CommandText& command : root.commands) pages.push_back(&command);
  if (options.output.empty()) {
    const auto page = std::ranges::find(pages, options.command, &CommandText::name);
    write_output("-", format.write(page == pages.end() ? root : **page, root));
    return;
  }
  std::filesystem::create_directories(options.output);
  for (const CommandText* page : pages)
    write_output(std::filesystem::path(options.output) / (title(*page, root, "-") + format.ending),
                 format.write(*page, root));
}

}  // namespace

void add_manual(CLI::App& app, Session&) {
  auto* command = app.add_subcommand("manual", "Prints the manual page of a command");
  auto options = std::make_shared<ManualOptions>();
  std::vector<std::string> names;
  for (const CLI::App* known : app.get_subcommands({})) names.push_back(known->get_name());
  auto* page = command->add_option("command", options->command, "Command (default: sgood itself)")
                   ->check(CLI::IsMember(names));
  command->add_option("--format", options->format, "man (for the program man) or markdown")
      ->check(CLI::IsMember({"man", "markdown"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "Folder for the pages of all commands")
      ->excludes(page);
  command->footer(
      "Example: sgood manual fit | man -l -\n"
      "         sgood manual -o share/man/man1");
  command->callback([options, &app] { manual(*options, command_text(app)); });
}

}  // namespace sgood::cli

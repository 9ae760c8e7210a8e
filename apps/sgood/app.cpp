// SPDX-License-Identifier: MIT
#include "app.h"

#include "versions.h"

namespace sgood::cli {
namespace {

/// Names the command that was used wrongly, and where its help is.
std::string usage_error(const CLI::App* app, const CLI::Error& error) {
  std::string command = "sgood";
  for (const CLI::App* used : app->get_subcommands()) command += " " + used->get_name();
  std::string text = error.what();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
    text = fmt::format("not expected: {}", fmt::join(app->remaining(true), " "));
  if (app->get_subcommands().empty()) {
    std::vector<std::string> names;
    for (const CLI::App* known : app->get_subcommands({})) names.push_back(known->get_name());
    text += fmt::format("; the commands are {}", fmt::join(names, ", "));
  }
  return fmt::format("{}: {}\nhelp: {} --help\n", command, text, command);
}

}  // namespace

std::unique_ptr<CLI::App> make_app(Session& session) {
  auto app = std::make_unique<CLI::App>(
      "Tells which graphs are unlike those that a classifier was trained on", "sgood");
  app->set_version_flag("--version", versions_text, "Print versions of sgood and its libraries");
  app->require_subcommand(0, 1);  // none: told below, together with what there is
  app->parse_complete_callback([app = app.get()] {
    if (app->get_subcommands().empty() && app->remaining().empty())
      throw CLI::RequiredError("a command");
  });
  app->failure_message(usage_error);
  app->footer(
      "Example: train on labelled molecules, then judge new ones:\n"
      "  sgood fit train.csv --labels activity -o model.sgood\n"
      "  sgood score model.sgood library.smi -o scores.csv\n"
      "Exit status: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C.");

  add_fit(*app, session);
  add_score(*app, session);
  add_convert(*app, session);
  add_eval(*app, session);
  add_explain(*app, session);
  add_bench(*app, session);
  add_fetch(*app, session);
  add_info(*app, session);
  add_list(*app, session);
  add_report(*app, session);
  add_complete(*app, session);
  add_manual(*app, session);  // last: it offers a page of every command above
  return app;
}

}  // namespace sgood::cli

// SPDX-License-Identifier: MIT
#include <csignal>
#include <cstdio>
#include <new>

#include "commands.h"
#include "sgood/core/error.h"
#include "sgood/core/version.h"

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

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away shows as a failed write
  CLI::App app{"Tells which graphs are unlike those that a classifier was trained on."};
  app.name("sgood");
  app.set_version_flag("--version", std::string("sgood ") + sgood::kVersion);
  app.require_subcommand(0, 1);  // none: told below, together with what there is
  app.parse_complete_callback([&app] {
    if (app.get_subcommands().empty() && app.remaining().empty())
      throw CLI::RequiredError("a command");
  });
  app.failure_message(usage_error);
  app.footer(
      "Example: train on labelled molecules, then judge new ones:\n"
      "  sgood fit train.csv --labels activity -o model.sgood\n"
      "  sgood score model.sgood library.smi -o scores.csv\n"
      "Exit status: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C.");

  sgood::cli::Session session;
  sgood::cli::add_fit(app, session);
  sgood::cli::add_score(app, session);
  sgood::cli::add_convert(app, session);
  sgood::cli::add_eval(app, session);
  sgood::cli::add_bench(app, session);
  sgood::cli::add_fetch(app, session);
  sgood::cli::add_info(app, session);
  sgood::cli::add_list(app, session);
  sgood::cli::add_report(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const sgood::Cancelled& error) {
    session.say(error.what());
    return 130;
  } catch (const std::bad_alloc&) {
    session.say(
        fmt::format("there is not enough memory for {}; see that its files are whole and "
                    "give them in parts, or use a machine with more",
                    fmt::join(argv + 1, argv + argc, " ")));
    return 1;
  } catch (const std::exception& error) {
    session.say(error.what());
    return 1;
  }
  return 0;
}

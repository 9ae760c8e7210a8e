// SPDX-License-Identifier: MIT
#include <csignal>
#include <cstdio>

#include "commands.h"
#include "sgood/core/error.h"
#include "sgood/core/version.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away shows as a failed write
  CLI::App app{"Tells which graphs are unlike those that a classifier was trained on."};
  app.name("sgood");
  app.set_version_flag("--version", std::string("sgood ") + sgood::kVersion);
  app.require_subcommand(1);
  app.footer(
      "Example: train on labelled molecules, then judge new ones:\n"
      "  sgood fit train.csv --labels activity -o model.sgood\n"
      "  sgood score model.sgood library.smi -o scores.csv\n"
      "Exit status: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C.");

  sgood::cli::Session session;
  sgood::cli::add_fit(app, session);
  sgood::cli::add_score(app, session);
  sgood::cli::add_eval(app, session);
  sgood::cli::add_bench(app, session);
  sgood::cli::add_info(app, session);
  sgood::cli::add_list(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const sgood::Cancelled& error) {
    session.say(error.what());
    return 130;
  } catch (const std::exception& error) {
    session.say(error.what());
    return 1;
  }
  return 0;
}

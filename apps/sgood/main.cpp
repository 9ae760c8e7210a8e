// SPDX-License-Identifier: MIT
#include <csignal>
#include <cstdio>
#include <new>

#include "app.h"
#include "sgood/core/error.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away shows as a failed write
  sgood::cli::Session session;
  const auto app = sgood::cli::make_app(session);
  try {
    app->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app->exit(error) == 0 ? 0 : 2;
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

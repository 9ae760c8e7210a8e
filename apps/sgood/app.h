// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"

namespace sgood::cli {

/// The whole command line: all commands with their options, help and work. `session` must outlive
/// it. Parsing runs the command that was named; errors are those of CLI11 and of the library.
std::unique_ptr<CLI::App> make_app(Session& session);

}  // namespace sgood::cli

// SPDX-License-Identifier: MIT
#include <memory>

#include "commands.h"
#include "sgood/core/error.h"
#include "sgood/suites/data_sets.h"

namespace sgood::cli {
namespace {

struct FetchArguments {
  std::vector<std::string> names;
  std::string data_root;
  FetchOptions options;
  bool list = false;
};

void list_sets() {
  std::string text;
  for (const DataSetInfo& set : data_sets())
    text += fmt::format("{:<18} {}\n", set.name,
                        set.address.empty() ? "cannot be fetched" : set.address);
  write_output("-", text);
}

void fetch(const FetchArguments& arguments, Session& session) {
  std::vector<DataSetInfo> sets;
  for (const std::string& name : arguments.names)
    for (DataSetInfo& set : data_sets_of(name)) sets.push_back(std::move(set));
  SGOOD_CHECK(arguments.options.sha256.empty() || sets.size() == 1,
              "--sha256 goes with one data set, not with {}", sets.size());
  const std::string root = data_root_or_default(arguments.data_root);
  for (const DataSetInfo& set : sets) {
    const FetchedSet fetched =
        fetch_data_set(set, root, arguments.options, session.stoppable_control());
    session.clear_progress();
    write_output("-", fetched.was_there
                          ? fmt::format("{}: is there already\n", fetched.folder.string())
                          : fmt::format("{}: {} bytes of {}, SHA-256 {}\n", fetched.folder.string(),
                                        fetched.bytes, fetched.address, fetched.sha256));
  }
}

}  // namespace

void add_fetch(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("fetch", "Downloads public data sets that suites read");
  auto arguments = std::make_shared<FetchArguments>();
  auto* names = command->add_option("names", arguments->names,
                                    "Data sets, or suites for all that they need (see --list)");
  command->add_option("--data-root", arguments->data_root,
                      "Folder to put them into (default: $SGOOD_DATA, else ./data)");
  command->add_option("--from", arguments->options.mirror,
                      "Base address of a copy, e.g. https://host/sets or file:///media/sets");
  command
      ->add_option("--sha256", arguments->options.sha256,
                   "SHA-256 that the downloaded file must have, where you know it")
      ->check([](const std::string& text) {
        const bool good =
            text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
        return good ? "" : "must be 64 hexadecimal digits, in lower case";
      });
  auto* list = command->add_flag("--list", arguments->list, "List the sets and their addresses");
  command->footer(
      "Example: sgood fetch enzymes --data-root data\n"
      "What was cut off goes on with the same command. Proxies: http_proxy, https_proxy, "
      "no_proxy.");
  command->callback([arguments, names, list, &session] {
    if (list->count() > 0) return list_sets();
    if (names->count() == 0) throw CLI::RequiredError("names");
    fetch(*arguments, session);
  });
}

}  // namespace sgood::cli

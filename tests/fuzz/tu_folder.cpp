// SPDX-License-Identifier: MIT
// The files of a TU folder, one after another with a form feed between them.
#include "sgood/io/tu_reader.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sgood;
  std::string_view rest = fuzz::text_of(data, size);
  for (const char* part :
       {"A", "graph_indicator", "graph_labels", "node_labels", "edge_labels", "node_attributes"}) {
    const std::string name = std::string("DS_") + part + ".txt";
    if (rest.empty()) {
      std::filesystem::remove(fuzz::folder() / name);
      continue;
    }
    const std::string_view text = rest.substr(0, rest.find('\f'));
    fuzz::write_input(name, text);
    rest.remove_prefix(std::min(rest.size(), text.size() + 1));
  }
  return fuzz::try_to([] { read_tu(fuzz::folder()); });
}

// SPDX-License-Identifier: MIT
// JSON Lines; what was read must come back the same from what is written of it.
#include "sgood/io/graph_lines.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sgood;
  const auto path = fuzz::write_input("g.jsonl", fuzz::text_of(data, size));
  return fuzz::try_to([&] {
    const GraphSet set = read_all(*open_graph_lines(path, {}));
    std::string lines;
    for (const Graph& graph : set.graphs) lines += graph_line(graph, "") + '\n';
    const auto copy = fuzz::write_input("copy.jsonl", lines);
    const GraphSet again = read_all(*open_graph_lines(copy, {}));
    if (again.graphs.size() != set.graphs.size()) throw std::logic_error("a graph was lost");
  });
}

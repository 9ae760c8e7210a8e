// SPDX-License-Identifier: MIT
// Tables of molecules: the first byte chooses the ending.
#include "sgood/chem/molecule_reader.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sgood;
  if (size == 0) return 0;
  static constexpr const char* kNames[] = {"m.csv", "m.tsv", "m.smi", "m.csv.gz"};
  const auto path = fuzz::write_input(kNames[data[0] % 4], fuzz::text_of(data + 1, size - 1));
  return fuzz::try_to([&] { read_molecules(path, {.fragmentation = Fragmentation::kBrics}); });
}

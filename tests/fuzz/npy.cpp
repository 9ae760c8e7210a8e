// SPDX-License-Identifier: MIT
#include "sgood/io/npy.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sgood;
  const auto path = fuzz::write_input("a.npy", fuzz::text_of(data, size));
  return fuzz::try_to([&] { read_npy(path).matrix(); });
}

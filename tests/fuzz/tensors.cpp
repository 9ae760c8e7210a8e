// SPDX-License-Identifier: MIT
// The container of model files; its contents: model.cpp.
#include "sgood/io/safetensors.h"
#include "tests/fuzz/fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sgood;
  const auto path = fuzz::write_input("m.sgood", fuzz::text_of(data, size));
  return fuzz::try_to([&] { load_tensors(path); });
}

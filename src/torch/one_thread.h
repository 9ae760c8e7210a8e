// SPDX-License-Identifier: MIT
#pragma once

namespace sgood {

/// Makes LibTorch and its BLAS compute on the calling thread alone. Their threads spin while they
/// wait, which costs two orders of magnitude on a busy machine, and they make sums depend on their
/// number. OpenMP's number belongs to the calling thread, so whatever computes calls this first.
void use_one_thread();

}  // namespace sgood

// SPDX-License-Identifier: MIT
#pragma once

#include "sgood/suites/suite.h"

namespace sgood {

/// Share of test graphs that training has as well, in [0, 1]: where it is high, a lookup table does
/// well, and the number of copies is all that is left to tell ID from OOD.
struct CopyAudit {
  double id = 0;   ///< Of ID test graphs.
  double ood = 0;  ///< Of OOD test graphs.
};

/// A copy has as many nodes and the same multiset of Weisfeiler-Lehman colours after two rounds,
/// started by all categorical node columns and with the first edge label: isomorphic graphs are
/// copies, and nearly all copies are isomorphic. Real attributes are not looked at.
CopyAudit audit_copies(const OodSuite& suite);

}  // namespace sgood

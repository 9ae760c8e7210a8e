// SPDX-License-Identifier: MIT
#include "rdkit_smiles.h"

#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/RDLog.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <utility>

#include "sgood/core/error.h"

namespace sgood {
namespace {

/// RDKit tells why a SMILES can't be read only in its global log. Parsing holds this lock shared;
/// who swaps the log to listen holds it alone.
std::shared_mutex& log_mutex() {
  static std::shared_mutex mutex;
  return mutex;
}

/// For messages: a SMILES can have thousands of characters.
std::string shortened(std::string_view smiles) {
  constexpr std::size_t kMost = 60;
  if (smiles.size() <= kMost) return std::string(smiles);
  return fmt::format("{}... ({} characters)", smiles.substr(0, kMost), smiles.size());
}

/// The complaint in the first line of RDKit's log, without time, prefix and the repeated SMILES.
std::string complaint(std::string_view log) {
  std::string_view line = log.substr(0, log.find('\n'));
  if (line.starts_with('[')) line.remove_prefix(std::min(line.find("] ") + 2, line.size()));
  constexpr std::string_view kPrefix = "SMILES Parse Error: ";
  if (line.starts_with(kPrefix)) line.remove_prefix(kPrefix.size());
  for (std::string_view tail : {" while parsing: ", " for input: "})
    line = line.substr(0, line.rfind(tail));
  return line.empty() ? "not a SMILES" : std::string(line);
}

/// Puts a log of our own in place of RDKit's error log for its lifetime.
class ErrorLogCapture {
 public:
  ErrorLogCapture()
      : saved_(std::exchange(rdErrorLog, std::make_shared<boost::logging::rdLogger>(&text_))) {}
  ~ErrorLogCapture() { rdErrorLog = std::move(saved_); }
  ErrorLogCapture(const ErrorLogCapture&) = delete;
  ErrorLogCapture& operator=(const ErrorLogCapture&) = delete;

  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  RDLogger saved_;
};

/// Why RDKit returned no molecule: reads once more and listens.
std::string reason_of_failure(const std::string& smiles) {
  const std::unique_lock lock(log_mutex());
  const ErrorLogCapture capture;
  delete RDKit::SmilesToMol(smiles);
  return complaint(capture.text());
}

}  // namespace

std::unique_ptr<RDKit::RWMol> parse_smiles(std::string_view smiles) {
  // RDKit takes a control character as the end of the SMILES and drops what follows.
  const auto strange =
      std::find_if(smiles.begin(), smiles.end(), [](unsigned char c) { return c < 32 || c > 126; });
  SGOOD_CHECK(strange == smiles.end(),
              "the SMILES has the byte 0x{:02x} at position {}; legal are the "
              "printable ASCII characters",
              static_cast<unsigned char>(*strange), strange - smiles.begin() + 1);

  const std::string text(smiles);
  std::unique_ptr<RDKit::RWMol> molecule;
  std::string reason;
  try {
    const std::shared_lock lock(log_mutex());
    molecule.reset(RDKit::SmilesToMol(text));
  } catch (const std::exception& error) {
    reason = error.what();
  }
  if (!molecule && reason.empty()) reason = reason_of_failure(text);
  SGOOD_CHECK(molecule, "RDKit cannot read the SMILES '{}': {}", shortened(smiles), reason);
  SGOOD_CHECK(molecule->getNumAtoms() > 0, "the SMILES '{}' has no atom", shortened(smiles));
  return molecule;
}

}  // namespace sgood

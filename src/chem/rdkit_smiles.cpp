// SPDX-License-Identifier: MIT
#include "rdkit_smiles.h"

#include <GraphMol/FileParsers/FileParsers.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <RDGeneral/Invariant.h>
#include <RDGeneral/RDLog.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "sgood/core/error.h"
#include "sgood/io/numbers.h"

namespace sgood {
namespace {

// RDKit's time grows with the cube of the length: a chain of 2000 atoms takes 5 seconds.
constexpr std::size_t kLongestSmiles = 2000;
constexpr std::size_t kLongestBlock = std::size_t{1} << 18;

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
  return line.empty() ? "no reason given" : std::string(line);
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

/// Runs `read`; when it gives no molecule, once more to hear why. `what` names the input in errors.
template <typename Read>
std::unique_ptr<RDKit::RWMol> parse(const std::string& what, Read read) {
  std::unique_ptr<RDKit::RWMol> molecule;
  std::string reason;
  try {
    const std::shared_lock lock(log_mutex());
    molecule.reset(read());
  } catch (const Invar::Invariant& error) {
    reason = error.what();
  } catch (const std::bad_alloc&) {
    reason = "it needs more memory than there is";
  } catch (const std::logic_error&) {  // of the standard library, without a word on the molecule
    reason = "a line of it is cut off or has a number that does not fit";
  } catch (const std::exception& error) {
    reason = error.what();
  }
  if (!molecule && reason.empty()) {
    const std::unique_lock lock(log_mutex());
    const ErrorLogCapture capture;
    delete read();
    reason = complaint(capture.text());
  }
  SGOOD_CHECK(molecule, "RDKit cannot read {}: {}", what, reason);
  SGOOD_CHECK(molecule->getNumAtoms() > 0, "{} has no atom", what);
  return molecule;
}

/// RDKit makes room for as many atoms and bonds as a V3000 block announces.
void check_counts(std::string_view block) {
  constexpr std::string_view kKey = "M  V30 COUNTS ";
  const auto at = block.find(kKey);
  if (at == std::string_view::npos) return;
  const std::string_view line =
      block.substr(at + kKey.size(), block.find('\n', at) - at - kKey.size());
  for (std::string_view rest = line; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    const auto count = parse_number<double>(word);
    SGOOD_CHECK(!count || (*count >= 0 && *count <= static_cast<double>(block.size())),
                "the mol block announces {} atoms or bonds but has {} bytes", word, block.size());
  }
}

}  // namespace

std::unique_ptr<RDKit::RWMol> parse_smiles(std::string_view smiles) {
  SGOOD_CHECK(smiles.size() <= kLongestSmiles, "the SMILES has {} characters; legal are {} at most",
              smiles.size(), kLongestSmiles);
  // RDKit takes a control character as the end of the SMILES and drops what follows.
  const auto strange =
      std::find_if(smiles.begin(), smiles.end(), [](unsigned char c) { return c < 32 || c > 126; });
  SGOOD_CHECK(strange == smiles.end(),
              "the SMILES has the byte 0x{:02x} at position {}; legal are the "
              "printable ASCII characters",
              static_cast<unsigned char>(*strange), strange - smiles.begin() + 1);

  const std::string text(smiles);
  return parse(fmt::format("the SMILES '{}'", shortened(smiles)),
               [&] { return RDKit::SmilesToMol(text); });
}

std::unique_ptr<RDKit::RWMol> parse_mol_block(std::string_view block) {
  SGOOD_CHECK(block.size() <= kLongestBlock, "the mol block has {} bytes; legal are {} at most",
              block.size(), kLongestBlock);
  check_counts(block);
  const std::string text(block);
  return parse("the mol block", [&] { return RDKit::MolBlockToMol(text); });
}

}  // namespace sgood

// SPDX-License-Identifier: MIT
#include "sgood/suites/data_sets.h"

#include <algorithm>
#include <string>

#include "sgood/core/error.h"
#include "sgood/io/atomic_file.h"
#include "sgood/io/download.h"
#include "sgood/io/zip_archive.h"
#include "sgood/suites/suite.h"

namespace sgood {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTuAddress = "https://www.chrsmrrs.com/graphkerneldatasets";
constexpr std::string_view kMoleculeAddress =
    "https://snap.stanford.edu/ogb/data/graphproppred/csv_mol_download";

std::vector<DataSetInfo> make_data_sets() {
  std::vector<DataSetInfo> sets;
  for (const char* name : {"AIDS", "BZR", "COLLAB", "COX2", "DD", "DHFR", "ENZYMES", "IMDB-BINARY",
                           "IMDB-MULTI", "MUTAG", "Mutagenicity", "NCI1", "NCI109", "PROTEINS",
                           "PTC_MR", "REDDIT-BINARY", "REDDIT-MULTI-5K", "REDDIT-MULTI-12K"})
    sets.push_back({name, DataSetKind::kTu, fmt::format("{}/{}.zip", kTuAddress, name), ""});
  const auto add = [&](const char* name, const char* file, const char* sha256 = "") {
    sets.push_back(
        {name, DataSetKind::kMolecules, fmt::format("{}/{}.zip", kMoleculeAddress, file), sha256});
  };
  add("BACE", "bace", "7a7aed697887bbd1ddcca1aa9e83d069d39e09d800e5961d20b80f1704ba86b5");
  add("BBBP", "bbbp", "7ec2b3b15450d30547e0f9ce2e17d1ba88f43f71e2a5a4e9df69bbb03c34c5c7");
  add("ClinTox", "clintox");
  add("ESOL", "esol");
  add("FreeSolv", "freesolv");
  add("HIV", "hiv");
  add("Lipophilicity", "lipo");
  add("MUV", "muv");
  add("PCBA", "pcba");
  add("SIDER", "sider", "b3cb8c34c69eef15a212771a6e333ff62c67ee11a72433a6ffc3ca1dace787f5");
  add("Tox21", "tox21", "c01302cf010fb0cef1228e5a56e7800252614ee4d92f52d3560a42f0e047f921");
  add("ToxCast", "toxcast");
  // Published as programs that extract it from ChEMBL.
  sets.push_back({"DrugOOD", DataSetKind::kMolecules, "", ""});
  return sets;
}

/// The files without which a folder is not the set; each may end in .gz too.
std::vector<std::string> needed_files(const DataSetInfo& set) {
  if (set.kind == DataSetKind::kMolecules) return {"mol.csv"};
  return {set.name + "_A.txt", set.name + "_graph_indicator.txt"};
}

bool is_complete(const DataSetInfo& set, const fs::path& folder) {
  return std::ranges::all_of(needed_files(set), [&](const std::string& file) {
    return fs::exists(folder / file) || fs::exists(folder / (file + ".gz"));
  });
}

/// What somebody without a network does.
std::string by_hand(const DataSetInfo& set, const fs::path& folder) {
  const std::string where = fmt::format("put {} (or .gz) into {}",
                                        fmt::join(needed_files(set), " and "), folder.string());
  return set.address.empty()
             ? where
             : fmt::format(
                   "to do it by hand, get {} and {}, or name a copy of the zip file with "
                   "--from file:///FOLDER",
                   set.address, where);
}

std::string address_of(const DataSetInfo& set, const std::string& mirror) {
  if (mirror.empty()) return set.address;
  SGOOD_CHECK(mirror.find("://") != std::string::npos,
              "the mirror is '{}' but must be an address such as https://host/folder or "
              "file:///folder",
              mirror);
  return fmt::format("{}{}", mirror.substr(0, mirror.find_last_not_of('/') + 1),
                     set.address.substr(set.address.rfind('/')));
}

/// Molecules and split of an archive of the Open Graph Benchmark; the graphs in it are not needed.
fs::path place_of_molecules(const fs::path& entry) {
  const fs::path folder = entry.parent_path();
  if (folder.filename() == "mapping" && entry.filename() == "mol.csv.gz") return "mol.csv.gz";
  const bool split = folder.filename() == "scaffold" && folder.parent_path().filename() == "split";
  for (const char* part : {"train.csv.gz", "valid.csv.gz", "test.csv.gz"})
    if (split && entry.filename() == part) return fs::path("split") / "scaffold" / part;
  return {};
}

void check_contents(const DataSetInfo& set, const std::string& address, const fs::path& folder) {
  if (!is_complete(set, folder))
    throw ParseError(
        address, 0, fmt::format("the archive has no {}", fmt::join(needed_files(set), " and no ")));
  if (set.sha256_of_molecules.empty()) return;
  const std::string found = sha256_of(folder / "mol.csv.gz");
  if (found != set.sha256_of_molecules)
    throw ParseError(address, 0,
                     fmt::format("the SHA-256 of the mol.csv.gz in it is {} but {} is expected: it "
                                 "was altered, or is another version",
                                 found, set.sha256_of_molecules));
}

FetchedSet fetch(const DataSetInfo& set, const fs::path& folder, const FetchOptions& options,
                 const RunControl& control) {
  FetchedSet result{.folder = folder, .address = address_of(set, options.mirror)};
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (error)
    throw WriteError(fmt::format("{}: this folder cannot be made: {}",
                                 folder.parent_path().string(), error.message()));
  const fs::path archive = folder.string() + ".zip", unpacked = folder.string() + ".unpacked";
  const Download file = download(result.address, archive, options.sha256, control);
  result.bytes = file.bytes;
  result.sha256 = file.sha256;
  const auto remove_rest = [&] {
    fs::remove(archive, error);
    fs::remove_all(unpacked, error);
  };
  try {
    fs::remove_all(unpacked, error);
    unpack_zip(archive, unpacked,
               set.kind == DataSetKind::kTu ? place_of_text_file : place_of_molecules);
    check_contents(set, result.address, unpacked);
    write_file_atomically(unpacked / "SOURCE.txt",
                          fmt::format("address: {}\nbytes: {}\nSHA-256: {}\n", result.address,
                                      result.bytes, result.sha256));
    fs::rename(unpacked, folder);
  } catch (const fs::filesystem_error& failure) {
    remove_rest();
    throw WriteError(
        fmt::format("{}: cannot be written: {}", folder.string(), failure.code().message()));
  } catch (...) {
    remove_rest();
    throw;
  }
  remove_rest();
  return result;
}

}  // namespace

const std::vector<DataSetInfo>& data_sets() {
  static const std::vector<DataSetInfo> sets = make_data_sets();
  return sets;
}

std::vector<DataSetInfo> data_sets_of(std::string_view name) {
  std::vector<std::string> known;
  std::vector<DataSetInfo> found;
  for (const DataSetInfo& set : data_sets()) {
    if (set.name == name) return {set};
    known.push_back(set.name);
  }
  for (const SuiteInfo& suite : suites()) {
    if (suite.name != name) continue;
    SGOOD_CHECK(!suite.needs.empty(), "suite {} is generated and needs no files", name);
    for (const DataSetInfo& set : data_sets())
      if (fmt::format(", {},", suite.needs).find(fmt::format(" {},", set.name)) !=
          std::string::npos)
        found.push_back(set);
  }
  SGOOD_CHECK(!found.empty(), "there is no data set or suite '{}'; known sets are {}", name,
              fmt::join(known, ", "));
  return found;
}

FetchedSet fetch_data_set(const DataSetInfo& set, const fs::path& data_root,
                          const FetchOptions& options, const RunControl& control) {
  const fs::path folder = data_root / set.name;
  if (is_complete(set, folder)) return {.folder = folder, .was_there = true};
  if (set.address.empty())
    throw Unavailable(
        fmt::format("{} has no address to fetch it from; {}", set.name, by_hand(set, folder)));
  try {
    return fetch(set, folder, options, control);
  } catch (const WriteError&) {
    throw;  // a copy made by hand would not fit either
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}; {}", error.what(), by_hand(set, folder)));
  } catch (const ParseError& error) {
    throw ParseError(set.name, 0, fmt::format("{}; {}", error.what(), by_hand(set, folder)));
  }
}

}  // namespace sgood

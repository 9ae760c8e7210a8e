# Finds RDKit's C++ libraries (Debian: librdkit-dev, which has no CMake package of its own).
#
# Components are the names of libraries without the prefix RDKit, e.g. SmilesParse; without COMPONENTS
# those that read SMILES, find scaffolds, match patterns and draw. Each gives an imported target RDKit::NAME.
# Hint: -DRDKit_ROOT=/prefix. Sets RDKit_FOUND, RDKit_INCLUDE_DIR, RDKit_NAME_LIBRARY.

if(NOT RDKit_FIND_COMPONENTS)
  set(RDKit_FIND_COMPONENTS RDGeneral GraphMol FileParsers SmilesParse SubstructMatch ChemTransforms
    MolDraw2D Depictor)
endif()

find_path(RDKit_INCLUDE_DIR GraphMol/RWMol.h PATH_SUFFIXES rdkit)
# RDKit's headers include Boost's.
find_path(RDKit_BOOST_INCLUDE_DIR boost/dynamic_bitset.hpp)
mark_as_advanced(RDKit_INCLUDE_DIR RDKit_BOOST_INCLUDE_DIR)

foreach(component IN LISTS RDKit_FIND_COMPONENTS)
  find_library(RDKit_${component}_LIBRARY RDKit${component})
  mark_as_advanced(RDKit_${component}_LIBRARY)
  if(RDKit_${component}_LIBRARY)
    set(RDKit_${component}_FOUND TRUE)
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(RDKit
  REQUIRED_VARS RDKit_INCLUDE_DIR RDKit_BOOST_INCLUDE_DIR
  HANDLE_COMPONENTS
  REASON_FAILURE_MESSAGE
    "install it (Debian: apt install librdkit-dev) or build without molecules: -DSGOOD_WITH_RDKIT=OFF")

if(RDKit_FOUND)
  foreach(component IN LISTS RDKit_FIND_COMPONENTS)
    if(RDKit_${component}_FOUND AND NOT TARGET RDKit::${component})
      add_library(RDKit::${component} UNKNOWN IMPORTED)
      set_target_properties(RDKit::${component} PROPERTIES
        IMPORTED_LOCATION "${RDKit_${component}_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${RDKit_INCLUDE_DIR};${RDKit_BOOST_INCLUDE_DIR}")
    endif()
  endforeach()
endif()

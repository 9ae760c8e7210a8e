# `cpack -G DEB`: sgood (the tool), libsgood-dev (for find_package), and sgood-torch where LibTorch is built.
set(CPACK_PACKAGE_VENDOR sgood)
set(CPACK_PACKAGE_CONTACT "The sgood project <sgood@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL tool development)
if(SGOOD_WITH_TORCH)
  list(APPEND CPACK_COMPONENTS_ALL torch)
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME sgood)
set(CPACK_DEBIAN_TOOL_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_TORCH_PACKAGE_NAME sgood-torch)
set(CPACK_DEBIAN_TORCH_PACKAGE_DEPENDS "sgood (= ${PROJECT_VERSION}), libopenblas0-pthread")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsgood-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)  # archives only
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libfmt-dev, nlohmann-json3-dev, libzip-dev, zlib1g-dev, libeigen3-dev")
if(SGOOD_WITH_RDKIT)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", librdkit-dev, libboost-dev")
endif()

# Debian's name of a licence file.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  install(FILES LICENSE RENAME copyright COMPONENT ${component}
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
endforeach()
include(CPack)

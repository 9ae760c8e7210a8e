# `cmake --install`: libraries, headers, and what find_package(sgood) needs.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sgood)
set(installed_modules ${modules})
list(REMOVE_ITEM installed_modules torch)  # reached through its plug-in, so that nobody needs LibTorch
foreach(module IN LISTS installed_modules)
  if(TARGET sgood_${module})
    set_target_properties(sgood_${module} PROPERTIES EXPORT_NAME ${module})
    install(TARGETS sgood_${module} EXPORT sgood-targets)
    install(DIRECTORY include/sgood/${module} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sgood)
  endif()
endforeach()
install(FILES "${CMAKE_BINARY_DIR}/generated/sgood/core/version.h"
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sgood/core)
install(EXPORT sgood-targets NAMESPACE sgood:: DESTINATION ${package_folder})

configure_package_config_file(cmake/sgood-config.cmake.in "${CMAKE_BINARY_DIR}/sgood-config.cmake"
  INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/sgood-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/sgood-config.cmake" "${CMAKE_BINARY_DIR}/sgood-config-version.cmake"
              cmake/FindLibZip.cmake cmake/FindRDKit.cmake
        DESTINATION ${package_folder})

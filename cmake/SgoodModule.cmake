# One way to declare a module, a test program and a benchmark.

function(sgood_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wno-psabi
                         # Equal bits whatever the compiler contracts: fused operations are written out.
                         -ffp-contract=off)
  if(SGOOD_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${SGOOD_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${SGOOD_SANITIZE})
  endif()
endfunction()

# sgood_add_module(name SOURCES a.cpp ... DEPENDS sgood_core fmt::fmt ...)
function(sgood_add_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(sgood_${name} STATIC ${ARG_SOURCES})
  add_library(sgood::${name} ALIAS sgood_${name})
  target_include_directories(sgood_${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/generated>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(sgood_${name} PUBLIC cxx_std_20)
  target_link_libraries(sgood_${name} PUBLIC ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE_DEPENDS})
  sgood_compile_options(sgood_${name})
endfunction()

# sgood_add_plugin(name SOURCES a.cpp ... DEPENDS ... COMPONENT tool): libsgood_NAME.so, which Plugin loads on demand.
function(sgood_add_plugin name)
  cmake_parse_arguments(ARG "" "COMPONENT" "SOURCES;DEPENDS" ${ARGN})
  add_library(sgood_${name}_plugin MODULE ${ARG_SOURCES})
  target_link_libraries(sgood_${name}_plugin PRIVATE ${ARG_DEPENDS})
  set_target_properties(sgood_${name}_plugin PROPERTIES
    PREFIX "" OUTPUT_NAME libsgood_${name} LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
  sgood_compile_options(sgood_${name}_plugin)
  install(TARGETS sgood_${name}_plugin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${ARG_COMPONENT})
endfunction()

# sgood_add_test(name SOURCES a_test.cpp ... DEPENDS sgood_core ... [LABELS data])
# One program per module; every TEST in it is one CTest test, unless WHOLE runs the program as a single one.
function(sgood_add_test name)
  cmake_parse_arguments(ARG "WHOLE" "TIMEOUT" "SOURCES;DEPENDS;LABELS" ${ARGN})
  add_executable(sgood_${name}_test ${ARG_SOURCES})
  target_link_libraries(sgood_${name}_test PRIVATE ${ARG_DEPENDS} GTest::gmock GTest::gtest_main)
  target_include_directories(sgood_${name}_test PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_definitions(sgood_${name}_test PRIVATE
    SGOOD_TEST_FOLDER="${CMAKE_SOURCE_DIR}/tests")
  sgood_compile_options(sgood_${name}_test)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  if(ARG_WHOLE)
    add_test(NAME ${name} COMMAND sgood_${name}_test)
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
  else()
    include(GoogleTest)
    gtest_discover_tests(sgood_${name}_test NO_PRETTY_VALUES TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
  endif()
endfunction()

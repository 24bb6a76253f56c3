# SPDX-License-Identifier: MIT
# Debian packages, which `cpack -G DEB` makes in the build folder after a release build, in its folder
# packages/: one for each component of the install rules.
set(TOUCHSTONE_MAINTAINER "The touchstone authors <touchstone@example.org>" CACHE STRING
  "Maintainer field of the Debian packages: name and address of who distributes them")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME touchstone)
set(CPACK_PACKAGE_VENDOR "The touchstone authors")
set(CPACK_PACKAGE_CONTACT ${TOUCHSTONE_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# Between installation into a folder and packing: what Debian asks of each package.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/debian/finish.cmake)
set(CPACK_TOUCHSTONE_SOURCE ${PROJECT_SOURCE_DIR})

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# ts_debian(PACKAGE SUMMARY TEXT): a package. Those of other components need the program of the same
# build.
set(own_version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
function(ts_debian package summary text)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${package} PARENT_SCOPE)
  string(TOUPPER ${package} name)
  set(CPACK_DEBIAN_${name}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${name}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  if(NOT package STREQUAL touchstone)
    set(CPACK_DEBIAN_${name}_PACKAGE_DEPENDS "touchstone (= ${own_version})" PARENT_SCOPE)
  endif()
endfunction()

set(CPACK_COMPONENTS_ALL "")
ts_debian(touchstone "measures the quality of contact generators"
"touchstone runs contact generators, the part of a physics engine that
takes two touching shapes and returns contact points, normals and depths,
on scenes whose right answer is known. It says how right and how fast each
one is, compares results, and fails continuous integration when they get
worse. Generators are built in, loaded as plug-ins or scored from files.")
# OpenGL by EGL for layered depth images, and plots; without them the rest works.
set(CPACK_DEBIAN_TOUCHSTONE_PACKAGE_RECOMMENDS "libegl1, libgl1-mesa-dri, gnuplot-nox")
set(CPACK_DEBIAN_TOUCHSTONE_PACKAGE_SUGGESTS "touchstone-engines, touchstone-dev, touchstone-mpi")
get_property(modules DIRECTORY ${PROJECT_SOURCE_DIR}/methods/engines PROPERTY BUILDSYSTEM_TARGETS)
if(modules)
  ts_debian(touchstone-engines "packaged physics engines for touchstone"
"Adapters to the collision code of packaged physics engines, such as ODE,
Bullet, FCL, libccd and MuJoCo, which touchstone measures beside the others
when it is run with --engines.")
endif()
ts_debian(touchstone-dev "headers of touchstone for plug-ins"
"The two headers that describe the interface of contact generators to
touchstone, and files for CMake and pkg-config to find them. A plug-in is
a shared object and links with nothing of touchstone.")
if(TARGET touchstone-mpi)
  ts_debian(touchstone-mpi "touchstone on several ranks of MPI"
"A program that runs one plan of touchstone on several ranks, by MPICH,
with the same results as on one.")
endif()
include(CPack)

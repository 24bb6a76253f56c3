# SPDX-License-Identifier: MIT
# What people and shells read: manual pages, which the program prints from its tables of options,
# completions, and the pages of docs/, which messages name.

# The names of the commands are those in their list.
set(list ${PROJECT_SOURCE_DIR}/harness/plan/commands.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
file(STRINGS ${list} lines REGEX "^(COMMAND|HIDDEN)\\(")
list(TRANSFORM lines REPLACE "^[A-Z]+\\(([a-z]+).*" "\\1")

# touchstone_page(FILE COMPONENT ARGUMENTS...): the manual page that `touchstone help ARGUMENTS
# --man` prints.
function(touchstone_page file component)
  get_filename_component(section ${file} LAST_EXT)
  string(SUBSTRING ${section} 1 1 section)
  set(page ${CMAKE_CURRENT_BINARY_DIR}/man/${file})
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/man
    COMMAND touchstone help ${ARGN} --man > ${page}
    DEPENDS touchstone COMMENT "Manual page ${file}" VERBATIM)
  set_property(GLOBAL APPEND PROPERTY touchstone_pages ${page})
  install(FILES ${page} DESTINATION share/man/man${section} COMPONENT ${component})
endfunction()

touchstone_page(touchstone.1 touchstone)
foreach(command IN LISTS lines)
  touchstone_page(touchstone-${command}.1 touchstone ${command})
endforeach()
touchstone_page(touchstone-results.5 touchstone results)
if(TARGET touchstone-mpi)
  touchstone_page(touchstone-mpi.1 touchstone-mpi mpi)
endif()
get_property(pages GLOBAL PROPERTY touchstone_pages)
add_custom_target(manual ALL DEPENDS ${pages})
add_dependencies(product manual)

# For zsh twice: Debian's looks into the first below /usr, and into the second below /usr/local, as
# others do everywhere.
install(FILES completions/touchstone.bash RENAME touchstone
  DESTINATION share/bash-completion/completions COMPONENT touchstone)
install(FILES completions/_touchstone DESTINATION share/zsh/vendor-completions COMPONENT touchstone)
install(FILES completions/_touchstone DESTINATION share/zsh/site-functions COMPONENT touchstone)
install(FILES completions/touchstone.fish DESTINATION share/fish/vendor_completions.d
  COMPONENT touchstone)

# Links between the pages, the examples and these files hold as in the source tree.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION share/doc/touchstone COMPONENT touchstone)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
  ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md ${PROJECT_SOURCE_DIR}/CITATION.cff
  DESTINATION share/doc/touchstone COMPONENT touchstone)

# SPDX-License-Identifier: MIT
# Run by cpack when each component is installed below a folder of its own: adds the licences and
# changelogs that Debian asks of every package, and compresses manual pages. The same input gives the
# same files.
find_program(GZIP gzip REQUIRED)

function(compress file)
  execute_process(COMMAND ${GZIP} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# A text as a field of a control file: indented, and with a full stop for an empty line.
function(as_field out file)
  file(READ ${file} text)
  string(STRIP "${text}" text)
  string(REPLACE ";" "\\;" text "${text}")
  string(REGEX REPLACE "[ \t]*\n" "\n " text " ${text}")
  string(REGEX REPLACE "\n (\n)" "\n .\\1" text "${text}")
  string(REGEX REPLACE "\n (\n)" "\n .\\1" text "${text}") # two empty lines
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# What comes from other packages and is embedded in ours has its licence beside the code that uses it:
# a title, then the copyright and the terms.
function(embedded_licences out)
  set(all "")
  file(GLOB notices ${CPACK_TOUCHSTONE_SOURCE}/reports/*/*_licence.txt)
  foreach(notice IN LISTS notices)
    file(READ ${notice} text)
    string(REGEX MATCH "^([^\n]+)\n" title "${text}")
    set(title ${CMAKE_MATCH_1})
    string(REGEX MATCH "Copyright \\([cC]\\) ([^\n]+)" holder "${text}")
    set(holder ${CMAKE_MATCH_1})
    if(NOT holder OR NOT text MATCHES "Permission is hereby granted, free of charge")
      message(FATAL_ERROR "${notice} has no copyright, or is not the MIT licence; adapt ${CMAKE_CURRENT_LIST_FILE}")
    endif()
    get_filename_component(name ${notice} NAME_WLE)
    string(REPLACE "_licence" "" name ${name})
    string(APPEND all "\n\nFiles: ${name}\nCopyright: ${holder}\nLicense: MIT\nComment: ${title}")
  endforeach()
  set(${out} "${all}" PARENT_SCOPE)
endfunction()

# What the tree says for machines about its licences, and their texts.
function(write_copyright file)
  file(READ ${CPACK_TOUCHSTONE_SOURCE}/.reuse/dep5 text)
  string(STRIP "${text}" text)
  embedded_licences(embedded)
  string(APPEND text "${embedded}")
  file(GLOB licences ${CPACK_TOUCHSTONE_SOURCE}/LICENSES/*.txt)
  foreach(licence IN LISTS licences)
    get_filename_component(name ${licence} NAME_WLE)
    as_field(field ${licence})
    string(APPEND text "\n\nLicense: ${name}\n${field}")
  endforeach()
  file(WRITE ${file} "${text}\n")
endfunction()

foreach(package IN LISTS CPACK_COMPONENTS_ALL)
  set(staged ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${package}${CPACK_PACKAGING_INSTALL_PREFIX})
  set(documents ${staged}/share/doc/${package})
  write_copyright(${documents}/copyright)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${documents}/changelog.Debian @ONLY)
  configure_file(${CPACK_TOUCHSTONE_SOURCE}/CHANGELOG.md ${documents}/changelog COPYONLY)
  compress(${documents}/changelog.Debian)
  compress(${documents}/changelog)
  file(COPY ${CMAKE_CURRENT_LIST_DIR}/overrides/ DESTINATION ${staged}/share/lintian/overrides
    FILES_MATCHING PATTERN ${package})
  file(GLOB_RECURSE pages ${staged}/share/man/*.[1-9])
  foreach(page IN LISTS pages)
    compress(${page})
  endforeach()
  file(GLOB_RECURSE files ${documents}/* ${staged}/share/lintian/*)
  file(CHMOD ${files} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endforeach()

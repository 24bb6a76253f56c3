# SPDX-License-Identifier: MIT
# Run at every build: writes the commit into a header, and touches the header only when the commit
# has changed, so that nothing is recompiled unnecessarily. "unknown" if there is no git or the
# source is not a repository of its own; "<commit>-dirty-<fingerprint>" where files differ from the
# commit, so that two such builds can be distinguished.
#
#   cmake -DSOURCE=<source folder> -DHEADER=<file to write> -P build_info.cmake

set(commit "unknown")
find_program(GIT git)
if(GIT)
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --show-toplevel
                  OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH "${SOURCE}" source)
  if(top STREQUAL source)
    execute_process(COMMAND ${GIT} -C ${SOURCE} --no-optional-locks
                            describe --always --dirty --abbrev=40 --exclude=*
                    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(described)
      set(commit "${described}")
      if(described MATCHES "-dirty$")
        execute_process(COMMAND ${GIT} -C ${SOURCE} --no-optional-locks diff --no-color HEAD
                        OUTPUT_VARIABLE difference ERROR_QUIET)
        string(SHA1 fingerprint "${difference}")
        string(SUBSTRING ${fingerprint} 0 12 fingerprint)
        string(APPEND commit "-${fingerprint}")
      endif()
    endif()
  endif()
endif()

set(text "/// Written by reports/rows/build_info.cmake.\n#define TOUCHSTONE_COMMIT \"${commit}\"\n")
if(EXISTS "${HEADER}")
  file(READ "${HEADER}" before)
endif()
if(NOT text STREQUAL "${before}")
  file(WRITE "${HEADER}" "${text}")
endif()

# SPDX-License-Identifier: MIT
# Turns files into C arrays, PREFIXname and the size PREFIXname_bytes, as HEADER declares them:
# cmake -DOUT=FILE.c -DHEADER=room/file.h -DPREFIX=ts_room_ "-DASSETS=name=path;name=path" -P embed.cmake
# Several paths, separated by "|", make one array.
set(source "#include \"${HEADER}\"\n")
foreach(asset IN LISTS ASSETS)
  string(REGEX MATCH "^([^=]+)=(.+)$" whole "${asset}")
  set(name ${CMAKE_MATCH_1})
  string(REPLACE "|" ";" paths "${CMAKE_MATCH_2}")
  set(bytes "")
  foreach(path IN LISTS paths)
    file(READ "${path}" more HEX)
    string(APPEND bytes ${more})
  endforeach()
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND source "\nconst unsigned char ${PREFIX}${name}[] = {\n${bytes}};\n"
                       "const size_t ${PREFIX}${name}_bytes = sizeof ${PREFIX}${name};\n")
endforeach()
file(WRITE "${OUT}" "${source}")

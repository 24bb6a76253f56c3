# SPDX-License-Identifier: MIT
# Turns text files into C arrays:
# cmake -DOUT=FILE.c "-DASSETS=name=path;name=path" -P html_embed.cmake
set(source "#include \"reports/html/html_assets.h\"\n")
foreach(asset IN LISTS ASSETS)
  string(REGEX MATCH "^([^=]+)=(.+)$" whole "${asset}")
  set(name ${CMAKE_MATCH_1})
  file(READ "${CMAKE_MATCH_2}" bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND source "\nconst unsigned char ts_html_${name}[] = {\n${bytes}};\n"
                       "const size_t ts_html_${name}_bytes = sizeof ts_html_${name};\n")
endforeach()
file(WRITE "${OUT}" "${source}")

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sourced by the checks of what is installed.

# names_place FOLDER PLACE...: lists the text files below the folder that name one of the places. Only
# with a slash or an end behind it: a short name is also part of other words, as /ts of </tspan>.
names_place() {
  local folder=$1 place patterns=()
  shift
  for place; do
    patterns+=(-e "$(printf '%s' "$place" | sed 's,[][\\.*^$+?(){}|],\\&,g')([^[:alnum:]_-]|\$)")
  done
  grep -rlIE "${patterns[@]}" "$folder"
}

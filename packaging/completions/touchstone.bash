# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Completion of touchstone in bash: the program itself says what may come next.

_touchstone() {
  local program=$1 words=() piece word shown is_joined=0 i

  # As it was typed: bash expands neither of these here.
  program=${program/#\~\//$HOME/}
  program=${program/#\$HOME\//$HOME/}

  # The shell has split "--name=value" into three words: join them.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    piece=${COMP_WORDS[i]//[\'\"\\]/} # without the quotes that it is in
    if [[ ${#words[@]} -gt 0 && ($piece == = || $is_joined -eq 1) ]]; then
      words[${#words[@]} - 1]+=$piece
    else
      words+=("$piece")
    fi
    [[ $piece == = ]] && is_joined=1 || is_joined=0
  done

  # Of a word with "=" the shell replaces what is behind the last one.
  word=${words[${#words[@]} - 1]}
  shown=
  [[ $COMP_WORDBREAKS != *=* || $word != *=* ]] || shown=${word%"${word##*=}"}

  local line candidates=()
  while IFS= read -r line; do
    case $line in
      :files | :folders)
        local kind=-f path=${word##*=}
        [[ $line == :files ]] || kind=-d
        compopt -o filenames
        while IFS= read -r line; do candidates+=("$line"); done < <(compgen "$kind" -- "$path")
        ;;
      :noblank) compopt -o nospace ;;
      *)
        line=${line%%$'\t'*}
        candidates+=("${line#"$shown"}")
        ;;
    esac
  done < <("$program" complete "${words[@]}" 2>/dev/null)
  COMPREPLY=("${candidates[@]}")
}

complete -F _touchstone touchstone

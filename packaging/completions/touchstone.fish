# SPDX-License-Identifier: MIT
# Completion of touchstone in fish: the program itself says what may come next.

function __touchstone_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    # As it was typed: fish expands neither of these here.
    set -l program (string replace -r '^(~|\$HOME)/' "$HOME/" -- $words[1])
    type -q $program; or return
    set -e words[1]
    # Without the quotes that the word is in.
    for line in ($program complete $words (string replace -ra '[\'"\\\\]' '' -- "$current") 2>/dev/null)
        switch $line
            case :files
                __touchstone_paths $current | string match -v ''
            case :folders
                __touchstone_paths $current | string match '*/'
            case :noblank
                # fish adds none behind "=".
            case '*'
                echo $line
        end
    end
end

# The paths that begin like the word, or like what is behind its "--name=".
function __touchstone_paths
    set -l option (string match -r '^--[a-z-]*=' -- $argv[1])
    set -l typed (string replace -r '^--[a-z-]*=' '' -- $argv[1])
    # fish's own paths behind no command: they know of ~, variables, quotes and escapes.
    for path in (complete -C "'' $typed" | string replace -r '\t.*' '')
        echo "$option$path"
    end
end

complete -c touchstone -f -a '(__touchstone_complete)'

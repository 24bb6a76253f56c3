# SPDX-License-Identifier: MIT
# Completion of touchstone in fish: the program itself says what may come next.

function __touchstone_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program $words[1]
    set -e words[1]
    for line in ($program complete $words "$current" 2>/dev/null)
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
    for path in (string replace -r '^--[a-z-]*=' '' -- $argv[1])*
        test -d $path; and set path $path/
        echo "$option$path"
    end
end

complete -c touchstone -f -a '(__touchstone_complete)'

# SPDX-License-Identifier: MIT
"""Types a line into a shell on a terminal, a tab behind it, and prints the words that it then has.

usage: type_in_shell.py TEXT SHELL ARGUMENTS...

The shell's prompt is "READY> ", and it has a command `shown` that prints "shown:" and each of its
arguments in <>. Exit status 1, with what the terminal showed, when no answer comes in time.
"""
import os
import pty
import re
import select
import sys
import time

LIMIT_S = 30


class Terminal:
    def __init__(self, command):
        self.shown = ""
        self.end = time.monotonic() + LIMIT_S
        process, self.file = pty.fork()
        if process == 0:
            os.execvp(command[0], command)

    def read(self, wait_s):
        """Adds what comes within this time; False if nothing does."""
        if not select.select([self.file], [], [], wait_s)[0]:
            return False
        try:
            data = os.read(self.file, 65536).decode(errors="replace")
        except OSError:
            data = ""
        if not data:
            self.fail("it has ended")
        self.shown += data
        return True

    def wait_for(self, pattern):
        while not (found := re.search(pattern, self.shown)):
            self.read(0.1)
            if time.monotonic() > self.end:
                self.fail(f"no {pattern}")
        return found

    def wait_until_quiet(self):
        """A shell that completes has nothing to say before it is done."""
        while time.monotonic() < self.end and self.read(1):
            pass

    def type(self, text):
        os.write(self.file, text.encode())

    def fail(self, why):
        sys.exit(f"type_in_shell: {why}; the terminal showed: {self.shown!r}")


def main():
    terminal = Terminal(sys.argv[2:])
    terminal.wait_for("READY> ")
    terminal.wait_until_quiet()
    terminal.type(sys.argv[1] + "\t")
    terminal.wait_until_quiet()
    terminal.type("\x01shown \r")  # ^A: to the start of the line
    print(terminal.wait_for(r"shown:((?: <[^>]*>)*)\r?\n")[1].strip())


main()

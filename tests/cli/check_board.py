# SPDX-License-Identifier: MIT
"""Opens a leaderboard of three entries in Chromium: check_board.py CHROMIUM PAGE."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "reports", "html"))
from browser import Browser  # noqa: E402

chromium, page = sys.argv[1:]
with Browser(chromium) as browser:
    browser.open(page)
    assert not browser.complaints()
    names = "return [...document.querySelectorAll('.board tbody th')].map((cell) => cell.textContent)"
    ranked = browser.run(names)
    assert ranked == ["semi_local", "vertex_only", "gjk <2.1>"], ranked
    # A click on a head sorts, a second one the other way round.
    click = "document.querySelectorAll('.board thead button')[arguments[0]].click()"
    browser.run(click, 1)
    assert browser.run(names) == sorted(ranked), browser.run(names)
    browser.run(click, 1)
    assert browser.run(names) == sorted(ranked, reverse=True), browser.run(names)
    # The keyboard alone leads to an entry, which opens.
    assert browser.run("return document.querySelectorAll('details.entry[open]').length") == 0
    browser.run("document.querySelector('.board tbody a').focus()")
    browser.keys("Enter")
    opened = browser.run("return new Promise((done) => setTimeout(() => done("
                         "[...document.querySelectorAll('details.entry[open]')].map((e) => e.id)), 200))")
    assert opened == ["entry-2"], opened  # the one of the first row, as it is sorted now
    assert browser.run("return document.activeElement.tagName") == "SUMMARY"
    # Worst scenes first, in the table of that entry.
    values = ("const table = document.querySelector('details[open] table');"
              "const at = [...table.tHead.rows[0].cells].findIndex((c) => c.textContent.startsWith('Quality'));"
              "if (arguments[0]) table.tHead.rows[0].cells[at].firstChild.click();"
              "return [...table.tBodies[0].rows].map((row) => Number(row.cells[at].dataset.value))")
    sorted_values = browser.run(values, True)
    assert sorted_values == sorted(sorted_values) and len(sorted_values) > 100
    # A phone shows it without scrolling sideways.
    browser.look(360, 800)
    assert browser.run("return document.documentElement.scrollWidth") <= 360
    assert not browser.complaints()
print("board: 1 passed, 0 failed")

# SPDX-License-Identifier: MIT
"""Reads the page as a person would: sorts, filters, opens a row, finds the figures."""
import os
import shutil
import sys
import time

sys.dont_write_bytecode = True
from browser import Browser  # noqa: E402, beside this file

TAB, ENTER, ESCAPE = "Tab", "Enter", "Escape"
passed = failed = 0


def check(what, is_fine, details=None):
    global passed, failed
    passed, failed = passed + bool(is_fine), failed + (not is_fine)
    print(f"{'ok' if is_fine else 'FAILED'}: {what}" + ("" if is_fine else f" ({details})"))


def column(page, name):
    """What the shown rows hold in a column, top to bottom."""
    return page.run("""
        const heads = [...document.querySelectorAll('#rows thead th')];
        const at = heads.findIndex((head) => head.dataset.sort === arguments[0]);
        return [...document.querySelectorAll('#rows tbody tr:not(.failed)')].map(
          (row) => row.cells[at].textContent)""", name)


def count(page, selector):
    return page.run("return document.querySelectorAll(arguments[0]).length", selector)


def click(page, selector):
    page.run("document.querySelector(arguments[0]).click()", selector)


def fill(page, name, value):
    page.run("""
        const field = document.querySelector(`#filters [name=${arguments[0]}]`);
        if (field.type === 'checkbox') field.checked = arguments[1];
        else field.value = arguments[1];
        field.dispatchEvent(new Event('input', { bubbles: true }))""", name, value)


def reset(page):
    click(page, "#filters [type=reset]")
    page.run("return new Promise((done) => setTimeout(done, 20))")


def check_sorting(page):
    for _ in range(2):
        click(page, "[data-sort=quality_percent] button")
        way = page.run("""
            return document.querySelector('[data-sort=quality_percent]').getAttribute('aria-sort')
            """)
        values = [float(text) for text in column(page, "quality_percent") if text != "\u2013"]
        check(f"quality goes {way}", len(values) > 10 and len(set(values)) > 3 and
              values == sorted(values, reverse=way == "descending"), values)
    check("one column at a time is sorted", count(page, "#rows th[aria-sort]") == 1)
    click(page, "[data-sort=method] button")
    methods = column(page, "method")
    check("text is sorted too", methods == sorted(methods) and len(set(methods)) == 4, methods)


def check_filters(page):
    whole = count(page, "#rows tbody tr")
    fill(page, "case", "wall touch")
    check("a filter of two words leaves the rows that have both",
          set(column(page, "case")) == {"wall touch"}, column(page, "case"))
    check("and the heat map", count(page, "#heat tbody tr") == 1)
    check("and the bars", count(page, "#bars svg") == 1)
    fill(page, "method", "opposing")
    check("filters add up", column(page, "method") == ["opposing"], column(page, "method"))
    reset(page)
    check("a reset brings all rows back", count(page, "#rows tbody tr") == whole)
    fill(page, "parameters", "layers=2")
    check("parameters are searched", len(column(page, "case")) == 8, column(page, "case"))
    reset(page)
    fill(page, "outcome", "crashed")
    check("the outcome filters", count(page, "#rows tbody tr") == 1)
    reset(page)
    fill(page, "flagged", True)
    flagged = count(page, "#rows tbody tr")
    check("failed and flagged rows are some of them", 1 < flagged < whole, flagged)
    reset(page)


def check_details(page):
    click(page, "#rows tbody tr:first-child button")
    text = page.run("return document.getElementById('details').innerText")
    for words in ("listed:", "correct", "touchstone run --case", "normal_error_deg_max"):
        check(f"the details have: {words}", words in text, text[:400])
    page.keys(ESCAPE)
    check("Escape closes them", page.run("return !document.getElementById('details').open"))
    page.run("document.querySelector('#rows thead button').focus()")
    page.keys(ENTER)
    check("the keyboard sorts", count(page, "#rows th[data-sort=case][aria-sort]") == 1)
    page.keys(TAB)
    check("and goes on to the next column", page.run(
        "return document.activeElement.parentElement.dataset.sort") == "method")
    outline = page.run("return getComputedStyle(document.activeElement).outlineStyle")
    check("where the focus is can be seen", outline == "solid", outline)


def check_figures(page):
    cases = page.run("return touchstone.data.cases.length")
    check("the heat map has a row for each case", count(page, "#heat tbody tr") == cases)
    check("and a cell for each method", count(page, "#heat tbody tr:first-child button") == 5)
    check("each case has its bars", count(page, "#bars svg") == cases)
    check("bars have lengths", page.run("""
        return [...document.querySelectorAll('#bars rect.bar')].some(
          (bar) => Number(bar.getAttribute('width')) > 50)"""))
    check("quality is plotted against time", count(page, "#scatter .mark") > 10)
    check("normals are sorted: a curve for each method", count(page, "#curves polyline") == 4)
    chosen = page.run("return [...document.querySelectorAll('#heat option')].map((o) => o.value)")
    check("every column with a best value can be chosen", chosen[0] == "quality_percent" and
          "freed_wrongly_percent" in chosen and "memory_bytes_max" in chosen and
          "contacts" not in chosen and "outcome" not in chosen, chosen)
    weights = page.run("""
        const choice = document.querySelector('#heat select');
        return [...choice.options].map((option) => {
          choice.value = option.value;
          choice.dispatchEvent(new Event('change'));
          return [...document.querySelectorAll('#heat td button')].map(
            (cell) => Number(cell.style.getPropertyValue('--weight')));
        })""")
    check("and each shades the map from 0 to 1", all(
        0 <= weight <= 1 for of_measure in weights for weight in of_measure) and
        sum(len(set(of_measure)) > 1 for of_measure in weights) > 10, weights)
    page.run("""
        const choice = document.querySelector('#heat select');
        choice.selectedIndex = 0;
        choice.dispatchEvent(new Event('change'))""")
    before = page.run("return document.querySelector('#heat td button').textContent")
    page.run("""
        const choice = document.querySelector('#heat select');
        choice.value = 'generate_ns_median';
        choice.dispatchEvent(new Event('change'))""")
    after = page.run("return document.querySelector('#heat td button').textContent")
    check("the heat map shows another measure", before != after and after.endswith("s"), after)
    check("plots of the folder are in the page", page.run(
        "return document.querySelector('#plots img').naturalWidth") == 20)
    click(page, "#all-columns")
    check("all columns are there when asked for",
          count(page, "#rows tbody tr:nth-child(2) td.extra") > 30)


def check_coherence(page):
    def cells(name):
        return page.run("""
            const table = document.querySelector('#coherence table');
            const at = [...table.tHead.rows[0].cells].findIndex(
              (head) => head.dataset.sort === arguments[0]);
            return [...table.tBodies[0].rows].map((row) => row.cells[at].textContent)""", name)

    check("each case and method has its coherence", len(cells("case")) == 12, cells("case"))
    for way in ("ascending", "descending"):
        click(page, "#coherence [data-sort=set_jump_per_m_max] button")
        values = [float(text) for text in cells("set_jump_per_m_max")]
        check(f"the jump goes {way}", len(set(values)) > 3 and
              values == sorted(values, reverse=way == "descending"), values)
    check("the order of the rows stays", count(page, "#rows th[aria-sort]") == 0)
    fill(page, "method", "opposing")
    check("the filter is for coherence, too", set(cells("method")) == {"opposing"})
    reset(page)
    click(page, "#coherence tbody button")
    text = page.run("return document.getElementById('details').innerText")
    check("a row has its details", "set_jump_per_m_max" in text, text[:400])
    page.keys(ESCAPE)


def check_safety(page):
    check("nothing took the title", page.run("return document.title") == "touchstone report")
    check("a reason makes no image", count(page, "#rows img, #failed img") == 0)
    check("the reason is there as it was", "</script><script>" in page.run(
        "return document.querySelector('#failed').innerText"))
    check("the failed row has its command", "touchstone run --case" in page.run(
        "return document.querySelector('#failed code').textContent"))
    check("the console is silent", page.complaints() == [], page.complaints())
    check("nothing was loaded from elsewhere", page.run(
        "return performance.getEntriesByType('resource').filter((e) => !e.name.startsWith('data:'))"
        ".length") == 0)
    unnamed = page.run("""
        return [...document.querySelectorAll('button, input, select')].filter((control) =>
          !control.textContent.trim() && !(control.labels && control.labels.length)).length""")
    check("every control has a name", unnamed == 0, unnamed)


def check_phone_and_dark(page):
    width = page.run("return document.documentElement.scrollWidth")
    check("a phone need not scroll sideways", width <= 360, width)
    ground, ink = page.run("""
        const style = getComputedStyle(document.body);
        return [style.backgroundColor, style.color].map(
          (c) => c.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0) / 3)""")
    check("dark is dark", ground < 60 and ink > 180, (ground, ink))


def check_many(page):
    rows = page.run("return touchstone.data.rows.length")
    check("there are many rows", rows > 9000, rows)
    start = time.monotonic()
    click(page, "[data-sort=quality_percent] button")
    fill(page, "case", "cliff")
    print(f"informational: {rows} rows sorted and filtered in {time.monotonic() - start:.2f} s")
    check("a page of them is shown", count(page, "#rows tbody tr") == 200)
    click(page, "#more button")
    check("and more when asked for", count(page, "#rows tbody tr") == 400)


def check_without_script(page):
    root = page.protocol("DOM.getDocument")["root"]["nodeId"]

    def find(selector):
        return page.protocol("DOM.querySelectorAll", nodeId=root, selector=selector)["nodeIds"]

    check("without a script the filters stay away", len(find("#filters[hidden]")) == 1)
    cells, heads = len(find("#rows tbody td.n")), len(find("#rows thead th.n"))
    check("without a script the table has the main columns", heads >= 11, heads)
    check("and every row is there with its measures",
          len(find("#rows tbody tr:not(.failed)")) == 24 and cells == 24 * heads, cells)
    check("and the failed one with its command", len(find("#failed code")) == 1)


def check_all(path, path_of_many):
    with Browser(shutil.which("chromium")) as page:
        page.open(path)
        check_safety(page)
        check_figures(page)
        check_coherence(page)
        check_sorting(page)
        check_filters(page)
        check_details(page)
        check("the console is silent after all that", page.complaints() == [])
        page.look(360, 740, is_dark=True)
        page.open(path)
        check_phone_and_dark(page)
        page.look(1280, 900)
        page.open(path_of_many)
        check_many(page)
        page.protocol("Emulation.setScriptExecutionDisabled", value=True)
        page.open(path)
        check_without_script(page)


check_all(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
print(f"page: {passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)

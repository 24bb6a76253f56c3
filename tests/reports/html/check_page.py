# SPDX-License-Identifier: MIT
"""Reads the page as a person would: sorts, filters, opens a row, finds the figures."""
import os
import shutil
import sys
import time

sys.dont_write_bytecode = True
from browser import Browser  # noqa: E402, beside this file

TAB, ENTER, ESCAPE = "Tab", "Enter", "Escape"
LEFT, RIGHT, UP, DOWN = "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"
STOPS_MAX = 20  # of Tab before the table
passed = failed = 0


def check(what, is_fine, details=None):
    global passed, failed
    passed, failed = passed + bool(is_fine), failed + (not is_fine)
    print(f"{'ok' if is_fine else 'FAILED'}: {what}" + ("" if is_fine else f" ({details})"[:600]))


def draw_all(page):
    """What is out of view is drawn when it comes into view, or to be printed."""
    page.run("dispatchEvent(new Event('beforeprint'))")


def focused(page):
    """Text of the control that has the focus."""
    return page.run("return document.activeElement.textContent")


def wait(page, milliseconds=50):
    """That time at least, and until the page has drawn and has nothing else to do."""
    page.run("""return new Promise((done) => setTimeout(() => requestAnimationFrame(
        () => requestIdleCallback(done, { timeout: 5000 })), arguments[0]))""", milliseconds)


def escape(page):
    """Closes the details, and waits until the address and the focus have followed."""
    page.keys(ESCAPE)
    eventually(page, lambda: not page.run("return document.getElementById('details').open"))
    wait(page, 200)


def eventually(page, is_so):
    """Whether it becomes so within some seconds: a browser draws when it has time."""
    for _ in range(100):
        if is_so():
            return True
        wait(page, 100)
    return False


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
        field.value = arguments[1];
        field.dispatchEvent(new Event('input', { bubbles: true }))""", name, value)


def reset(page):
    click(page, "#filters [type=reset]")
    wait(page)


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
    click(page, "[data-sort=phantom] button")
    phantoms = [int(text) for text in column(page, "phantom") if text != "\u2013"]
    check("a flag is sorted from the worst down", phantoms == sorted(phantoms, reverse=True) and
          phantoms[0] > 0, phantoms)
    click(page, "[data-sort=method] button")
    methods = column(page, "method")
    check("text is sorted too", methods == sorted(methods) and len(set(methods)) == 4, methods)


def check_filters(page):
    whole = count(page, "#rows tbody tr")
    fill(page, "case", "wall touch")
    check("a filter of two words leaves the rows that have both",
          set(column(page, "case")) == {"wall touch"}, column(page, "case"))
    draw_all(page)
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
    counts = {}
    for show in ("wrong", "flagged"):
        fill(page, "show", show)
        counts[show] = count(page, "#rows tbody tr")
        link = page.run("return document.querySelector(`header a[href='#show=${arguments[0]}']`)"
                        ".textContent", show)
        check(f"the count at the top is that of the filter {show}",
              link.startswith(f"{counts[show]} "), (link, counts))
        reset(page)
    check("flagged rows are some of those that are not right",
          1 < counts["flagged"] < counts["wrong"] < whole, counts)
    fill(page, "method", '"surface_sat"')
    check("a filter in quotes is the whole text", set(column(page, "method")) == {"surface_sat"})
    fill(page, "method", '"surface"')
    check("and no part of it", column(page, "method") == [])
    reset(page)


def press(page, selector, at=0):
    """Moves the mouse to the middle of an element and clicks, as a person does."""
    x, y = page.run("""
        const element = [...document.querySelectorAll(arguments[0])][arguments[1]];
        element.scrollIntoView({ block: 'center', inline: 'center' });
        const box = element.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]""", selector, at)
    for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
        page.protocol("Input.dispatchMouseEvent", type=kind, x=x, y=y, clickCount=1,
                      button="none" if kind == "mouseMoved" else "left")
        wait(page)  # in which a change of what is below could draw it again


def is_open(page):
    return page.run("return document.getElementById('details').open")


def check_mouse(page):
    for what, selector in (("a cell of the heat map", "#heat tbody button"),
                           ("a row", "#rows tbody tr td:nth-child(3)")):
        page.run("document.querySelector('#heat').scrollIntoView()")
        eventually(page, lambda: count(page, "#heat tbody button") > 0)
        page.run("const field = document.querySelector('[name=case]'); field.focus()")
        page.protocol("Input.insertText", text="cliff")
        eventually(page, lambda: count(page, "#heat tbody tr") < 4)
        press(page, selector)
        check(f"the first click on {what} after typing opens it", eventually(
            page, lambda: is_open(page)), page.run("return document.activeElement.outerHTML"))
        escape(page)
        reset(page)
    draw_all(page)
    press(page, "#scatter [data-row] .mark")
    check("a point of a figure opens its row", eventually(page, lambda: is_open(page)))
    escape(page)
    page.run("document.querySelectorAll('#study details').forEach((one) => { one.open = true; })")
    page.run("document.querySelector('#study [data-of] button').focus()")
    page.keys(ENTER)
    title = page.run("return document.getElementById('details-title').textContent")
    place = page.run("""
        const cell = document.querySelector('#study [data-of]');
        return [cell.textContent, cell.parentElement.cells[0].textContent]""")
    check("a worst cell opens its row", title.startswith(place[0]) and title.endswith(place[1]),
          (title, place))
    escape(page)
    for selector in ("#ranking th button", "#tradeoff .mark"):
        press(page, selector)
        methods = set(column(page, "method"))
        check(f"{selector} leads to the rows of its method", len(methods) == 1 and
              page.run("return document.activeElement.id") == "table", methods)
        check("and the legend says that a filter is on", page.run(
            "return !document.querySelector('#legend button:last-child').hidden"))
        click(page, "#legend button:last-child")
        check("and ends it", eventually(page, lambda: page.run(
            "return document.querySelector('#legend button:last-child').hidden")))


def check_details(page):
    click(page, "#rows tbody tr:first-child button")
    text = page.run("return document.getElementById('details').innerText")
    for words in ("listed:", "correct", "touchstone run --case", "normal_error_deg_max"):
        check(f"the details have: {words}", words in text, text[:400])
    check("and a place for a view of the row", page.run(
        "return document.querySelector('#details .view').dataset.row") == "0")
    escape(page)
    check("Escape closes them", page.run("return !document.getElementById('details').open"))
    fill(page, "show", "flagged")
    click(page, "#rows tbody tr:not(.failed) button")
    faults = page.run("return [...document.querySelectorAll('#details .faults li')]"
                      ".map((item) => item.textContent)")
    check("each flag is in words, with its number and meaning",
          len(faults) > 0 and all(": " in text and text.endswith(".") for text in faults), faults)
    position = page.run("""
        const dialog = document.getElementById('details');
        return dialog.innerHTML.indexOf('faults') < dialog.innerHTML.indexOf('Measure it again')""")
    check("what is wrong comes first", position)
    escape(page)
    reset(page)
    words = page.run("""
        const { rows, valueOf, openDetails } = touchstone;
        const is = (isWrong) => rows.find((row) => row.isOk && !row.isFlagged &&
          row.isWrong === isWrong && valueOf(row, 'quality_percent') !== null);
        return [true, false].map((isWrong) => {
          openDetails(is(isWrong));
          return document.querySelector('#details header + p').textContent;
        })""")
    check("wrong normals are said although no flag counts them",
          words[0].startswith("No flags, but not right: ") and words[1].startswith("All right: "), words)
    about = page.run("return document.querySelector('#details .about').textContent")
    check("the case, the step and the method are described", "The scene as built" in about and
          len(about) > 120, about)
    behind = page.run("return getComputedStyle(document.documentElement).overflow")
    check("the page behind does not scroll", behind == "hidden", behind)
    escape(page)
    click(page, "#rows .failed button")
    text = page.run("return document.querySelector('#details header + p').textContent")
    check("a failed row begins with its reason", text.startswith("crashed: "), text)
    escape(page)


def check_places_for_others(page):
    page.run("""
        globalThis.touchstoneView = { log: [],
          select(column) { this.log.push(column); return column !== 'phantom'; },
          open(row, place) { this.log.push(`open ${row} ${place.dataset.row}`); },
          close() { this.log.push('close'); } };
        touchstone.rows[0].explain = 'touchstone explain wall closest_points';""")
    click(page, "#rows tbody [data-row='0']")
    check("the command that explains the row is there", page.run(
        "return [...document.querySelectorAll('#details code')].map((code) => code.textContent)")[0]
        == "touchstone explain wall closest_points")
    page.run("document.querySelector('#details .view').append('kept')")
    third = page.run("""
        document.querySelector('#details .view').dispatchEvent(new CustomEvent('touchstone-step',
          { bubbles: true, detail: { row: 2 } }));
        return [document.getElementById('details-title').textContent, location.hash,
          document.querySelector('#details .view').textContent,
          `${touchstone.rows[2].caseLabel} \u00d7 ${touchstone.rows[2].methodLabel}`,
          `#row=${touchstone.rows[2].name}`]""")
    check("the page follows the view to another step and leaves the view alone",
          third[0] == third[3] and third[1].endswith(third[4][1:]) and third[2] == "kept", third)
    page.run("""
        document.querySelector('#details .view').dispatchEvent(new CustomEvent('touchstone-step',
          { bubbles: true, detail: { row: 0 } }))""")
    page.run("[...document.querySelectorAll('#details header button')].find("
             "(button) => button.textContent === 'Next').focus()")
    page.keys(ENTER, ENTER)
    check("Next stays at hand", focused(page) == "Next", focused(page))
    escape(page)
    log = page.run("return touchstoneView.log")
    second, third = page.run("""
        const shown = touchstone.rowsShown(), at = shown.indexOf(touchstone.rows[0]);
        return shown.slice(at + 1, at + 3).map((row) => row.index)""")
    check("a viewer opens and closes with the rows", log == [
        "open 0 0", "close", f"open {second} {second}", "close", f"open {third} {third}", "close"], log)
    page.run("""
        touchstoneView.log = [];
        touchstone.openDetails(touchstone.rows.find((row) => row.isFlagged))""")
    flags = page.run("""
        const buttons = [...document.querySelectorAll('#details .faults [data-flag]')];
        for (const button of buttons) button.click();
        return [buttons.map((button) => button.dataset.flag), touchstoneView.log.slice(1),
          [...document.querySelectorAll('#details .faults li')].map((li) => li.textContent)]""")
    check("each flag leads the view to its places, or says that it cannot", flags[0] == flags[1] != []
          and all(("no place" in text) == (name == "phantom") for name, text in zip(flags[0], flags[2])),
          flags)
    page.run("""
        document.querySelector('#details .view').append(Object.assign(
          document.createElement('button'), { textContent: 'inside' }));
        document.querySelector('#details .view button').focus()""")
    page.keys(ESCAPE)
    check("Escape closes at once, also from the view", eventually(page, lambda: page.run(
        "return touchstone.openedRow() === null")))
    page.run("delete globalThis.touchstoneView")


def check_keyboard(page):
    stops = 0
    while stops < 100 and not page.run("return !!document.activeElement.closest('#rows')"):
        page.keys(TAB)
        stops += 1
        if stops == 1:
            check("the first stop skips to the rows", focused(page) == "Skip to the rows")
        outline = page.run("return getComputedStyle(document.activeElement).outlineStyle")
        if outline != "solid":
            check("where the focus is can be seen", False, focused(page))
    check(f"Tab is at the table after {STOPS_MAX} stops at most", stops <= STOPS_MAX, stops)
    check("at its first head", focused(page) == "Case", focused(page))
    page.keys(ENTER)
    check("the keyboard sorts", count(page, "#rows th[data-sort=case][aria-sort]") == 1)
    page.keys(RIGHT)
    check("an arrow goes on to the next column", focused(page) == "Method", focused(page))
    page.keys(DOWN, DOWN)
    second = page.run("return document.querySelectorAll('#rows tbody button')[1].dataset.row")
    check("and down to the second row", page.run(
        "return document.activeElement.dataset.row") == second)
    page.keys(TAB)
    check("the table is one stop", page.run("return !document.activeElement.closest('#rows')"))
    page.run("document.querySelector('#rows [tabindex=\"0\"]').focus()")
    page.keys(ENTER)
    check("Enter opens the row", page.run("return document.getElementById('details').open"))
    first = page.run("return document.getElementById('details-title').textContent")
    page.keys(RIGHT)
    after = page.run("return document.getElementById('details-title').textContent")
    check("an arrow shows the next row", after != first, after)
    page.keys(LEFT)
    check("and back", page.run("return document.getElementById('details-title').textContent") == first)
    page.keys(LEFT)
    check("the first row has none before it", page.run(
        "return document.querySelector('#details header button').disabled"))
    escape(page)
    check("the focus is where it was", page.run(
        "return document.activeElement.dataset.row") == second)
    page.run("document.querySelector('#heat').scrollIntoView()")
    wait(page, 200)
    page.run("document.querySelector('#heat tbody button').focus()")
    page.keys(DOWN, RIGHT, ENTER)
    opened = page.run("return document.getElementById('details-title').textContent")
    escape(page)
    check("the heat map is one stop with arrows, too", opened.split(" \u00d7 ")[1] == page.run(
        "return touchstone.data.methods[1]") and count(page, "#heat [tabindex='0']") == 1, opened)
    reset(page)


def check_address(page, path):
    address = page.run("return location.href.split('#')[0]")
    fill(page, "case", "wall")
    fill(page, "show", "flagged")
    click(page, "[data-sort=quality_percent] button")
    click(page, "[data-sort=quality_percent] button")
    shown = column(page, "quality_percent")
    now = page.run("return location.href")
    check("the address has the filters and the order",
          now == address + "#case=wall&show=flagged&sort=-quality_percent", now)
    page.run("history.back()")
    wait(page, 200)
    check("back undoes the last step", page.run(
        "return document.querySelector('#rows [aria-sort]').getAttribute('aria-sort')") == "ascending")
    page.run("history.forward()")
    wait(page, 200)
    check("forward does it again", column(page, "quality_percent") == shown)
    click(page, "#rows tbody button")
    title = page.run("return document.getElementById('details-title').textContent")
    name = page.run("return touchstone.openedRow().name")
    link = page.run("return [...document.querySelectorAll('#details code')].at(-1).textContent")
    check("a link leads to the row by its name, without the folder of a local file",
          link == f"#row={name}", link)
    page.run("history.back()")
    wait(page, 200)
    check("back closes the row", page.run("return !document.getElementById('details').open"))
    page.run("history.forward()")
    wait(page, 200)
    check("forward opens it", page.run(
        "return document.getElementById('details').open && "
        "document.getElementById('details-title').textContent") == title)
    escape(page)
    page.protocol("Page.navigate", url="about:blank")
    wait(page, 200)
    page.open(path, f"#row={name}")
    check("the address of a row opens it", page.run(
        "return document.getElementById('details').open && "
        "document.getElementById('details-title').textContent") == title)
    escape(page)
    evil = "<img src=x onerror=document.title=1>"
    page.run("location.hash = 'row=' + arguments[0] + '&case=' + arguments[0] + '&sort=%E0%A4'", evil)
    wait(page, 200)
    check("an address is only text", count(page, "img[src=x]") == 0 and
          page.run("return document.querySelector('[name=case]').value") == evil)
    check("a row that is not there is said", page.run(
        "return document.getElementById('lost').innerText") ==
        f"The address asks for the row {evil}, which this page does not have.")
    reset(page)
    page.run("location.hash = ''")
    wait(page, 200)
    for show in ("flagged", "wrong"):
        click(page, f"header a[href='#show={show}']")
        top = "return document.querySelector('#table h2').getBoundingClientRect().top"
        check(f"the count of rows {show} leads to these rows", page.run(
            "return document.querySelector('[name=show]').value") == show and
            eventually(page, lambda: 0 < page.run(top) < 200), page.run(top))
        check("with the focus", page.run("return document.activeElement.id") == "table")
        reset(page)
    page.protocol("Page.navigate", url="about:blank")
    eventually(page, lambda: page.run("return location.href") == "about:blank")
    page.open(path, "#show=wrong")
    check("the address of a filter begins at its rows", eventually(page, lambda: page.run(top) < 200))
    reset(page)


def check_legend(page):
    methods = page.run("return touchstone.data.methods")
    check("the legend has each method with its mark", page.run(
        "return [...document.querySelectorAll('#legend button.method')].map("
        "(button) => button.querySelector('.mark') && button.textContent)") == methods)
    page.run("document.getElementById('context').scrollIntoView()")
    wait(page)
    top = page.run("return document.getElementById('legend').getBoundingClientRect().top")
    check("it stays in view", top == 0, top)
    whole = count(page, "#rows tbody tr")
    click(page, "#legend button.method")
    draw_all(page)
    check("a method is hidden everywhere", count(page, "#rows tbody tr") < whole and
          all(count(page, f"{place} [data-method='0']") == 0
              for place in ("#rows", "#tradeoff", "#scatter", "#bars", "#curves")) and
          count(page, "#heat thead th") == len(methods))
    check("which the address says", page.run("return location.hash") == f"#hide={methods[0]}")
    click(page, "#legend button:last-child")
    check("and shown again", eventually(page, lambda: count(page, "#rows tbody tr") == whole))
    draw_all(page)
    page.run("document.querySelector('#legend button.method').focus()")
    page.keys(RIGHT)
    check("arrows go along it", focused(page) == methods[1])
    opacity = page.run("return getComputedStyle(document.querySelector("
                       "'#tradeoff [data-method=\"0\"]')).opacity")
    check("the others fade", float(opacity) < 0.5, opacity)
    page.run("document.activeElement.blur()")


def check_captions(page):
    """Every text of a figure lies within its picture."""
    cut = page.run("""
        return [...document.querySelectorAll('main svg text')].filter((text) => {
          const frame = text.ownerSVGElement.getBoundingClientRect();
          const box = text.getBoundingClientRect();
          return box.width > 0 && (box.left < frame.left - 1 || box.right > frame.right + 1 ||
            box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
        }).map((text) => text.textContent)""")
    check("no caption is cut", cut == [] and count(page, "main svg text") > 20, cut)
    check("no name is shortened", page.run(
        "return [...document.querySelectorAll('main svg text')].every("
        "(text) => !text.textContent.includes('\u2026'))"))


def check_figures(page):
    check("plots are not decoded up front", count(page, "#plots img") == 1 and page.run(
        "return document.querySelector('#plots img').naturalWidth") == 0)
    page.run("document.querySelector('#plots').scrollIntoView()")
    check("but when they are seen", eventually(page, lambda: page.run(
        "return document.querySelector('#plots img').naturalWidth") == 20))
    draw_all(page)
    cases = page.run("return touchstone.data.cases.length")
    check("the heat map has a row for each case", count(page, "#heat tbody tr") == cases)
    check("and a cell for each method", count(page, "#heat tbody tr:first-child button") == 5)
    check("each case has its bars", count(page, "#bars svg") == cases)
    check("bars have lengths", page.run("""
        return [...document.querySelectorAll('#bars rect.bar')].some(
          (bar) => Number(bar.getAttribute('width')) > 50)"""))
    check("quality is plotted against time", count(page, "#scatter .mark") > 10)
    check("means are plotted against time beside the summary", count(page, "#tradeoff .mark") == 4)
    fronts = page.run("""
        const points = touchstone.data.tradeoff.points; // by time
        const best = points.filter((one) => points.every(
          (other) => other[1] >= one[1] || other[4] < one[4])).length;
        return [best, document.querySelectorAll('#tradeoff circle.front').length,
          document.querySelectorAll('#tradeoff path.front').length]""")
    check("with the front of those that no other beats in both",
          fronts[0] == fronts[1] > 0 and fronts[2] == 1, fronts)
    check("normals are sorted: a curve for each method", count(page, "#curves .curve") == 4)
    ends = page.run("""
        return [...document.querySelectorAll('#curves .curve')].map((curve) => {
          const [first, last] = [0, curve.getTotalLength()].map((at) => curve.getPointAtLength(at));
          return [first.x < last.x, last.y - first.y];
        })""")
    check("the best first", all(right and down >= 0 for right, down in ends) and
          any(down > 10 for _, down in ends), ends)
    chosen = page.run("return [...document.querySelectorAll('#heat option')].map((o) => o.value)")
    groups = page.run("return [...document.querySelectorAll('#heat optgroup')].map((g) => g.label)")
    check("in groups", groups == ["Main measures", "Flags", "Other measures", "Times"], groups)
    check("every column with a best value can be chosen", chosen[0] == "quality_percent" and
          "freed_wrongly_percent" in chosen and "memory_bytes_max" in chosen and
          "contacts" not in chosen and "outcome" not in chosen, chosen)
    weights = page.run("""
        const choice = document.querySelector('#heat select');
        return [...choice.options].map((option) => {
          choice.value = option.value;
          choice.dispatchEvent(new Event('change'));
          dispatchEvent(new Event('beforeprint'));
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
    draw_all(page)
    before = page.run("return document.querySelector('#heat td button').textContent")
    page.run("""
        const choice = document.querySelector('#heat select');
        choice.value = 'generate_ns_median';
        choice.dispatchEvent(new Event('change'))""")
    draw_all(page)
    after = page.run("return document.querySelector('#heat td button').textContent")
    check("the heat map shows another measure", before != after and after.endswith("s"), after)
    click(page, "#all-columns")
    check("all columns are there when asked for",
          count(page, "#rows tbody tr:nth-child(2) td.extra") > 30)
    click(page, "#all-columns")
    check("and gone again", count(page, "#rows td.extra") == 0)


def check_coherence(page):
    def cells(name):
        return page.run("""
            const table = document.getElementById('coherence-table');
            const at = [...table.tHead.rows[0].cells].findIndex(
              (head) => head.dataset.sort === arguments[0]);
            return [...table.tBodies[0].rows].map((row) => row.cells[at].textContent)""", name)

    page.run("document.getElementById('coherence').scrollIntoView()")
    check("each case and method has its coherence",
          eventually(page, lambda: len(cells("case")) == 12), cells("case"))
    for way in ("ascending", "descending"):
        click(page, "#coherence [data-sort=set_jump_per_m_max] button")
        values = [float(text) for text in cells("set_jump_per_m_max")]
        check(f"the jump goes {way}", len(set(values)) > 3 and
              values == sorted(values, reverse=way == "descending"), values)
    check("the order of the rows stays", count(page, "#rows th[aria-sort]") == 0)
    fill(page, "method", "opposing")
    check("the filter is for coherence, too",
          eventually(page, lambda: set(cells("method")) == {"opposing"}), cells("method"))
    reset(page)
    click(page, "#coherence tbody button")
    text = page.run("return document.getElementById('details').innerText")
    check("a row has its details", "set_jump_per_m_max" in text, text[:400])
    escape(page)


def check_safety(page):
    check("nothing took the title", page.run("return document.title") == "touchstone report")
    check("a reason makes no image", count(page, "#rows img, #failed img") == 0)
    check("the reason is there as it was", "</script><script>" in page.run(
        "return document.querySelector('#failed').textContent"))
    check("failures are folded", count(page, "#failed details") == 1 and
          count(page, "#failed details[open]") == 0)
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


def check_cut_tables(page):
    page.run("document.querySelector('#heat').scrollIntoView()")
    hint = """return document.querySelector('#heat .cut-hint').checkVisibility({
                visibilityProperty: true })"""
    eventually(page, lambda: count(page, "#heat tbody tr") > 0)
    check("columns that are cut off are said", eventually(page, lambda: page.run(hint)))
    corner = page.run("""
        const scroll = document.querySelector('#heat .scroll');
        scroll.scrollLeft = scroll.scrollTop = 1e5;
        const box = scroll.getBoundingClientRect();
        return [document.elementFromPoint(box.x + 12, box.y + 12).textContent,
          getComputedStyle(document.querySelector('#heat thead th')).backgroundColor]""")
    check("the corner covers what is scrolled below it", corner[0] == "Case" and
          corner[1].startswith("rgb("), corner)
    check("at the end nothing is cut off", eventually(page, lambda: not page.run(hint)))


def check_phone_and_dark(page):
    check_cut_tables(page)
    width = page.run("return document.documentElement.scrollWidth")
    check("a phone need not scroll sideways", width <= 360, width)
    ground, ink = page.run("""
        const style = getComputedStyle(document.body);
        return [style.backgroundColor, style.color].map(
          (c) => c.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0) / 3)""")
    check("dark is dark", ground < 60 and ink > 180, (ground, ink))


def check_long_reason(page):
    page.run("document.querySelectorAll('#failed details').forEach((d) => { d.open = true; })")
    check("a reason of 5,000 letters is there", page.run(
        "return document.querySelector('#failed li').textContent.includes('0'.repeat(5000))"))
    width = page.run("return document.documentElement.scrollWidth")
    check("and does not widen the page", width <= 360, width)
    page.run("document.querySelector('#rows tr.failed button, #rows .failed button').click()")
    widths = page.run("""
        const dialog = document.querySelector('dialog[open]');
        return dialog && [dialog.scrollWidth, dialog.clientWidth]""")
    check("nor the dialog of its row", widths and widths[0] <= widths[1], widths)


def check_many(page):
    rows = page.run("return touchstone.data.rows.length")
    check("there are many rows", rows > 9000, rows)
    elements = count(page, "*")
    check("few elements are made up front", elements < 6000, elements)
    ready = page.run("return performance.getEntriesByName('table-ready')[0].startTime")
    print(f"informational: {rows} rows ready after {ready:.0f} ms")
    start = time.monotonic()
    click(page, "[data-sort=quality_percent] button")
    fill(page, "case", "cliff")
    print(f"informational: {rows} rows sorted and filtered in {time.monotonic() - start:.2f} s")
    check("a page of them is shown", count(page, "#rows tbody tr") == 100)
    click(page, "#more button")
    check("and more when asked for", count(page, "#rows tbody tr") == 200)


def check_courses(page):
    draw_all(page)
    names = page.run("return [...document.querySelectorAll('[name=course-measure] option')].map("
                     "(option) => option.textContent)")
    check("contacts in each step and measures over time can be chosen",
          names[:2] == ["Unique contacts in each simulation step", "Drift, maximum over time [m]"] and
          "Kinetic energy over time [J]" in names, names)
    check("each method has its course", count(page, "#courses .curve") == 2)
    page.run("""
        const choice = document.querySelector('[name=course-measure]');
        choice.value = 'drift_m_max';
        choice.dispatchEvent(new Event('change'))""")
    draw_all(page)
    axes = page.run("return document.querySelector('#courses svg').textContent")
    check("with its unit and time", "Drift, maximum [m]" in axes and "time [s]" in axes, axes)
    check("rounding noise does not make an axis of powers", "1e-" not in axes, axes)
    page.run("""
        const choice = document.querySelector('[name=course-measure]');
        choice.value = 'kinetic_energy_j';
        choice.dispatchEvent(new Event('change'))""")
    draw_all(page)
    axes = page.run("return [...document.querySelectorAll('#courses svg text')].map("
                    "(text) => text.textContent)")
    check("on an axis of powers it has a place that says so",
          "<1e-9" in axes and "1e-4" in axes and "1e-8" not in axes, axes)
    check_captions(page)


def check_without_script(page):
    root = page.protocol("DOM.getDocument")["root"]["nodeId"]

    def find(selector):
        return page.protocol("DOM.querySelectorAll", nodeId=root, selector=selector)["nodeIds"]

    check("without a script the filters stay away", len(find("#filters[hidden]")) == 1)
    cells, heads = len(find("#table noscript tbody td.n")), len(find("#table noscript thead th.n"))
    check("without a script the table has the main columns", heads >= 11, heads)
    check("and every row is there with its measures",
          len(find("#table noscript tbody tr:not(.failed)")) == 24 and cells == 24 * heads, cells)
    check("and the failed one with its command", len(find("#failed code")) == 1)
    check("and the plots", len(find("#plots noscript img")) == 1)


def check_all(path, path_of_many, path_of_steps):
    with Browser(shutil.which("chromium")) as page:
        page.open(path)
        check_safety(page)
        check_figures(page)
        check_coherence(page)
        check_sorting(page)
        check_filters(page)
        check_details(page)
        page.open(path)
        check_mouse(page)
        page.open(path)
        check_keyboard(page)
        check_places_for_others(page)
        check_address(page, path)
        check_legend(page)
        draw_all(page)
        check_captions(page)
        complaints = page.complaints()
        check("the console is silent after all that", complaints == [], complaints)
        page.look(360, 740, is_dark=True)
        page.open(path)
        check_phone_and_dark(page)
        check_long_reason(page)
        page.look(1280, 900)
        page.open(path_of_many)
        check_many(page)
        page.open(path_of_steps)
        check_courses(page)
        page.protocol("Emulation.setScriptExecutionDisabled", value=True)
        page.open(path)
        check_without_script(page)


check_all(*map(os.path.abspath, sys.argv[1:4]))
print(f"page: {passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)

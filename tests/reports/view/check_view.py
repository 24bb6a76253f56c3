# SPDX-License-Identifier: MIT
"""Looks at 3-D views as a person would: finds the fault, reads its numbers, turns, hides, goes on."""
import csv
import os
import shutil
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "html"))
from browser import KEYS, Browser  # noqa: E402

KEYS.update({"ArrowLeft": (37, ""), **{letter: (ord(letter.upper()), letter) for letter in "ahnpw"}})
BODIES = 17  # of a wall of two layers, with the ground

passed = failed = 0


def check(what, is_fine, details=None):
    global passed, failed
    passed, failed = passed + bool(is_fine), failed + (not is_fine)
    print(f"{'ok' if is_fine else 'FAILED'}: {what}" + ("" if is_fine else f" ({details})"))


class Views:
    """The views of a page, each opened in a dialog of its own."""

    def __init__(self, page, folder):
        self.page, self.folder = page, folder
        with open(os.path.join(folder, "results", "summary.csv"), encoding="utf-8") as file:
            self.rows = list(csv.DictReader(file))

    def place(self, case, method, step=0):
        return next(i for i, row in enumerate(self.rows) if
                    (row["case"], row["method"], int(row["step"])) == (case, method, step))

    def load(self, name):
        self.page.open(os.path.join(self.folder, name))

    def open(self, *row):
        """Opens the view of a row and gives what it says."""
        self.page.run("""
            document.getElementById('tested')?.remove();
            const dialog = document.createElement('dialog'), element = document.createElement('div');
            dialog.id = 'tested';
            dialog.append(element);
            document.body.append(dialog);
            dialog.showModal();
            return touchstoneView.open(arguments[0], element)""", self.place(*row))
        return self.text()

    def wait(self, condition):
        """Until a JavaScript expression is true; whether it became so."""
        return self.page.run("""
            const isTrue = new Function(`return (${arguments[0]})`);
            return new Promise((done) => {
              const end = Date.now() + 20000;
              const look = () => isTrue() ? done(true) : Date.now() > end ? done(false) : setTimeout(look, 20);
              look();
            })""", condition)

    def text(self, selector="#tested"):
        return self.page.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def said(self):
        return self.text("#tested .view-said")

    def picture(self):
        """The drawing as text: the same for the same picture."""
        return self.page.run("""
            const view = touchstoneView.current;
            view.drawNow();
            return document.querySelector('#tested canvas').toDataURL()""")


def page_focus(views):
    return views.page.run("return document.activeElement.className")


def check_missed(views):
    text = views.open("wall", "control_dropped_region")
    said = views.said()
    check("a view opens at the missed region and says what it needs",
          "Fault 1 of 1: Region 0 of ground and brick_0_0, missed: needs a contact with normal "
          "(0, 1, 0); has none." in said, said)
    check("the row is summed up", "1 region missed." in text, text)
    check("the legend counts regions and contacts", "region missed (1)" in text and
          "region met (36)" in text and "correct (100 of 144)" in text, text)
    check("what is left out is said with the command for all", "100 of 144 contacts are here, of "
          "each fault the worst; all of them: touchstone explain wall control_dropped_region results" in text,
          text)
    numbers = views.text("#tested .view-numbers")
    check("its numbers are there", all(words in numbers for words in (
        "body b\nbrick_0_0", "verdict\nmissed", "normals met\n0 of 1", "contacts missing\n4")), numbers)
    check("a missed region lacks all its contacts", "It lacks 4 contacts" in said, said)
    check("the view has the focus, so that its keys act on it", page_focus(views) == "view-stage")
    check("names of its bodies are in the picture",
          {"ground", "brick_0_0"} <= set(views.text("#tested .view-labels").split("\n")))
    kinds = views.page.run("""
        const stage = touchstoneView.current.stage;
        return [stage.bodies.length, stage.regions.length, stage.contacts.length]""")
    check("bodies, regions and contacts are drawn", kinds == [BODIES, 37, 100], kinds)


def check_controls(views):
    page = views.page
    views.open("cliff_edges", "intersection")
    first, picture = views.said(), views.picture()
    check("the worst contact is first", "Fault 1 of 180" in first and "phantom" in first and
          "do not touch there: region 0" in first and "m away and needs" in first, first)
    page.keys("n")
    second = views.said()
    check("n goes to the next fault", second.startswith("Fault 2 of 180"), second)
    check("and the picture with it", views.picture() != picture)
    page.keys("p")
    check("p goes back", views.said() == first, views.said())
    page.keys("p")
    check("and from the first to the last", views.said().startswith("Fault 180 of 180"), views.said())
    page.keys("n")
    before = views.picture()
    check("the same view is the same picture", views.picture() == before)
    for key, what in (("ArrowLeft", "an arrow turns"), ("w", "w shows all"), ("a", "a pulls apart"),
                      ("h", "h hides what is right")):
        page.keys(key)
        after = views.picture()
        check(what, after != before)
        before = after
    check("hidden means hidden", page.run("""
        const { stage, model } = touchstoneView.current;
        return model.contacts.every((contact, i) =>
          stage.contacts[i].group.visible === contact.faults.length > 0)"""))
    page.keys("h", "Escape")
    check("Escape closes the dialog", page.run("return !document.getElementById('tested').open"))


def check_columns(views):
    """Each count of the summary leads to the faults that it counts, and to no others."""
    page = views.page
    views.open("wall", "intersection")
    row = views.rows[views.place("wall", "intersection")]
    check("without one of them nothing is selected", page.run(
        "return touchstoneView.select('regions_missed') || touchstoneView.select('generate_ns_min')")
        is False and "Fault 1 of" in views.said(), views.said())
    listed = views.page.run("""
        const { model } = touchstoneView.current;
        return touchstoneViewFaults.counts(model).map(({ column, here, total }) => [column, here, total])""")
    counted = {column: total for column, _, total in listed}
    for column in ("phantom", "normals_flipped", "gaps_wrong", "regions_missed", "contacts_missing"):
        check(f"{column}: the total is that of the summary",
              counted.get(column, 0) == float(row[column]), (counted, row[column]))
    several = [column for column, here, _ in listed if here > 0]
    check("a row with several kinds of faults has some of each", len(several) > 2 and
          all(here > 0 for _, here, total in listed if total), listed)
    columns = {"phantom": "phantom", "normals_flipped": "flipped", "gaps_wrong": "gap wrong",
               "quality_percent": "incorrect"}
    for column in (column for column in several if column in columns):
        check(f"{column} is selected", page.run("return touchstoneView.select(arguments[0])", column))
        said = [views.said()]
        page.keys("n")
        said.append(views.said())
        check("and told with all that is wrong", all(columns[column] in words.split(":")[1] + words.split(":")[2]
              for words in said), said)
    page.keys("Escape")
    check("Escape goes back to all faults", "Fault" in views.said() and
          "(" not in views.said().split(":")[0], views.said())
    check("with the dialog open", page.run("return document.getElementById('tested').open"))
    page.run("touchstoneView.select('phantom'); touchstoneView.current.choose(null)")
    check("another choice ends it as well", views.page.run("return touchstoneView.current.column") is None)
    text = views.text()
    check("what is not here is said", "Not every fault is here: " in text or
          all(here == total for _, here, total in listed), text)


def check_labels(views):
    """Names keep away from the chosen place and from each other, and are on what is seen."""
    for case, method in (("wall", "intersection"), ("cliff_edges", "intersection"),
                         ("wall", "control_flipped")):
        views.open(case, method)
        for key in ("", "n", "ArrowLeft", "w", "a"):
            if key:
                views.page.keys(key)
            names, ring = views.page.run("""
                touchstoneView.current.drawNow();
                const box = document.querySelector('#tested .view-stage').getBoundingClientRect();
                const at = (e) => { const r = e.getBoundingClientRect();
                  return [r.left - box.left, r.top - box.top, r.right - box.left, r.bottom - box.top]; };
                const shown = [...document.querySelectorAll('#tested .view-labels > *')]
                  .filter((e) => !e.hidden);
                return [shown.filter((e) => e.tagName === 'SPAN' && e.innerText).map(at)
                  .map((r) => [...r, box.width, box.height]),
                  shown.filter((e) => e.tagName === 'I').map(at)[0] ?? null]""")
            what = f"{case} by {method}, key {key!r}"
            check(f"{what}: there are names", names, names)
            check(f"{what}: in the window", all(
                l >= -1 and t >= -1 and r <= w + 1 and b <= h + 1 for l, t, r, b, w, h in names), names)
            check(f"{what}: none covers another", not any(
                p[0] < q[2] and q[0] < p[2] and p[1] < q[3] and q[1] < p[3]
                for i, p in enumerate(names) for q in names[:i]), names)
            if ring:
                x, y = (ring[0] + ring[2]) / 2, (ring[1] + ring[3]) / 2
                least = min((max(n[0] - x, 0, x - n[2]) ** 2 + max(n[1] - y, 0, y - n[3]) ** 2) ** 0.5
                            for n in names)
                check(f"{what}: none is within 30 px of the chosen place", least >= 30, least)


def check_close_up(views):
    """The chosen arrow stands out, is seen at its length, and nothing of the whole is cut off."""
    page = views.page
    views.open("cliff_edges", "control_flipped")
    page.keys("n")
    seen = page.run("""
        const { stage, camera, chosen } = touchstoneView.current;
        touchstoneView.current.drawNow();
        const from = camera.from(), opacities = stage.contacts.map(({ arrow }) =>
          arrow.children[0].material.opacity);
        const angle = (n) => Math.acos(Math.abs(from.dot(new THREE.Vector3(...n).normalize()))) * 180 / Math.PI;
        return { angles: [chosen.normal, ...touchstoneViewWords.regionOf(stage.model, chosen).normals].map(angle),
          bright: opacities.filter((o) => o === 1).length, own: opacities[chosen.place],
          order: stage.contacts[chosen.place].arrow.children[0].renderOrder,
          needs: stage.needs.children.length,
          angle: document.querySelector('#tested .view-angle').innerText }""")
    check("neither its normal nor the needed one points at the viewer", min(seen["angles"]) > 45, seen)
    check("only the chosen arrow is bright, and over the others", seen["bright"] == 1 and
          seen["own"] == 1 and seen["order"] > 2, seen)
    check("the needed normal is beside it with the angle", seen["needs"] == 1 and
          seen["angle"] == "180\u00b0", seen)
    views.open("wall", "intersection")
    for key in ("w", "a"):
        page.keys(key)
        out = page.run("""
            const { stage, camera } = touchstoneView.current;
            touchstoneView.current.drawNow();
            return stage.bodies.flatMap((body) => stage.cornersOf(body)).map((corner) =>
              corner.project(camera.camera)).filter(({ x, y }) => Math.abs(x) > 1 || Math.abs(y) > 1).length""")
        check(f"after {key} nothing is cut off", out == 0, out)


def check_click(views):
    """A click where a contact is drawn reads its numbers."""
    views.open("cliff_edges", "control_flipped")
    said = views.said()
    check("a flipped normal is told", "flipped: normal (0, \u22121, 0)" in said and
          "normal points from b to a" in said and "needs a contact with normal (0, 1, 0)" in said, said)
    views.page.keys("w")
    x, y, index = views.page.run("""
        const view = touchstoneView.current, box = view.window.getBoundingClientRect();
        view.drawNow();
        const contact = view.model.contacts[2];
        const at = view.stage.project(view.stage.pointOf(contact), view.camera, box.width, box.height);
        return [box.left + at.x, box.top + at.y, contact.index]""")
    for kind in ("mousePressed", "mouseReleased"):
        views.page.protocol("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    check("a click chooses the contact there", f"Contact {index} of" in views.said(), views.said())
    views.page.run("""
        [...document.querySelectorAll('#tested button')].find((b) => b.innerText === 'Region 0').click()""")
    check("a contact leads to its region", views.said().startswith("Region 0 of"), views.said())


def check_steps(views):
    text = views.open("wall", "opposing", 3)
    check("a row without fault says so", "Nothing is wrong here: " in text, text)
    check("its steps are named", "Step 3 (2 of 2)" in text, text)
    slide = """
        window.stepped = null;
        document.getElementById('tested').addEventListener('touchstone-step', (event) => {
          window.stepped = event.detail.row;
          if (arguments[1]) touchstoneView.open(event.detail.row, event.target);
        }, { once: true });
        touchstoneView.current.camera.turn(0.3, 0);
        const steps = document.querySelectorAll('#tested input[type=range]')[1];
        window.turned = touchstoneView.current.camera.turned;
        steps.value = arguments[0];
        steps.dispatchEvent(new Event('change'))"""
    views.page.run(slide, 0, False)
    check("the slider goes to the scene as built", views.wait(
        "document.querySelector('#tested .view-parts').innerText.includes('wall by opposing.')"))
    text = views.text()
    check("and is named so", "As built (1 of 2)" in text, text)
    check("the page is told which row that is", views.page.run("return window.stepped") ==
          views.place("wall", "opposing", 0), text)
    views.page.run(slide, 1, True)
    check("a page that opens the row gets the same look", views.wait(
        "document.querySelector('#tested .view-parts')?.innerText.includes('opposing, step 3.')"
        " && Math.abs(touchstoneView.current.camera.turned - window.turned) < 1e-12"))


def check_bad_browsers(views):
    page = views.page
    page.run("""
        window.realContext = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = () => null""")
    text = views.open("cliff_edges", "control_dropped_region")
    check("without WebGL the faults are told in words", "it has no WebGL" in text and
          "missed: needs a contact with normal (0, 1, 0)" in text, text)
    check("with the still picture", page.run("""
        const image = document.querySelector('#tested .view-stage img');
        return image !== null && image.decode().then(() => image.naturalWidth > 300)"""))
    page.keys("n")
    page.run("HTMLCanvasElement.prototype.getContext = window.realContext")
    page.run("window.realStream = DecompressionStream; delete window.DecompressionStream")
    views.load("results/report.html")
    page.run("delete window.DecompressionStream")
    text = views.open("wall", "opposing")
    check("a browser that cannot unpack is told", "cannot unpack the view" in text, text)


def check_pages(views):
    sizes = {name: os.path.getsize(os.path.join(views.folder, name))
             for name in ("results/report.html", "none.html", "few.html")}
    with open(os.path.join(views.folder, "none.html"), encoding="utf-8") as file:
        check("a page without views has no three.js", 'id="three"' not in file.read())
    check("and is small", sizes["none.html"] + 250000 < sizes["results/report.html"], sizes)
    views.load("few.html")
    has = views.page.run("return [...Array(arguments[0]).keys()].map(touchstoneView.has)",
                         len(views.rows))
    check("a page with little room has some views", 0 < sum(has) < len(has) - 4, has)
    check("of the worst rows", has[views.place("cliff_edges", "control_dropped_region")], has)
    crashed = next(i for i, row in enumerate(views.rows) if row["outcome"] == "crashed")
    check("a row that failed says why it has none", "not measured" in views.page.run(
        "return touchstoneView.why(arguments[0])", crashed))
    whys = views.page.run("return [...Array(arguments[0]).keys()].map(touchstoneView.why)",
                          len(views.rows))
    check("the others how to get one", sum("--views MB" in why for why in whys) > 0, whys)


def check_looks(views):
    page = views.page
    for width in (390, 1280):
        for is_dark in (False, True):
            page.look(width, 844, is_dark)
            views.load("results/report.html")
            views.open("cliff_edges", "intersection")
            sizes = page.run("""return [...document.querySelectorAll('#tested .view-numbers dd')]
                .map((e) => e.offsetWidth * e.offsetHeight)""")
            check(f"at {width} px the numbers have values", len(sizes) > 8 and min(sizes) > 0, sizes)
            wide = page.run("return document.getElementById('tested').scrollWidth")
            check(f"at {width} px the view fits", wide <= width, wide)
    page.look(1280, 900)


def check_all(folder):
    with Browser(shutil.which("chromium")) as page:
        views = Views(page, folder)
        views.load("results/report.html")
        check_missed(views)
        check_controls(views)
        check_columns(views)
        check_labels(views)
        check_close_up(views)
        check_click(views)
        check_steps(views)
        check("the console is silent", page.complaints() == [], page.complaints())
        check("nothing was loaded from elsewhere", page.run(
            "return performance.getEntriesByType('resource').filter((e) => !e.name.startsWith('data:'))"
            ".length") == 0)
        check_looks(views)
        check_bad_browsers(views)
        check("no exception without WebGL or streams", page.complaints() == [], page.complaints())
        check_pages(views)


check_all(os.path.abspath(sys.argv[1]))
print(f"view: {passed} passed, {failed} failed")
sys.exit(failed > 0 or passed == 0)

/* SPDX-License-Identifier: MIT */
// The view of a row on the page: its window, its controls and keys, and what it says. Where the
// window cannot be drawn, the faults are still there in words, and a still picture if the page has
// one.
"use strict";

(() => {
  const words = touchstoneViewWords;
  const faults = touchstoneViewFaults;
  const FAULTS_LISTED = 100;
  const HELP = [["n p", "next, previous fault"], ["w", "whole scene"], ["h", "hide what is right"],
    ["a", "pull apart"], ["+ \u2212", "zoom"], ["Esc", "all faults again, after one kind"]];

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (name === "class") element.className = value;
      else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  /** Runs three.js and adds the style, once. */
  let ready = null;
  function prepare() {
    ready ??= (async () => {
      document.head.append(make("style", {}, document.getElementById("view-style").textContent));
      const source = await touchstoneView.unpack(document.getElementById("three").textContent);
      document.head.append(make("script", {}, source));
    })();
    return ready;
  }

  const canDraw = () => {
    const canvas = document.createElement("canvas");
    return Boolean(canvas.getContext("webgl") || canvas.getContext("experimental-webgl"));
  };

  /** The still picture of a row; null if the page has none. */
  function stillOf(row) {
    const pictures = document.getElementById("view-pictures");
    const found = pictures && new RegExp(`data-row="${row}"[^]*?src="(data:[^"]*)"`).exec(
      pictures.textContent);
    return found ? make("img", { src: found[1], alt: "Still picture of the row" }) : null;
  }

  let renderer = null; // browsers limit how many a page may have

  class View {
    constructor(row, element) {
      this.row = row;
      this.element = element;
      this.stage = this.camera = null;
      this.chosen = this.column = null;
      this.isWaiting = this.isClosed = false;
      this.dark = matchMedia("(prefers-color-scheme: dark)");
      this.onDark = () => this.show(this.row, true);
    }

    /** `before`: the view of another step, as which this one looks; else null. */
    async start(before) {
      this.element.replaceChildren(make("p", { class: "quiet", role: "status" }, "Unpacking\u2026"));
      await prepare();
      const model = await touchstoneView.load(this.row);
      if (this.isClosed) return;
      this.build(model);
      this.dark.addEventListener("change", this.onDark);
      if (before) this.followControls(before);
      this.take(model, false);
      if (before?.camera && this.camera) this.camera.follow(before.camera);
      this.takeFocus(before ? this.steps : this.window);
    }

    followControls(before) {
      this.apart.value = before.apart.value;
      this.hides.checked = before.hides.checked;
    }

    /** Takes the focus unless it is on a control: the help is about keys of the view. */
    takeFocus(element) {
      if (!document.activeElement?.matches("button, input, select, textarea, a, summary"))
        element.focus({ preventScroll: true });
    }

    // ---- the parts -------------------------------------------------------------------------

    build(model) {
      this.window = make("div", { class: "view-stage", tabindex: "0", role: "application",
        "aria-label": `3-D view of ${model.title}: arrow keys turn, plus and minus zoom, n and p ` +
          "go through the faults" });
      this.names = make("div", { class: "view-labels", "aria-hidden": "true" });
      this.labels = new TouchstoneLabels(this.names);
      this.said = make("p", { class: "view-said", "aria-live": "polite" });
      this.numbers = make("div");
      this.summary = make("p");
      this.kinds = make("div", { class: "view-kinds", role: "group", "aria-label": "Kinds of faults" });
      this.faultList = make("details");
      this.legend = make("ul", { class: "view-legend", "aria-label": "Legend" });
      this.remarks = make("div", { class: "quiet" });
      const left = make("div", {}, this.window, this.makeBar(), this.legend);
      const right = make("div", {}, this.summary, this.kinds, this.said, this.numbers, this.faultList);
      this.root = make("div", { class: "view-parts" }, left, right,
        make("div", { class: "view-wide" }, this.remarks, this.makeHelp()));
      // Wherever the focus is in the dialog, so that a row is opened and its faults are gone
      // through at once.
      this.keys = this.element.closest("dialog") ?? this.root;
      this.onKey = (event) => this.key(event);
      this.keys.addEventListener("keydown", this.onKey);
      this.element.replaceChildren(this.root);
      if (canDraw()) this.openWindow();
      else {
        this.window.replaceChildren(...[make("p", { class: "quiet" }, "This browser cannot draw the " +
          "view: it has no WebGL. The faults and their numbers are here in words."),
          stillOf(this.row)].filter(Boolean));
        for (const control of this.drawControls) control.hidden = true;
      }
    }

    openWindow() {
      renderer ??= new THREE.WebGLRenderer({ antialias: true });
      this.camera = new TouchstoneCamera(this.window, () => this.draw());
      this.window.replaceChildren(renderer.domElement, this.names);
      this.window.addEventListener("pointerdown", (event) => { this.pressed = [event.clientX, event.clientY]; });
      this.window.addEventListener("pointerup", (event) => this.click(event));
      this.sizes = new ResizeObserver(() => this.resize());
      this.sizes.observe(this.window);
      this.resize();
    }

    makeBar() {
      const button = (name, text, action) =>
        make("button", { type: "button", "data-view": name, onclick: action }, text);
      this.hides = make("input", { type: "checkbox", onchange: () => this.hide(this.hides.checked) });
      this.apart = make("input", { type: "range", min: "0", max: "1", step: "0.05", value: "0",
        oninput: () => this.pull(Number(this.apart.value)) });
      this.steps = make("input", { type: "range", min: "0", step: "1",
        onchange: () => this.goToStep(touchstoneView.stepsOf(this.row)[this.steps.value].row),
        oninput: () => this.nameStep(Number(this.steps.value)) });
      this.stepName = make("span");
      this.stepLabel = make("label", {}, this.stepName, this.steps);
      this.previousFault = button("previous", "Previous fault", () => this.go(-1));
      this.nextFault = button("next", "Next fault", () => this.go(1));
      this.drawControls = [button("whole", "Whole scene", () => this.showWhole()),
        make("label", {}, this.hides, "Hide what is right"),
        make("label", {}, "Pull apart", this.apart)];
      return make("div", { class: "view-bar" }, this.previousFault, this.nextFault,
        ...this.drawControls, this.stepLabel);
    }

    makeHelp() {
      const keys = HELP.flatMap(([key, what], i) =>
        [i > 0 ? ", " : "", make("kbd", {}, key), ` ${what}`]);
      return make("p", { class: "quiet" }, "Drag to turn, Shift and drag to move, click for numbers. ",
        make("kbd", {}, "arrows"), " turn while the focus is in the view, and else go to another row; ",
        ...keys, ". ", make("details", {}, make("summary", {}, "Drawn by three.js"),
          make("pre", {}, document.getElementById("three-licence").textContent.trim())));
    }

    // ---- a row -----------------------------------------------------------------------------

    /** The page may answer by opening the view of that row; else this view shows it. */
    goToStep(row) {
      passedOn = { row, view: this };
      this.element.dispatchEvent(new CustomEvent("touchstone-step", { bubbles: true, detail: { row } }));
      passedOn = null;
      if (!this.isClosed) this.show(row, true);
    }

    /** Takes another row, or the same in other colours; keeps the camera where it is if asked. */
    async show(row, keepsCamera) {
      const model = await touchstoneView.load(row);
      if (this.isClosed) return;
      this.row = row;
      this.take(model, keepsCamera);
    }

    take(model, keepsCamera) {
      this.model = model;
      this.faults = faults.all(model);
      this.chosen = this.column = null;
      this.summary.textContent = `${model.title}. ${words.summary(model)}`;
      this.remarks.replaceChildren(...words.remarks(model).map((text) => make("p", {}, text)));
      this.previousFault.disabled = this.nextFault.disabled = this.faults.length === 0;
      this.listKinds();
      this.listFaults();
      this.listSteps();
      this.legend.replaceChildren(...touchstoneViewLegend.entries(model, (kind) => this.colourOf(kind)));
      this.takeStage(keepsCamera);
      if (this.wanted && this.select(this.wanted)) return;
      if (this.faults.length === 0) this.choose(null);
      else this.choose(this.faults[0], !keepsCamera);
      if (this.faults.length === 0 && !keepsCamera) this.showWhole();
    }

    takeStage(keepsCamera) {
      if (!this.camera) return;
      this.stage?.dispose();
      this.stage = new TouchstoneStage(this.model, this.dark.matches);
      this.stage.setApart(Number(this.apart.value));
      this.stage.hideRight(this.hides.checked);
      if (!keepsCamera) this.camera.setUp(this.model.up);
    }

    /** A button for each kind of fault, where there are several. */
    listKinds() {
      const kinds = faults.counts(this.model);
      this.kinds.hidden = kinds.length < 2;
      this.kinds.replaceChildren(...kinds.map(({ column, many, items, here, total }) =>
        make("button", { type: "button", "data-column": column, "aria-pressed": "false",
          ...(items.length > 0 ? {} : { disabled: "" }),
          onclick: () => (this.column === column ? this.leaveColumn() : this.select(column)) },
        `${many} (${here < total ? `${here.toLocaleString("en")} of ` : ""}` +
          `${Math.max(here, total ?? 0).toLocaleString("en")})`)));
    }

    /** Goes through the faults that a column counts; false: there are none here. */
    select(column) {
      if (!this.model) { // still being unpacked
        this.wanted = column;
        return touchstoneView.faults.includes(column);
      }
      this.wanted = null;
      const found = faults.ofColumn(this.model, column);
      if (found.length === 0) return false;
      this.column = column;
      this.faults = found;
      this.listFaults();
      this.choose(found[0], true);
      return true;
    }

    /** Goes through all faults again. */
    leaveColumn(isCentred = false) {
      if (!this.column) return;
      this.column = null;
      this.faults = faults.all(this.model);
      this.listFaults();
      this.choose(this.chosen, isCentred);
    }

    listFaults() {
      const listed = this.faults.slice(0, FAULTS_LISTED);
      this.faultList.hidden = listed.length < 2;
      this.faultList.replaceChildren(make("summary", {}, listed.length === this.faults.length
        ? `All ${listed.length} ${this.nameFaults()}`
        : `The first ${listed.length} of ${this.faults.length} ${this.nameFaults()}`),
        make("ol", { class: "view-faults" }, ...listed.map((fault) => make("li", {},
          make("button", { type: "button", class: "plain", onclick: () => this.choose(fault, true) },
            words.describe(this.model, fault).split(":")[0])))));
    }

    nameFaults() {
      if (!this.column) return "faults";
      return this.column === "contacts_missing" ? "regions short of contacts" : faults.nameOf(this.column);
    }

    listSteps() {
      const steps = touchstoneView.stepsOf(this.row);
      this.stepLabel.hidden = steps.length < 2;
      this.steps.max = steps.length - 1;
      this.steps.value = steps.findIndex((step) => step.row === this.row);
      this.nameStep(Number(this.steps.value));
    }

    nameStep(place) {
      const steps = touchstoneView.stepsOf(this.row);
      const { step } = steps[place];
      this.stepName.textContent = `${step === 0 ? "As built" : `Step ${step}`} (${place + 1} of ` +
        `${steps.length})`;
    }

    colourOf(kind) {
      return this.dark.matches && kind.word === "gap wrong" ? "#dddddd" : kind.colour;
    }

    // ---- what is chosen --------------------------------------------------------------------

    /** Chooses a contact, region or body, or nothing (null); moves there if asked. */
    choose(item, isCentred = false) {
      this.chosen = item;
      if (this.column && !this.faults.includes(item)) return this.leaveColumn(isCentred);
      for (const button of this.kinds.children)
        button.setAttribute("aria-pressed", String(button.dataset.column === this.column));
      const place = this.faults.indexOf(item);
      this.said.replaceChildren(...(place < 0 ? []
        : [make("strong", {}, `Fault ${place + 1} of ${this.faults.length}` +
          `${this.column ? ` (${this.nameFaults()})` : ""}: `)]),
        item ? words.describe(this.model, item) : "Nothing is chosen.");
      this.showNumbers(item);
      if (!this.stage) return;
      this.stage.choose(item);
      if (item && isCentred) {
        const { centre, radius, from } = this.stage.closeUp(item, this.camera);
        this.isCloseUp = true;
        this.camera.lookAlong(from);
        this.camera.frame(centre, radius);
      }
      this.labels.set(this.stage, item);
      this.draw();
    }

    showNumbers(item) {
      this.numbers.replaceChildren();
      if (!item) return;
      this.numbers.append(make("dl", { class: "view-numbers" },
        ...words.numbersOf(this.model, item).flatMap(([name, value]) =>
          [make("dt", {}, name), make("dd", {}, value)])));
      const links = this.linksOf(item);
      if (links.length > 0) this.numbers.append(make("p", {}, ...links.flatMap((link) => [link, " "])));
    }

    /** From a contact to its region, and from a region to the contacts that serve it. */
    linksOf(item) {
      const link = (to, text) => make("button", { type: "button", onclick: () => this.choose(to, true) },
        text);
      if (item.type === "contact") {
        const region = words.regionOf(this.model, item);
        return region ? [link(region, `Region ${region.index}`)] : [];
      }
      if (item.type !== "region" || item.state === "unknown") return [];
      const shown = item.by.slice(0, 6);
      const left = (item.served ?? 0) - shown.length;
      return [item.served > 0 ? "Served by: " : "",
        ...shown.map((place) => link(this.model.contacts[place],
          `contact ${this.model.contacts[place].index}`)), left > 0 ? `and ${left} more` : ""].filter(Boolean);
    }

    /** The next fault, or with -1 the previous. */
    go(way) {
      const count = this.faults.length;
      if (count === 0) return;
      const at = this.faults.indexOf(this.chosen);
      this.choose(this.faults[at < 0 ? (way > 0 ? 0 : count - 1) : (at + way + count) % count], true);
    }

    hide(isHidden) {
      this.hides.checked = isHidden;
      this.stage?.hideRight(isHidden);
      if (this.stage) this.labels.set(this.stage, this.chosen);
      this.draw();
    }

    pull(share) {
      this.apart.value = share;
      this.stage?.setApart(share);
      this.showWhole(); // else bodies leave the window
    }

    showWhole() {
      if (!this.stage) return;
      // What is best for one contact may be along a wall.
      if (this.isCloseUp) this.camera.lookFromFront();
      this.isCloseUp = false;
      this.camera.fit(this.stage.whole());
    }

    key(event) {
      const isInside = this.root.contains(event.target);
      const isRange = event.target.type === "range" || !isInside;
      if (event.ctrlKey || event.metaKey || event.altKey || isRange && event.key.startsWith("Arrow") ||
          /^(text|search)$/.test(event.target.type)) return;
      const turns = { ArrowLeft: [0.12, 0], ArrowRight: [-0.12, 0], ArrowUp: [0, 0.12], ArrowDown: [0, -0.12] };
      const actions = { n: () => this.go(1), p: () => this.go(-1), w: () => this.showWhole(),
        h: () => this.hide(!this.hides.checked), a: () => this.pull(Number(this.apart.value) > 0 ? 0 : 1),
        "+": () => this.camera?.zoom(1 / 1.2), "=": () => this.camera?.zoom(1 / 1.2),
        "-": () => this.camera?.zoom(1.2) };
      if (turns[event.key]) this.camera?.turn(...turns[event.key]);
      else if (actions[event.key]) actions[event.key]();
      else if (event.key === "Escape" && this.column) this.leaveColumn();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }

    click(event) {
      const [x, y] = this.pressed ?? [Infinity, 0];
      if (!this.stage || Math.hypot(event.clientX - x, event.clientY - y) > 4) return;
      const box = this.window.getBoundingClientRect();
      this.choose(this.stage.pick(event.clientX - box.left, event.clientY - box.top, this.camera,
        box.width, box.height));
    }

    // ---- drawing ---------------------------------------------------------------------------

    resize() {
      const width = this.window.clientWidth, height = this.window.clientHeight;
      if (width === 0 || height === 0) return;
      renderer.setPixelRatio(Math.min(2, devicePixelRatio));
      renderer.setSize(width, height, false);
      this.camera.resize(width, height);
    }

    /** Draws soon, once for all changes up to then. */
    draw() {
      if (this.isWaiting || !this.stage) return;
      this.isWaiting = true;
      requestAnimationFrame(() => {
        this.isWaiting = false;
        if (!this.isClosed) this.drawNow();
      });
    }

    drawNow() {
      const { center, radius } = this.stage.sphere();
      this.camera.update(2 * radius + center.distanceTo(this.camera.target));
      this.stage.scale(this.camera);
      renderer.setClearColor(getComputedStyle(this.window).backgroundColor);
      renderer.render(this.stage.scene, this.camera.camera);
      this.labels.place(this.camera, this.window.clientWidth, this.window.clientHeight);
    }

    close() {
      this.isClosed = true;
      this.dark.removeEventListener("change", this.onDark);
      this.keys?.removeEventListener("keydown", this.onKey);
      this.sizes?.disconnect();
      this.stage?.dispose();
      this.element.replaceChildren();
    }
  }

  // ---- the page's way in --------------------------------------------------------------------

  let view = null;
  let passedOn = null; // {row, view}: a step that the slider of the view has gone to
  const sayWhy = touchstoneView.open;

  touchstoneView.close = () => {
    view?.close();
    view = null;
  };

  touchstoneView.select = (column) => view?.select(column) ?? false;

  touchstoneView.open = async (row, element) => {
    const before = passedOn?.row === row ? passedOn.view : null;
    touchstoneView.close();
    if (!touchstoneView.has(row)) return sayWhy(row, element);
    const opened = view = new View(row, element);
    touchstoneView.current = opened;
    try {
      await opened.start(before);
    } catch (error) {
      element.replaceChildren(make("p", { class: "bad", role: "alert" },
        `The view cannot be shown: ${error.message}`));
    }
  };
})();

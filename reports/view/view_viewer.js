/* SPDX-License-Identifier: MIT */
// The view of a row on the page: its window, its controls and keys, and what it says. Where the
// window cannot be drawn, the faults are still there in words, and a still picture if the page has
// one.
"use strict";

(() => {
  const words = touchstoneViewWords;
  const FAULTS_LISTED = 100;
  const NAMES_SHOWN = 12; // with more bodies only those of what is chosen are named
  const HELP = [["arrows", "turn"], ["+ \u2212", "zoom"], ["n p", "next, previous fault"],
    ["w", "whole scene"], ["h", "hide what is right"], ["a", "pull apart"], ["Esc", "choose nothing"]];

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
      this.chosen = null;
      this.isWaiting = this.isClosed = false;
      this.dark = matchMedia("(prefers-color-scheme: dark)");
      this.onDark = () => this.show(this.row, true);
    }

    async start() {
      this.element.replaceChildren(make("p", { class: "quiet", role: "status" }, "Unpacking\u2026"));
      await prepare();
      const model = await touchstoneView.load(this.row);
      if (this.isClosed) return;
      this.build(model);
      this.dark.addEventListener("change", this.onDark);
      this.take(model, false);
    }

    // ---- the parts -------------------------------------------------------------------------

    build(model) {
      this.window = make("div", { class: "view-stage", tabindex: "0", role: "application",
        "aria-label": `3-D view of ${model.title}: arrow keys turn, plus and minus zoom, n and p ` +
          "go through the faults" });
      this.labels = make("div", { class: "view-labels", "aria-hidden": "true" });
      this.said = make("p", { class: "view-said", "aria-live": "polite" });
      this.numbers = make("div");
      this.summary = make("p");
      this.faultList = make("details");
      this.legend = make("ul", { class: "view-legend", "aria-label": "Legend" });
      this.remarks = make("div", { class: "quiet" });
      const left = make("div", {}, this.window, this.makeBar(), this.legend);
      const right = make("div", {}, this.summary, this.said, this.numbers, this.faultList);
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
      this.window.replaceChildren(renderer.domElement, this.labels);
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
        onchange: () => this.show(touchstoneView.stepsOf(this.row)[this.steps.value].row, true),
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
        ...keys, ". ", make("details", {}, make("summary", {}, "Drawn by three.js"),
          make("pre", {}, document.getElementById("three-licence").textContent.trim())));
    }

    // ---- a row -----------------------------------------------------------------------------

    /** Takes another row, or the same in other colours; keeps the camera where it is if asked. */
    async show(row, keepsCamera) {
      const model = await touchstoneView.load(row);
      if (this.isClosed) return;
      this.row = row;
      this.take(model, keepsCamera);
    }

    take(model, keepsCamera) {
      this.model = model;
      this.faults = words.faultsOf(model);
      this.chosen = null;
      this.summary.textContent = `${model.title}. ${words.summary(model)}`;
      this.remarks.replaceChildren(...words.remarks(model).map((text) => make("p", {}, text)));
      this.previousFault.disabled = this.nextFault.disabled = this.faults.length === 0;
      this.listFaults();
      this.listSteps();
      this.listLegend();
      this.takeStage(keepsCamera);
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
      this.makeLabels();
    }

    listFaults() {
      const listed = this.faults.slice(0, FAULTS_LISTED);
      this.faultList.hidden = listed.length < 2;
      this.faultList.replaceChildren(make("summary", {}, listed.length === this.faults.length
        ? `All ${listed.length} faults` : `The first ${listed.length} of ${this.faults.length} faults`),
        make("ol", { class: "view-faults" }, ...listed.map((fault) => make("li", {},
          make("button", { type: "button", class: "plain", onclick: () => this.choose(fault, true) },
            words.describe(this.model, fault).split(":")[0])))));
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

    listLegend() {
      const entries = touchstoneView.kinds.map((kind, i) => [this.colourOf(kind),
        countWords(this.model.contacts.filter((contact) => contact.kind === kind).length,
          this.model.totals[i]), kind.word]).filter(([, count]) => count);
      const regions = ["missed", "lacking", "met", "open", "unknown"].map((state) => [state,
        this.model.regions.filter((region) => region.state === state).length])
        .filter(([, count]) => count > 0);
      this.legend.replaceChildren(
        ...regions.map(([state, count]) => make("li", {}, regionSign(state),
          `region ${words.stateWords[state]} (${count})`)),
        ...entries.map(([colour, count, word]) => make("li", {}, arrowSign(colour, word),
          `${word} (${count})`)));
    }

    colourOf(kind) {
      return this.dark.matches && kind.word === "gap wrong" ? "#dddddd" : kind.colour;
    }

    // ---- what is chosen --------------------------------------------------------------------

    /** Chooses a contact, region or body, or nothing (null); moves there if asked. */
    choose(item, isCentred = false) {
      this.chosen = item;
      const place = this.faults.indexOf(item);
      this.said.replaceChildren(...(place < 0 ? []
        : [make("strong", {}, `Fault ${place + 1} of ${this.faults.length}: `)]),
        item ? words.describe(this.model, item) : "Nothing is chosen.");
      this.showNumbers(item);
      if (!this.stage) return;
      this.stage.choose(item);
      if (item && isCentred) {
        const { centre, radius, from } = this.stage.closeUp(item, this.camera);
        this.camera.lookAlong(from);
        this.camera.frame(centre, radius);
      }
      this.makeLabels();
      this.draw();
    }

    showNumbers(item) {
      this.numbers.replaceChildren();
      if (!item) return;
      this.numbers.append(make("table", { class: "view-numbers" }, make("tbody", {},
        ...words.numbersOf(this.model, item).map(([name, value]) => make("tr", {},
          make("th", { scope: "row" }, name), make("td", {}, value))))));
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
      return [item.served > 0 ? "Contacts that serve it: " : "",
        ...shown.map((place) => link(this.model.contacts[place],
          String(this.model.contacts[place].index))), left > 0 ? `and ${left} more` : ""].filter(Boolean);
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
      this.makeLabels();
      this.draw();
    }

    pull(share) {
      this.apart.value = share;
      const before = this.chosen && this.stage?.pointOf(this.chosen);
      this.stage?.setApart(share);
      // What is looked at stays where it is in the window.
      const after = this.chosen && this.stage?.pointOf(this.chosen);
      if (before && after) this.camera.target.add(after.sub(before));
      this.draw();
    }

    showWhole() {
      if (!this.stage) return;
      const { center, radius } = this.stage.whole();
      this.camera.frame(center, radius);
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
      else if (event.key === "Escape" && this.chosen && isInside) this.choose(null);
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

    makeLabels() {
      if (!this.stage) return;
      const pair = this.chosen && (this.chosen.type === "body" ? [this.chosen.place]
        : [this.chosen.a, this.chosen.b]);
      const named = this.model.bodies.filter((body) => pair?.includes(body.place) ||
        (this.model.bodies.length <= NAMES_SHOWN && this.stage.bodies[body.place].group.visible));
      this.marks = named.filter((body) => !body.ground || pair?.includes(body.place)).map((body) => ({
        item: body, mark: make("span", pair?.includes(body.place) ? { class: "view-chosen" } : {},
          body.name) }));
      if (this.chosen && this.chosen.type !== "body" && this.stage.pointOf(this.chosen))
        this.marks.push({ item: this.chosen, mark: make("i") });
      this.labels.replaceChildren(...this.marks.map(({ mark }) => mark));
    }

    /** Where a label is: in the middle of its body; where that is out of sight, or the body is
     * ground, on the way there from what is chosen. */
    placeOf({ item }, width, height) {
      const project = (point) => point && this.stage.project(point, this.camera, width, height);
      const at = project(this.stage.pointOf(item));
      if (item.type !== "body") return at;
      const chosen = this.chosen && this.chosen.type !== "body" &&
        project(this.stage.pointOf(this.chosen));
      const isSeen = at && at.x > 30 && at.x < width - 30 && at.y > 12 && at.y < height - 12;
      if (isSeen && !item.ground || !chosen) return isSeen ? at : null;
      const way = at ? [at.x - chosen.x, at.y - chosen.y] : [0, 1];
      const length = Math.hypot(...way) || 1;
      return { x: chosen.x + 90 * way[0] / length, y: chosen.y + 90 * way[1] / length };
    }

    placeLabels(width, height) {
      const taken = [];
      for (const label of this.marks) {
        const at = this.placeOf(label, width, height);
        label.mark.hidden = !at;
        if (!at) continue;
        if (label.item.type === "body") {
          at.x = Math.max(40, Math.min(width - 40, at.x));
          at.y = Math.max(12, Math.min(height - 12, at.y));
          // Names do not cover each other.
          const covers = (other) => Math.abs(other.x - at.x) < 80 && Math.abs(other.y - at.y) < 18;
          const way = at.y > height / 2 ? -20 : 20;
          for (let i = 0; i < taken.length && taken.some(covers); i++) at.y += way;
          taken.push(at);
        }
        label.mark.style.left = `${at.x}px`;
        label.mark.style.top = `${at.y}px`;
      }
    }

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
      const { center, radius } = this.stage.whole();
      this.camera.update(8 * radius + center.distanceTo(this.camera.target));
      this.stage.scale(this.camera);
      renderer.setClearColor(getComputedStyle(this.window).backgroundColor);
      renderer.render(this.stage.scene, this.camera.camera);
      this.placeLabels(this.window.clientWidth, this.window.clientHeight);
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

  /** "20", "20 of 400", "" for none. */
  const countWords = (shown, total) => shown < total
    ? `${shown} of ${total.toLocaleString("en")}` : total > 0 ? String(total) : "";

  // ---- signs of the legend ------------------------------------------------------------------

  function svg(tag, attributes, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  const sign = (...parts) => svg("svg", { viewBox: "0 0 26 14", "aria-hidden": "true" }, ...parts);

  function regionSign(state) {
    const truth = touchstoneView.truthColour, fault = TouchstoneStage.FAULT;
    const isBad = state === "missed" || state === "lacking";
    const area = svg("path", { d: "M4 2H22V12H4Z", fill: state === "missed" ? fault : truth,
      "fill-opacity": state === "open" ? 0.06 : 0.35, stroke: isBad ? fault : truth,
      "stroke-opacity": state === "open" ? 0.5 : 1, "stroke-width": isBad ? 2 : 1 });
    return sign(area, ...(state === "missed"
      ? [svg("path", { d: "M4 2L22 12M22 2L4 12", stroke: fault })] : []));
  }

  const feet = { ball: (c) => svg("circle", { cx: 4, cy: 7, r: 2.5, fill: c }),
    cube: (c) => svg("path", { d: "M1.5 4.5h5v5h-5z", fill: c }),
    ring: (c) => svg("circle", { cx: 4, cy: 7, r: 3, fill: "none", stroke: c, "stroke-width": 1.5 }),
    cross: (c) => svg("path", { d: "M1 4l6 6M7 4l-6 6", stroke: c, "stroke-width": 1.8 }) };
  const dashes = { 1: "", 3: "4 2", 4: "2 2" };

  function arrowSign(colour, word) {
    const [foot, pieces, isSolid] = TouchstoneStage.LOOKS[word];
    return sign(feet[foot](colour), svg("path", { d: "M6 7H19", stroke: colour, "stroke-width": 1.6,
      "stroke-dasharray": dashes[pieces] }), svg("path", { d: "M18 3.5L25 7L18 10.5Z", stroke: colour,
      fill: isSolid ? colour : "none" }));
  }

  // ---- the page's way in --------------------------------------------------------------------

  let view = null;
  const sayWhy = touchstoneView.open;

  touchstoneView.close = () => {
    view?.close();
    view = null;
  };

  touchstoneView.open = async (row, element) => {
    touchstoneView.close();
    if (!touchstoneView.has(row)) return sayWhy(row, element);
    const opened = view = new View(row, element);
    touchstoneView.current = opened;
    try {
      await opened.start();
    } catch (error) {
      element.replaceChildren(make("p", { class: "bad", role: "alert" },
        `The view cannot be shown: ${error.message}`));
    }
  };
})();

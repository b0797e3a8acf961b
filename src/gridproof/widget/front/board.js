// The page's half of the board: it shows what Python draws, and sends Python what a person does. The puzzle and its
// histories live in Python; the page has the buttons, the selection, and the form that is open.
//
// A host gives `model`, of which only get, set, save_changes, on, off and send are used.

import { element, fill, write } from "./elements.js";
import { aboutForm, addForm, changeForm, fillForm, makeFormPlace, newForm, openForm, paintForm, valuesOf } from "./forms.js";
import { makeGrid } from "./grid.js";
import { makeOut } from "./out.js";
import { TYPING, firstTab, partsBelow, partsOfPanel, partsOnTop, tabsOf } from "./panels.js";
import { makeParts } from "./parts.js";
import { makeSelection } from "./selection.js";
import { makeStroke, showStroke } from "./stroke.js";
import { makeTimer } from "./timer.js";

const SILENCE = 3000; // milliseconds without an answer after which the host is said to be gone
const TRAITS = ["page", "mode", "show", "check", "clean", "place"];

function render({ model, el }) {
  let opened = null; // what the form is for
  let tab = null;
  let palette = null; // asked for when it is first shown
  let links = [];
  let refusals = {}; // why the puzzle cannot be copied in some formats
  let shownSvg = "";
  let target = null; // the cell that the hint on the page changes
  let silence = null;
  let puzzle = null; // title, author and words of the puzzle that the tab was chosen for
  const typing = { set: "clue", solve: "entry" };

  // ---- the places of the page ---------------------------------------------------------------------------------------

  const picture = element("div", { class: "gp-picture", "aria-hidden": "true" });
  const stroke = makeStroke();
  const surface = element("div", { class: "gp-board" }, picture);
  const heading = element("div", { class: "gp-heading" });
  const below = element("div", { class: "gp-below" });
  const timer = makeTimer();
  const top = element("div", { class: "gp-top" });
  const badges = element("div", { class: "gp-badges" });
  const sentence = element("p", { class: "gp-sentence" });
  const more = element("button", { type: "button", class: "gp-more", click: () => app.press("tab", "why") }, "more");
  const anyway = element("button", { type: "button", class: "gp-anyway", click: () => send({ act: "open_anyway" }) }, "Open anyway");
  const status = element("div", { class: "gp-status", role: "status", "aria-live": "polite" }, badges, sentence);
  const prose = element("div", { class: "gp-prose", tabindex: 0, role: "note", "aria-label": "rules in words" });
  const tabs = element("div", {});
  const panel = element("div", { class: "gp-panel", role: "tabpanel" });
  const form = makeFormPlace(submit);
  const out = makeOut((words) => write(sentence, words));
  const quiet = element("style"); // hides the picture that stands in the place of the board where there is no page

  const app = { page: () => model.get("page"), mode: () => model.get("mode"), typing: () => typing[model.get("mode")], opened: () => opened, surface, press, send, submit, type, openRuleAt, typeIntoForm };
  app.selection = makeSelection(() => app.page().columns, mark);
  const grid = makeGrid(app);
  const show = makeParts(app);
  surface.append(stroke, grid.place);
  below.addEventListener("keydown", (event) => grid.take(event, true)); // digits are the board's there, too
  el.classList.add("gp-widget");
  const left = element("div", { class: "gp-left" }, heading, surface, below);
  const right = element("div", { class: "gp-right" }, top, status, element("div", { class: "gp-row gp-after" }, more, anyway), prose, tabs, panel);
  el.append(quiet, element("div", { class: "gp-columns" }, left, right));

  // ---- what is sent -------------------------------------------------------------------------------------------------

  /** Send a message. Each is answered, unless nobody is there any more. */
  function send(content) {
    silence ??= setTimeout(() => {
      write(sentence, "No answer. The kernel is busy or gone: if it was restarted, run the cell again.");
      sentence.classList.add("gp-error");
    }, SILENCE);
    model.send({ cells: app.selection.cells, starts: app.selection.starts, ...content });
  }

  function put(name, value) {
    model.set(name, value);
    model.save_changes();
  }

  /** Enter a symbol. as: what typing makes of it, "other" for the second choice of the mode, or null for the chosen one. */
  function type(symbol, as = null) {
    const choices = TYPING[app.mode()];
    if (!choices.length) return;
    const second = choices.find(([name]) => (name === "mark" || name === "note"))[0];
    const chosen = typing[app.mode()];
    const first = choices[0][0];
    const other = chosen === second ? first : second;
    send({ act: "enter", symbol, typing: as === "other" ? other : as ?? chosen });
  }

  /** Do what a button is for. row: the part that it is in. */
  function press(row, value) {
    const { rows, columns, about, rules } = app.page();
    if (row === "mode" || row === "show" || row === "check") put(row, value);
    else if (row === "place") put(row, Number(value));
    else if (row === "switch") put(value, !model.get(value));
    else if (row === "typing") { typing[app.mode()] = value; draw(); }
    else if (row === "tab") {
      tab = value;
      if (value !== "rules" && value !== "add") closeFormOfRule();
      draw();
    }
    else if (row === "pad" || row === "paint") type(Number(value));
    else if (row === "line") send({ act: "line", line: Number(value) });
    else if (row === "copy") send({ act: "copy", what: value });
    else if (row === "kind") open(addForm(palette.flatMap(({ kinds }) => kinds).find(({ name }) => name === value)));
    else if (row === "rule") openRule(Number(value));
    else if (value === "new") open(newForm(rows, columns));
    else if (value === "open") open(openForm());
    else if (value === "about") open(aboutForm(about));
    else send({ act: value });
    if (row === "do" && value === "clear" && app.mode() === "solve") timer.restart();
    function openRule(number) {
      app.selection.choose(rules[number].cells);
      if (app.mode() === "set") open(changeForm(rules[number], number));
    }
  }

  /** Open the next rule for which this is true, after the one that is open, in a circle. */
  function openRuleAt(fits) {
    const { rules } = app.page();
    const there = [...rules.keys()].filter((number) => fits(rules[number]));
    if (there.length && app.mode() === "set") press("rule", there[(there.indexOf(opened?.rule) + 1) % there.length]);
  }

  // ---- the form -----------------------------------------------------------------------------------------------------

  function open(wanted) {
    opened = wanted;
    fillForm(form, wanted, submit);
    draw();
    if (wanted?.title === "Open a puzzle") form.querySelector("textarea").focus();
  }

  /** Close the form of a rule where it has no use: beside a tab that is not of rules, or where nobody sets the puzzle. */
  function closeFormOfRule() {
    const isOfRule = opened?.kind !== undefined || opened?.rule !== undefined;
    if (!isOfRule) return;
    opened = null;
    fillForm(form, null, submit);
  }

  /** Let what is typed on the board be the first value of the form; return whether there is one. */
  function typeIntoForm(character) {
    const first = form.querySelector("input[type=text], textarea");
    if (!first) return false;
    first.value = character;
    first.focus();
    return true;
  }

  function submit(act) {
    grid.focus();
    if (act === "close") {
      open(null);
      return;
    }
    const values = valuesOf(form);
    if (act === "open") {
      send({ act: "paste", text: values.text });
      return;
    }
    const { kind, rule } = opened;
    const { cells } = app.selection;
    const same = act === "change" && cells.join() === app.page().rules[rule].cells.join();
    send({ act, kind, rule, values, cells: same ? [] : cells });
  }

  /** Go on when Python has done what the form was for. */
  function accept({ act, left }) {
    const { rows, columns, symbols } = app.page();
    const size = rows === columns ? rows : symbols.length;
    if (act === "paint") open(paintForm(size, left));
    else if (act === "new" && opened && form.querySelector("[name=shape]")?.value === "jigsaw") open(paintForm(size, rows * columns));
    else if (act === "add") app.selection.choose([app.selection.current]);
    else open(null);
  }

  // ---- what is shown ------------------------------------------------------------------------------------------------

  function draw() {
    const page = app.page();
    const mode = app.mode();
    grid.lay(page.rows, page.columns);
    drawBoard(page);
    drawState(page, mode);
    if (mode !== "set") closeFormOfRule();
    if (opened?.text && opened.text !== page.rules[opened.rule]?.text) { // it was changed or taken away
      opened = null;
      fillForm(form, null, submit);
    }
    drawParts(page, mode);
    el.dataset.mode = mode;
    quiet.textContent = `.gp-still-${page.key}{display:none}`;
    if (page.target !== target) {
      target = page.target;
      if (target !== null) app.selection.choose([target]);
    }
    mark();
  }

  function drawBoard(page) {
    if (shownSvg !== page.svg) picture.innerHTML = shownSvg = page.svg;
    const [title, author] = page.about.map((text) => String(text).trim());
    write(heading, [title, author].filter(Boolean).join(" by "));
    heading.title = heading.textContent;
    const [x, y, cell, width, height] = page.frame;
    const box = {
      left: `${(100 * x) / width}%`, top: `${(100 * y) / height}%`,
      width: `${(100 * cell * page.columns) / width}%`, height: `${(100 * cell * page.rows) / height}%`,
    };
    Object.assign(grid.place.style, box);
    Object.assign(stroke.style, box);
    surface.style.setProperty("--gp-shape", `${width} / ${height}`);
  }

  function drawState(page, mode) {
    const there = page.badges.map(([word, tone]) => `${tone}:${word}`).join("|");
    if (badges.dataset.from !== there) {
      badges.dataset.from = there;
      badges.replaceChildren(...page.badges.map(([word, tone]) => element("strong", { class: `gp-badge gp-${tone}` }, word)));
    }
    write(sentence, page.sentence);
    write(prose, page.about[2]);
    sentence.classList.toggle("gp-error", page.error);
    sentence.title = page.sentence;
    more.hidden = mode === "teach" || (page.sentence.length < 120 && !page.sentence.includes("\n"));
    anyway.hidden = !page.anyway;
    el.setAttribute("aria-busy", String(page.busy));
    el.classList.toggle("gp-busy", page.busy);
    if (mode === "solve" && !page.solved) timer.run();
    else timer.stop();
    timer.place.hidden = mode !== "solve";
  }

  /** Return the tab to show: the chosen one, or the first of a mode or a puzzle that has come anew. */
  function chosenTab(page, mode) {
    const now = [mode, ...page.about.slice(0, 3), page.rows, page.columns].join("\n");
    const names = tabsOf(mode).map(([name]) => name);
    if (puzzle !== now && (puzzle === null || !names.includes(tab) || puzzle.split("\n")[0] !== mode)) tab = firstTab(mode, page);
    puzzle = now;
    return tab;
  }

  function drawParts(page, mode) {
    const name = chosenTab(page, mode);
    const state = {
      page, mode, opened, palette: palette ?? [], links, refusals, typing: typing[mode], lines: page.sentence.split("\n"),
      show: model.get("show"), check: model.get("check"), clean: model.get("clean"), place: model.get("place"),
    };
    if (name === "add" && !palette) send({ act: "palette" });
    if (name === "out") askForLinks(page);
    fill(top, [...partsOnTop(state).map(show), timer.place]);
    fill(below, partsBelow(state).map(show));
    fill(tabs, [show({ part: "tabs", name: "tab", label: "panels", choices: tabsOf(mode), value: name })]);
    form.hidden = !opened;
    fill(panel, [form, ...partsOfPanel(name, state).map(show), ...(name === "out" ? out.places : [])]);
    panel.setAttribute("aria-label", tabsOf(mode).find(([one]) => one === name)[1]);
  }

  let asked = null; // the picture of the board for which the links were asked for
  function askForLinks(page) {
    if (asked === page.svg) return;
    asked = page.svg;
    send({ act: "links" });
  }

  /** Mark the chosen cells, and what is being drawn through them. */
  function mark() {
    grid.mark();
    const { cells, starts } = app.selection;
    const strokes = starts.map((start, number) => cells.slice(start, starts[number + 1]));
    const { rows, columns } = app.page();
    showStroke(stroke, app.mode() === "set" ? opened?.group : null, strokes, rows, columns);
  }

  // ---- what comes back ----------------------------------------------------------------------------------------------

  async function receive(message) {
    clearTimeout(silence);
    silence = null;
    if (message.kind === "accepted") accept(message);
    else if (message.kind === "palette") { palette = message.groups; draw(); }
    else if (message.kind === "links") { ({ links, refusals } = message); draw(); }
    else if (message.kind === "copied") await out.take(message.what, message.text);
  }

  const watched = [["msg:custom", receive], ...TRAITS.map((name) => [`change:${name}`, draw])];
  for (const [event, act] of watched) model.on(event, act);
  draw();
  return () => {
    timer.stop();
    for (const [event, act] of watched) model.off(event, act);
  };
}

export default { render };

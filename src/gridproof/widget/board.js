// The page's half of the widget: it shows what Python draws, and sends Python what a person does.
// The puzzle and its history live in Python; the page has the buttons, the selection, and the form that is open.

const MODES = [["set", "Set"], ["solve", "Solve"], ["teach", "Teach"]];
const SHOWN = [["nothing", "Clues only"], ["candidates", "True candidates"], ["solution", "Solution"]];
const TYPING = {
  set: [["clue", "Clues"], ["mark", "Candidates"]],
  solve: [["entry", "Digits"], ["note", "Pencil marks"]],
};
const COPIES = [["link", "Link"], ["text", "Text"], ["toml", "TOML"], ["svg", "SVG"], ["png", "PNG"]];
const SHAPES = [["boxes", "boxes"], ["latin", "Latin square"], ["jigsaw", "jigsaw, regions to be painted"]];

// forms beside those of rules; a field has a name, a label, a type, a value, and a help or choices
const newForm = (order) => ({
  title: "New board", about: "", buttons: [["new", "Begin"]], fields: [
    ["order", "symbols", "number", order, "1 to 25"], ["shape", "shape", "select", "boxes", SHAPES],
    ["diagonals", "diagonals", "checkbox", false, "both hold every symbol"],
    ["windoku", "windoku", "checkbox", false, "the inner windows hold every symbol"],
  ],
});
const aboutForm = ([title, author, prose, covered]) => ({
  title: "About the puzzle", about: "Links and TOML keep this.", buttons: [["about", "Keep"]], fields: [
    ["title", "title", "text", title, ""], ["author", "author", "text", author, ""], ["prose", "rules in words", "area", prose, ""],
    ["covered", "the rules on the board are all that these words state", "checkbox", covered || !prose.trim(), "without it there is no verdict"],
  ],
});
const paintForm = (order, left) => ({
  title: "Regions", buttons: [["paint", "Paint"]], fields: [],
  about: `Select ${order} cells and paint them as a region. ${left ? `${left} cells have no region yet.` : "All cells have a region."}`,
});

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const QUIET = { "data-lm-suppress-shortcuts": "true" }; // JupyterLab takes keys for itself without it

function render({ model, el }) {
  let current = 0; // the cell with the focus
  let selected = [0]; // in the order in which the cells were chosen
  let drag = null; // the cell that the pointer was over last

  const picture = element("div", { class: "gp-picture", "aria-hidden": "true" });
  const grid = element("div", { class: "gp-grid", role: "grid", "aria-label": "board", "aria-multiselectable": "true" });
  const heading = element("div", { class: "gp-heading" });
  const board = element("div", { class: "gp-board" }, picture, grid);
  const badge = element("strong", { class: "gp-badge" });
  const sentence = element("p", { class: "gp-sentence" });
  const status = element("div", { class: "gp-status", role: "status", "aria-live": "polite" }, badge, sentence);
  const copied = element("textarea", { class: "gp-copied", readonly: true, "aria-label": "copied text", hidden: true });
  const image = element("a", { class: "gp-image", hidden: true });
  const side = element("div", { class: "gp-side" }, copied, image);
  const form = element("form", { class: "gp-form", hidden: true, ...QUIET });
  const quiet = element("style"); // hides the picture that stands in the place of the widget where there is none
  const parts = new Map(); // the parts of the side by name, each with the text it was made from
  let opened = null; // what the form is for
  let drawn = "";
  let target = null; // the cell that the hint on the page changes
  el.classList.add("gp-widget");
  const below = element("div", { class: "gp-below" });
  const prose = element("p", { class: "gp-prose" });
  const main = element("div", { class: "gp-main" }, heading, board, below, prose);
  el.append(quiet, main, side);

  const page = () => model.get("page");
  // every message is answered, unless nobody is there any more
  let silence = null;
  const send = (content) => {
    silence ??= setTimeout(() => {
      sentence.textContent = "No answer. The kernel is busy or gone: if it was restarted, run the cell again.";
      sentence.classList.add("gp-error");
    }, 3000);
    model.send({ cells: selected, ...content });
  };
  const answered = () => {
    clearTimeout(silence);
    silence = null;
  };
  const cells = () => [...grid.querySelectorAll("[role=gridcell]")];
  const refocus = () => cells()[current]?.focus();

  function put(name, value) {
    model.set(name, value);
    model.save_changes();
  }

  function type(symbol, other = false) {
    const choices = TYPING[model.get("mode")];
    if (choices) send({ act: "enter", symbol, typing: choices[Number(model.get("pencil") !== other)][0] });
  }

  // ---- the side: buttons, the palette, rules, a slider --------------------------------------------------------------

  function press(row, value) {
    const { order, about, rules } = page();
    if (row === "mode" || row === "show") put(row, value);
    else if (row === "typing") put("pencil", value === "mark" || value === "note");
    else if (row === "place") put(row, Number(value));
    else if (row === "pad") type(Number(value));
    else if (row === "copy") send({ act: "copy", what: value });
    else if (row === "kind") {
      const { form } = model.get("palette").flatMap(({ kinds }) => kinds).find(({ name }) => name === value);
      open({ ...form, kind: value, buttons: [["add", "Add"]] });
    } else if (row === "rule") {
      choose(rules[value].cells);
      open({ ...rules[value].form, rule: Number(value), text: rules[value].text, buttons: [["change", "Change"], ["delete", "Delete"]] });
    } else if (value === "check") put(value, !model.get(value));
    else if (value === "new") open(newForm(order));
    else if (value === "about") open(aboutForm(about));
    else send({ act: value });
  }

  // the parts that a mode shows, beside the board or below it
  function wanted() {
    const { symbols, undo, redo, level, last, rules } = page();
    const [mode, place, pencil] = ["mode", "place", "pencil"].map((name) => model.get(name));
    const choice = (name, label, choices, value, more) => ({ part: "choice", name, label, choices, value, ...more });
    const bar = (name, label, choices, more) => ({ part: "buttons", name, label, choices, ...more });
    const modes = choice("mode", "what the board is for", MODES, mode);
    const copies = bar("copy", "Copy", COPIES);
    if (mode === "teach") {
      const ways = [["back", "\u25c0 Back", place < 1 && level < 2], ["forward", "Forward \u25b6", !level || (place >= last && level > 2)]];
      return [modes, { part: "slider", name: "place", label: "step", last, value: place }, bar("do", "steps", ways), copies];
    }
    const below = { below: true };
    const pad = [...symbols.map((text, number) => [String(number + 1), text]), ["0", "\u232b"]];
    const typing = choice("typing", "what typing makes", TYPING[mode], TYPING[mode][Number(pencil)][0], below);
    const both = [modes, typing, bar("pad", "digits", pad, below)];
    const history = [["undo", "Undo", !undo], ["redo", "Redo", !redo]];
    if (mode === "solve") {
      const hint = level ? `Hint ${Math.min(3, level + 1)} of 3` : "Hint";
      const acts = [["next", hint, level > 2], ["apply", "Take the step", !level], ...history, ["clear", "Start again"]];
      const check = bar("check", "entries", [["check", "Show wrong entries"]], { pressed: model.get("check") });
      return [...both, bar("do", "solving", acts), check, copies];
    }
    return [
      ...both, choice("show", "what is shown of the solutions", SHOWN, model.get("show")),
      bar("do", "setting", [["why", "Why"], ...history, ["clear", "Clear"], ["clear_rules", "Clear rules", !rules.length], ["new", "New ..."], ["about", "Title ..."]]),
      { part: "kinds", name: "kind", label: "kinds of rules", value: opened?.kind ?? "" },
      { part: "rules", name: "rule", label: "rules of the puzzle", rules, value: opened?.rule ?? "" }, copies,
    ];
  }

  function button(row, value, text, more = {}) {
    return element("button", {
      type: "button", "data-row": row, "data-name": value, click: () => press(row, value), ...QUIET, ...more,
    }, text);
  }

  // one button of a group is in the order of Tab, and arrows go to the others
  function roving(group, choose) {
    group.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      const all = [...group.querySelectorAll("button:not(:disabled)")];
      const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
      for (const one of group.querySelectorAll("button")) one.tabIndex = one === next ? 0 : -1;
      next.focus();
      if (choose) next.click();
      event.preventDefault();
      event.stopPropagation();
    });
    return group;
  }

  function firstTab(group, chosen) {
    const all = [...group.querySelectorAll("button:not(:disabled)")];
    const first = chosen ?? all.find((one) => one === document.activeElement) ?? all.find((one) => !one.tabIndex) ?? all[0];
    for (const one of group.querySelectorAll("button")) one.tabIndex = one === first ? 0 : -1;
  }

  const MAKE = {
    choice: ({ name, label, choices }) => roving(element("div", { class: "gp-row gp-choice", role: "radiogroup", "aria-label": label },
      ...choices.map(([value, text]) => button(name, value, text, { role: "radio" }))), true),
    buttons: ({ name, label, choices }) => roving(element("div", { class: `gp-row gp-${name}`, role: "toolbar", "aria-label": label },
      ...choices.map(([value, text]) => button(name, value, text)))),
    slider: ({ name, label }) => element("input", {
      class: "gp-slider", type: "range", min: 0, "aria-label": label, input: (event) => press(name, event.target.value), ...QUIET,
    }),
    kinds: ({ name, label }) => roving(element("div", { class: "gp-kinds", role: "toolbar", "aria-label": label },
      ...model.get("palette").map((group) => element("div", { class: "gp-group", role: "group", "aria-label": group.name },
        element("span", { class: "gp-name" }, group.name),
        ...group.kinds.map((kind) => {
          const made = button(name, kind.name, "", { title: kind.title });
          made.innerHTML = kind.svg; // drawn by Python, as the board is
          made.append(element("span", {}, kind.name));
          return made;
        }))))),
    rules: ({ name, label, rules }) => roving(element("div", { class: "gp-rules", role: "toolbar", "aria-label": label },
      ...rules.map((rule, number) => button(name, number, rule.text)))),
  };

  // what of a part only changes how it looks, so that the focus stays where it is
  function update(part, made) {
    if (part.part === "slider") {
      Object.assign(made, { max: part.last, value: part.value });
      made.setAttribute("aria-valuetext", page().badge[0]);
      return;
    }
    const off = new Map((part.choices ?? []).map(([value, , disabled]) => [value, Boolean(disabled)]));
    const held = document.activeElement;
    let chosen;
    for (const one of made.querySelectorAll("button")) {
      const here = String(part.value) === one.dataset.name;
      one.disabled = off.get(one.dataset.name) ?? false;
      if (part.part === "choice") one.setAttribute("aria-checked", String(here));
      else if (part.value != null || one.hasAttribute("aria-pressed")) one.setAttribute("aria-pressed", String(here));
      if (part.pressed != null) one.setAttribute("aria-pressed", String(part.pressed));
      if (here) chosen = one;
      const text = (part.choices ?? []).find(([value]) => value === one.dataset.name)?.[1];
      if (text && one.textContent !== text) one.textContent = text;
    }
    firstTab(made, part.part === "choice" ? chosen : undefined);
    // a button that has nothing to do any more passes the focus on: JupyterLab takes keys that nobody has
    if (held.disabled && made.contains(held)) made.querySelector("button[tabindex='0']")?.focus();
  }

  function drawSide() {
    const under = [];
    const beside = [];
    for (const part of wanted()) {
      const from = JSON.stringify([part.part, part.name, (part.choices ?? []).map(([value]) => value), part.rules?.map(({ text }) => text)]);
      let there = parts.get(part.name);
      if (there?.from !== from) {
        there = { from, made: MAKE[part.part](part) };
        parts.set(part.name, there);
      }
      update(part, there.made);
      (part.below ? under : beside).push(there.made);
      if (part.name === "mode") beside.push(status);
      if (part.part === "kinds") beside.push(form);
    }
    form.hidden = !opened || model.get("mode") !== "set";
    fill(below, under);
    fill(side, [...beside, copied, image]);
  }

  function fill(place, made) {
    if (made.length === place.children.length && made.every((one, number) => one === place.children[number])) return;
    const held = document.activeElement;
    place.replaceChildren(...made);
    if (held && place.contains(held)) held.focus();
  }

  function open(wanted) {
    opened = wanted;
    form.replaceChildren();
    if (wanted) {
      form.setAttribute("aria-label", wanted.title);
      form.append(element("b", {}, wanted.title), element("p", {}, wanted.about), ...wanted.fields.map(field));
      form.append(element("div", { class: "gp-row" }, ...[...wanted.buttons, ["close", "Close"]].map(([name, text]) =>
        button("form", name, text, { click: () => submit(name) }))));
    }
    drawSide();
  }

  function field([name, text, type, value, more]) {
    let input;
    if (type === "select") {
      input = element("select", { name, ...QUIET }, ...more.map(([one, words]) => element("option", { value: one }, words)));
    } else if (type === "area") {
      input = element("textarea", { name, rows: 4, ...QUIET });
    } else {
      const inputmode = type === "number" && "numeric";
      input = element("input", { name, title: more, type: type === "checkbox" ? type : "text", inputmode, ...QUIET });
    }
    if (type === "checkbox") input.checked = value;
    else input.value = value;
    return element("label", {}, `${text} `, input);
  }

  function submit(act) {
    refocus();
    if (act === "close") return open(null);
    const values = {};
    for (const input of form.querySelectorAll("[name]")) values[input.name] = input.type === "checkbox" ? input.checked : input.value;
    const { kind, rule } = opened;
    const same = act === "change" && selected.join() === page().rules[rule].cells.join();
    send({ act, kind, rule, values, cells: same ? [] : selected });
  }

  // what follows when Python has done what the form was for
  function accepted({ act, left }) {
    const { order } = page();
    if (act === "paint") open(paintForm(order, left));
    else if (act === "new" && opened && form.querySelector("[name=shape]")?.value === "jigsaw") open(paintForm(order, order * order));
    else open(act === "add" ? opened : null);
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches("input, select")) submit(form.querySelector("button").dataset.name);
    else if (event.key === "Escape") submit("close");
    else if (event.key !== "Tab") return event.stopPropagation();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  // ---- the board ----------------------------------------------------------------------------------------------------

  function draw() {
    const { order, frame, svg, about: [title, author, inWords], key, badge: [word, tone], sentence: words, error, busy, rules } = page();
    if (drawn !== svg) picture.innerHTML = drawn = svg;
    heading.textContent = [title, author].map((text) => text.trim()).filter(Boolean).join(" by ");
    if (badge.textContent !== word) badge.textContent = word;
    if (sentence.textContent !== words) sentence.textContent = words;
    sentence.classList.toggle("gp-error", error);
    if (prose.textContent !== inWords) prose.textContent = inWords;
    badge.className = `gp-badge gp-${tone}`;
    el.setAttribute("aria-busy", String(busy));
    el.classList.toggle("gp-busy", busy);
    if (cells().length !== order * order) {
      const held = grid.contains(document.activeElement);
      grid.replaceChildren();
      for (let row = 0; row < order; row++) {
        const line = element("div", { role: "row", class: "gp-line" });
        for (let column = 0; column < order; column++)
          line.append(element("div", { role: "gridcell", class: "gp-cell", "data-cell": row * order + column, tabindex: -1, ...QUIET }));
        grid.append(line);
      }
      current = 0;
      selected = [0];
      if (held) refocus();
    }
    const [left, top, cell, width, height] = frame;
    const percent = (part, whole) => `${(100 * part) / whole}%`;
    Object.assign(grid.style, {
      left: percent(left, width), top: percent(top, height),
      width: percent(cell * order, width), height: percent(cell * order, height),
    });
    // cells of one size, whatever is written in them or around the board
    main.style.width = `min(100%, ${(Math.max(30, Math.min(48, 640 / order)) * width) / cell}px)`;
    quiet.textContent = `.gp-still-${key}{display:none}`;
    el.dataset.mode = model.get("mode");
    if (opened?.text && opened.text !== rules[opened.rule]?.text) open(null); // it was changed or taken away
    else drawSide();
    if (page().target !== target) {
      target = page().target;
      if (target !== null) choose([target]);
    }
    label();
  }

  function label() {
    const { labels } = page();
    cells().forEach((cell, number) => {
      cell.setAttribute("aria-label", labels[number] ?? "");
      cell.setAttribute("aria-selected", String(selected.includes(number)));
      cell.tabIndex = number === current ? 0 : -1;
    });
  }

  // ---- the selection ------------------------------------------------------------------------------------------------

  function choose(chosen, to = chosen.at(-1) ?? current) {
    selected = chosen.length ? [...chosen] : [current];
    current = to;
    label();
  }

  // add the cells on the way, diagonally first, to the selection
  function extend(to) {
    const { order } = page();
    const chosen = [...selected];
    for (let from = current; from !== to;) {
      const [down, right] = [Math.floor(to / order) - Math.floor(from / order), (to % order) - (from % order)];
      from += Math.sign(down) * order + Math.sign(right);
      if (!chosen.includes(from)) chosen.push(from);
    }
    choose(chosen, to);
  }

  function toggle(number) {
    const others = selected.filter((one) => one !== number);
    choose(others.length < selected.length ? others : [...selected, number], number);
  }

  // the cell under the pointer; near its corners none, so that diagonals can be drawn
  function under(event, everywhere) {
    const { order } = page();
    const box = grid.getBoundingClientRect();
    const [x, y] = [((event.clientX - box.left) / box.width) * order, ((event.clientY - box.top) / box.height) * order];
    const inside = x >= 0 && y >= 0 && x < order && y < order;
    const near = Math.hypot((x % 1) - 0.5, (y % 1) - 0.5) < 0.45;
    return inside && (everywhere || near) ? Math.floor(y) * order + Math.floor(x) : null;
  }

  grid.addEventListener("pointerdown", (event) => {
    const number = under(event, true);
    if (number === null) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) toggle(number);
    else if (event.shiftKey) extend(number);
    else choose([number]);
    drag = number;
    grid.setPointerCapture?.(event.pointerId);
    refocus();
  });
  grid.addEventListener("pointermove", (event) => {
    if (drag === null || event.buttons !== 1) return;
    const number = under(event, false);
    if (number === null || number === drag) return;
    extend(number);
    drag = number;
    refocus();
  });
  grid.addEventListener("pointerup", () => { drag = null; });
  grid.addEventListener("dblclick", (event) => {
    const number = under(event, true);
    const there = [...page().rules.keys()].filter((rule) => page().rules[rule].cells.includes(number));
    // the one after the rule that is open, in a circle
    if (there.length && model.get("mode") === "set") press("rule", there[(there.indexOf(opened?.rule) + 1) % there.length]);
  });

  grid.addEventListener("keydown", (event) => {
    const { order, symbols } = page();
    const [row, column] = [Math.floor(current / order), current % order];
    const ways = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const symbol = symbols.indexOf(key) + 1;
    const first = form.querySelector("input[type=text], textarea");
    if (ways[key] || key === "Home" || key === "End") {
      const [down, right] = ways[key] ?? [0, 0];
      const to = ways[key] ? ((row + down + order) % order) * order + ((column + right + order) % order)
        : row * order + (key === "Home" ? 0 : order - 1);
      if (control) choose(selected, to);
      else if (event.shiftKey) extend(to);
      else choose([to]);
      refocus();
    } else if (key === " " && control) {
      toggle(current);
    } else if (control && key === "Z") {
      send({ act: event.shiftKey ? "redo" : "undo" });
    } else if (control && key === "Y") {
      send({ act: "redo" });
    } else if (control && key === "A") {
      choose([...cells().keys()], current);
    } else if (control) {
      return; // copy and paste are the browser's
    } else if (!form.hidden && key === "Enter") {
      submit(opened.buttons[0][0]);
    } else if (!form.hidden && key === "Escape") {
      submit("close");
    } else if (!form.hidden && first && event.key.length === 1 && key !== " ") {
      first.value = event.key; // what is typed is the number of the rule
      first.focus();
    } else if (["Delete", "Backspace", "0", ".", " "].includes(key)) {
      type(0);
    } else if (symbol) {
      type(symbol, event.altKey);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  grid.addEventListener("paste", (event) => {
    send({ act: "paste", text: event.clipboardData.getData("text") });
    event.preventDefault();
    event.stopPropagation();
  });
  grid.addEventListener("copy", (event) => {
    send({ act: "copy", what: "text" });
    event.preventDefault();
    event.stopPropagation();
  });

  // ---- copies -------------------------------------------------------------------------------------------------------

  // the picture in twice its size
  async function png(svg) {
    const drawn = new Image();
    drawn.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await drawn.decode();
    const canvas = element("canvas", { width: 2 * drawn.width, height: 2 * drawn.height });
    canvas.getContext("2d").drawImage(drawn, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }

  const received = async ({ kind, what, text, ...done }) => {
    answered();
    if (kind === "accepted") accepted(done);
    if (kind !== "copied") return;
    const blob = what === "png" ? await png(text) : null;
    copied.hidden = image.hidden = true;
    copied.value = text;
    try {
      if (blob) await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      else await navigator.clipboard.writeText(text);
      sentence.textContent = `Copied: ${what}.`;
    } catch {
      // the page may not write to the clipboard: what was to be copied stands there instead
      if (blob) {
        Object.assign(image, { href: URL.createObjectURL(blob), download: "board.png", textContent: "Save the picture", hidden: false });
        image.focus();
      } else {
        copied.hidden = false;
        copied.select();
      }
    }
  };

  const watched = [["msg:custom", received]];
  for (const name of ["page", "mode", "show", "check", "pencil", "place"]) watched.push([`change:${name}`, draw]);
  for (const [event, act] of watched) model.on(event, act);
  draw();
  return () => {
    for (const [event, act] of watched) model.off(event, act);
  };
}

export default { render };

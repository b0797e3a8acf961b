// The page's half of the widget: it shows the picture that Python draws, and tells Python what a person does.
// The board itself, its history and its analysis live in Python.

const MODES = [["clue", "Clues"], ["entry", "Entries"], ["mark", "Pencil marks"]];
const ACTIONS = [
  ["next", "Next"], ["apply", "Apply"], ["solve", "Solve"], ["why", "Why"], ["undo", "Undo"], ["redo", "Redo"], ["clear", "Clear"],
];
const COPIES = [["text", "Copy text"], ["link", "Copy link"], ["svg", "Copy SVG"]];

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function render({ model, el }) {
  let mode = "clue";
  let current = 0;
  let anchor = 0;
  let selected = new Set([0]);

  const picture = element("div", { class: "gp-picture", "aria-hidden": "true" });
  const grid = element("div", { class: "gp-grid", role: "grid", "aria-label": "board", "aria-multiselectable": "true" });
  const board = element("div", { class: "gp-board" }, picture, grid);
  const sentence = element("p", { class: "gp-sentence", role: "status", "aria-live": "polite" });
  const modes = element("div", { class: "gp-row", role: "radiogroup", "aria-label": "what typing makes" });
  const actions = element("div", { class: "gp-row gp-actions", role: "toolbar", "aria-label": "board" });
  const copied = element("textarea", { class: "gp-copied", readonly: "", "aria-label": "copied text", hidden: "" });
  el.classList.add("gp-widget");
  el.append(board, element("div", { class: "gp-side" }, sentence, modes, actions, copied));

  const send = (content) => model.send(content);
  const button = (name, label, act) => {
    const made = element("button", { type: "button", "data-name": name }, label);
    made.addEventListener("click", act);
    return made;
  };

  for (const [name, label] of MODES) {
    const made = button(name, label, () => choose(name));
    made.setAttribute("role", "radio");
    modes.append(made);
  }
  for (const [name, label] of ACTIONS) actions.append(button(name, label, () => send({ kind: name })));
  for (const [name, label] of COPIES) actions.append(button(name, label, () => send({ kind: "copy", what: name })));

  function choose(name) {
    mode = name;
    for (const made of modes.children) made.setAttribute("aria-checked", String(made.dataset.name === mode));
  }

  function cells() {
    return [...grid.querySelectorAll("[role=gridcell]")];
  }

  // ---- drawing ----------------------------------------------------------------------------------------------------

  function draw() {
    const { order, frame, svg, history, level } = model.get("page");
    picture.innerHTML = svg;
    if (cells().length !== order * order) {
      const held = grid.contains(document.activeElement);
      grid.replaceChildren();
      for (let row = 0; row < order; row++) {
        const line = element("div", { role: "row", class: "gp-line" });
        for (let column = 0; column < order; column++) {
          // JupyterLab takes digits and arrows for itself without this attribute
          line.append(element("div", {
            role: "gridcell", class: "gp-cell", "data-cell": String(row * order + column),
            "data-lm-suppress-shortcuts": "true", tabindex: "-1",
          }));
        }
        grid.append(line);
      }
      current = anchor = 0;
      selected = new Set([0]);
      if (held) cells()[0].focus();
    }
    const [left, top, side, width, height] = frame;
    const percent = (part, whole) => `${(100 * part) / whole}%`;
    Object.assign(grid.style, {
      left: percent(left, width), top: percent(top, height),
      width: percent(side * order, width), height: percent(side * order, height),
    });
    // of one size, whether candidates are shown or not
    board.style.width = `min(100%, ${order * 46 + 12}px)`;
    const [undo, redo] = history;
    actions.querySelector("[data-name=undo]").disabled = !undo;
    actions.querySelector("[data-name=redo]").disabled = !redo;
    const next = actions.querySelector("[data-name=next]");
    next.textContent = level ? `Hint ${Math.min(3, level + 1)} of 3` : "Next";
    next.disabled = level === 3;
    actions.querySelector("[data-name=apply]").disabled = !level;
    label();
  }

  function label() {
    const { labels } = model.get("page");
    cells().forEach((cell, number) => {
      cell.setAttribute("aria-label", labels[number] ?? "");
      cell.setAttribute("aria-selected", String(selected.has(number)));
      cell.tabIndex = number === current ? 0 : -1;
    });
  }

  function say() {
    sentence.textContent = model.get("sentence");
    el.setAttribute("aria-busy", String(model.get("busy")));
    el.classList.toggle("gp-busy", model.get("busy"));
  }

  // ---- what a person does -------------------------------------------------------------------------------------------

  function move(to, extend) {
    const { order } = model.get("page");
    current = to;
    if (extend) {
      const [a, b] = [anchor, to].map((cell) => [Math.floor(cell / order), cell % order]);
      selected = new Set();
      for (let row = Math.min(a[0], b[0]); row <= Math.max(a[0], b[0]); row++)
        for (let column = Math.min(a[1], b[1]); column <= Math.max(a[1], b[1]); column++)
          selected.add(row * order + column);
    } else {
      anchor = to;
      selected = new Set([to]);
    }
    label();
    cells()[to].focus();
  }

  function enter(symbol, as = mode) {
    send({ kind: "enter", cells: [...selected], symbol, mode: as });
  }

  grid.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (!cell) return;
    event.preventDefault();
    const number = Number(cell.dataset.cell);
    if (event.ctrlKey || event.metaKey) {
      selected.has(number) && selected.size > 1 ? selected.delete(number) : selected.add(number);
      current = anchor = number;
      label();
      cell.focus();
    } else {
      move(number, event.shiftKey);
    }
  });
  grid.addEventListener("pointerover", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (cell && event.buttons === 1) move(Number(cell.dataset.cell), true);
  });

  grid.addEventListener("keydown", (event) => {
    const { order } = model.get("page");
    const [row, column] = [Math.floor(current / order), current % order];
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const symbol = model.get("page").symbols.indexOf(key) + 1;
    if (steps[key]) {
      const [down, right] = steps[key];
      move(((row + down + order) % order) * order + ((column + right + order) % order), event.shiftKey);
    } else if (key === "Home" || key === "End") {
      move(row * order + (key === "Home" ? 0 : order - 1), event.shiftKey);
    } else if (control && key === "Z") {
      send({ kind: event.shiftKey ? "redo" : "undo" });
    } else if (control && key === "Y") {
      send({ kind: "redo" });
    } else if (control && key === "A") {
      selected = new Set(cells().keys());
      label();
    } else if (control) {
      return; // copy and paste are the browser's
    } else if (["Delete", "Backspace", "0", ".", " "].includes(key)) {
      enter(0);
    } else if (symbol) {
      enter(symbol, event.altKey ? "mark" : mode);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  grid.addEventListener("paste", (event) => {
    send({ kind: "paste", text: event.clipboardData.getData("text") });
    event.preventDefault();
    event.stopPropagation();
  });
  grid.addEventListener("copy", (event) => {
    send({ kind: "copy", what: "text" });
    event.preventDefault();
    event.stopPropagation();
  });

  const heard = async (message) => {
    if (message.kind !== "copied") return;
    copied.value = message.text;
    try {
      await navigator.clipboard.writeText(message.text);
      copied.hidden = true;
      sentence.textContent = "copied";
    } catch {
      // the page may not write to the clipboard: the text is there to be copied by hand
      copied.hidden = false;
      copied.select();
    }
  };

  const watched = [
    ["change:page", draw], ["change:sentence", say], ["change:busy", say], ["msg:custom", heard],
  ];
  for (const [event, act] of watched) model.on(event, act);
  choose(mode);
  draw();
  say();
  return () => {
    for (const [event, act] of watched) model.off(event, act);
  };
}

export default { render };

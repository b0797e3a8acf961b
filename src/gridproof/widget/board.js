// The page's half of the widget: it shows what Python draws, and tells Python what a person does.
// The puzzle, its history, the buttons and their texts live in Python; the page has only the selection.

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
  let touched = false; // whether the selection is another than that of the rule which is being changed
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
  let formShown = "null";
  el.classList.add("gp-widget");
  const below = element("div", { class: "gp-below" });
  const main = element("div", { class: "gp-main" }, heading, board, below);
  el.append(quiet, main, side);

  const page = () => model.get("page");
  const send = (content) => model.send({ cells: selected, ...content });
  const press = (row, value) => send({ kind: "press", row, value: String(value) });
  const cells = () => [...grid.querySelectorAll("[role=gridcell]")];
  const refocus = () => cells()[current]?.focus();

  // ---- the side: buttons, the palette, rules, a slider --------------------------------------------------------------

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
      ...rules.map((rule, number) => button(name, number, rule.text, {
        click: () => { choose(rule.cells); touched = false; press(name, number); },
      })))),
  };

  // what of a part only changes how it looks, so that the focus stays where it is
  function update(part, made) {
    if (part.part === "slider") {
      Object.assign(made, { max: part.most, value: part.value });
      made.setAttribute("aria-valuetext", page().badge[0]);
      return;
    }
    const off = new Map((part.choices ?? []).map(([value, , disabled]) => [value, Boolean(disabled)]));
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
    if (part.part !== "rules") firstTab(made, part.part === "choice" ? chosen : undefined);
    else firstTab(made);
  }

  function drawSide() {
    const wanted = page().parts;
    const under = [];
    const beside = [];
    for (const part of wanted) {
      const from = JSON.stringify([part.part, part.name, (part.choices ?? []).map(([value]) => value), part.rules]);
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
    fill(below, under);
    fill(side, [...beside, copied, image]);
  }

  function fill(place, made) {
    if (made.length === place.children.length && made.every((one, number) => one === place.children[number])) return;
    const held = document.activeElement;
    place.replaceChildren(...made);
    if (held && place.contains(held)) held.focus();
  }

  function drawForm() {
    const wanted = page().form;
    const from = JSON.stringify(wanted);
    form.hidden = !wanted;
    if (from === formShown) return;
    formShown = from;
    form.replaceChildren();
    if (!wanted) return;
    form.setAttribute("aria-label", wanted.title);
    form.append(element("b", {}, wanted.title), element("p", {}, wanted.about));
    for (const [name, text, type, value, more] of wanted.fields) {
      let input;
      if (type === "select") {
        input = element("select", { name, ...QUIET }, ...more.map(([one, words]) => element("option", { value: one }, words)));
      } else if (type === "area") {
        input = element("textarea", { name, rows: 4, ...QUIET });
      } else {
        const numeric = type === "number" && "numeric";
        input = element("input", { name, title: more, type: type === "checkbox" ? type : "text", inputmode: numeric, ...QUIET });
      }
      if (type === "checkbox") input.checked = value;
      else input.value = value;
      form.append(element("label", {}, `${text} `, input));
    }
    form.append(element("div", { class: "gp-row" }, ...wanted.buttons.map(([name, text]) =>
      element("button", { type: "button", "data-row": "form", "data-name": name, click: () => submit(name), ...QUIET }, text))));
  }

  function submit(name) {
    const values = {};
    for (const input of form.querySelectorAll("[name]")) values[input.name] = input.type === "checkbox" ? input.checked : input.value;
    formShown = ""; // the next form begins anew
    send({ kind: "submit", button: name, values, cells: name === "change" && !touched ? [] : selected });
    refocus();
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
    const { order, frame, svg, heading: words, key, badge: [word, tone] } = page();
    picture.innerHTML = svg;
    heading.textContent = words;
    badge.textContent = word;
    badge.className = `gp-badge gp-${tone}`;
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
    el.dataset.mode = page().parts[0].value;
    drawSide();
    drawForm();
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

  function say() {
    sentence.textContent = model.get("sentence");
    el.setAttribute("aria-busy", String(model.get("busy")));
    el.classList.toggle("gp-busy", model.get("busy"));
  }

  // ---- the selection ------------------------------------------------------------------------------------------------

  function choose(chosen, to = chosen.at(-1) ?? current) {
    selected = chosen.length ? [...chosen] : [current];
    current = to;
    touched = true;
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
    const rules = page().parts.find(({ part }) => part === "rules")?.rules ?? [];
    const found = rules.findIndex((rule) => rule.cells.includes(number));
    if (found >= 0) side.querySelector(`[data-row=rule][data-name='${found}']`).click();
  });

  grid.addEventListener("keydown", (event) => {
    const { order, symbols, form: open } = page();
    const [row, column] = [Math.floor(current / order), current % order];
    const ways = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    const symbol = symbols.indexOf(key) + 1;
    const field = form.querySelector("input[type=text], textarea");
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
      press("do", event.shiftKey ? "redo" : "undo");
    } else if (control && key === "Y") {
      press("do", "redo");
    } else if (control && key === "A") {
      choose([...cells().keys()], current);
    } else if (control) {
      return; // copy and paste are the browser's
    } else if (open && key === "Enter") {
      submit(open.buttons[0][0]);
    } else if (open && key === "Escape") {
      submit("close");
    } else if (open && field && event.key.length === 1 && key !== " ") {
      field.value = event.key; // what is typed is the number of the rule
      field.focus();
    } else if (["Delete", "Backspace", "0", ".", " "].includes(key)) {
      send({ kind: "enter", symbol: 0 });
    } else if (symbol) {
      send({ kind: "enter", symbol, other: event.altKey });
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
    press("copy", "text");
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

  const heard = async ({ kind, what, text }) => {
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

  const watched = [["change:page", draw], ["change:sentence", say], ["change:busy", say], ["msg:custom", heard]];
  for (const [event, act] of watched) model.on(event, act);
  draw();
  say();
  return () => {
    for (const [event, act] of watched) model.off(event, act);
  };
}

export default { render };

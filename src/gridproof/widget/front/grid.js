// The cells over the picture: clicks, strokes and keys.

import { QUIET, element } from "./elements.js";
import { sightsFrom } from "./selection.js";

const NEAR = 0.45; // how near to its middle, in cells, a stroke has to come to take a cell: so that diagonals can be drawn
const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const ERASERS = ["Delete", "Backspace", "0", ".", " "]; // 0 where it is no digit of the board

/** Make the grid of cells. app: the parts of the page, see board.js. */
export function makeGrid(app) {
  const place = element("div", { class: "gp-grid", role: "grid", "aria-label": "board", "aria-multiselectable": "true" });
  const { selection } = app;
  const grid = { place, cells: [], focus: () => grid.cells[selection.current]?.focus() };
  let laid = ""; // how many rows and columns of cells there are
  let last = null; // the cell that the pointer was over last, while a button is down
  const look = { from: "", number: 0 }; // the place outside that was clicked last, and how often

  /** Make as many cells as the board has. */
  grid.lay = (rows, columns) => {
    if (laid === `${rows}x${columns}`) return;
    laid = `${rows}x${columns}`;
    const held = place.contains(document.activeElement);
    place.replaceChildren();
    for (let row = 0; row < rows; row++) {
      const line = element("div", { role: "row", class: "gp-line" });
      for (let column = 0; column < columns; column++)
        line.append(element("div", { role: "gridcell", class: "gp-cell", "data-cell": row * columns + column, tabindex: -1, ...QUIET }));
      place.append(line);
    }
    grid.cells = [...place.querySelectorAll("[role=gridcell]")];
    selection.choose([0]);
    if (held) grid.focus();
  };

  /** Say what is in each cell, which are chosen, and which hold the digit of the chosen one. */
  grid.mark = () => {
    const { labels, values } = app.page();
    const digit = app.mode() === "teach" ? 0 : values[selection.current];
    grid.cells.forEach((cell, number) => {
      cell.setAttribute("aria-label", labels[number] ?? "");
      cell.setAttribute("aria-selected", String(selection.cells.includes(number)));
      cell.classList.toggle("gp-same", Boolean(digit) && values[number] === digit);
      cell.tabIndex = number === selection.current ? 0 : -1;
    });
  };

  // ---- the pointer --------------------------------------------------------------------------------------------------

  /** Return the row and column under the pointer, with fractions. */
  function placeUnder(event) {
    const { rows, columns } = app.page();
    const box = place.getBoundingClientRect();
    return [((event.clientY - box.top) / box.height) * rows, ((event.clientX - box.left) / box.width) * columns];
  }

  /** Return the cell under the pointer, or null; strict: near its middle. */
  function cellUnder(event, strict) {
    const { rows, columns } = app.page();
    const [row, column] = placeUnder(event);
    if (row < 0 || column < 0 || row >= rows || column >= columns) return null;
    if (strict && Math.hypot((row % 1) - 0.5, (column % 1) - 0.5) >= NEAR) return null;
    return Math.floor(row) * columns + Math.floor(column);
  }

  app.surface.addEventListener("pointerdown", (event) => {
    const cell = cellUnder(event, false);
    if (cell === null) {
      lookIn(event);
      return;
    }
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) selection.toggle(cell);
    else if (event.shiftKey) selection.extend(cell);
    else selection.choose([cell]);
    last = cell;
    app.surface.setPointerCapture?.(event.pointerId);
    grid.focus();
  });
  app.surface.addEventListener("pointermove", (event) => {
    if (last === null || event.buttons !== 1) return;
    const cell = cellUnder(event, true);
    if (cell === null || cell === last) return;
    selection.extend(cell);
    last = cell;
    grid.focus();
  });
  app.surface.addEventListener("pointerup", () => { last = null; });
  app.surface.addEventListener("pointercancel", () => { last = null; });
  app.surface.addEventListener("dblclick", (event) => {
    const cell = cellUnder(event, false);
    if (cell !== null) app.openRuleAt((rule) => rule.cells.includes(cell));
  });

  /** Choose the cells that a clue outside sees; click by click, each line of sight from there. */
  function lookIn(event) {
    if (app.mode() !== "set") return;
    const { rows, columns } = app.page();
    const [down, right] = placeUnder(event);
    const row = Math.min(rows, Math.max(-1, Math.floor(down)));
    const column = Math.min(columns, Math.max(-1, Math.floor(right)));
    const sights = sightsFrom(row, column, rows, columns, app.opened()?.outside === "slanted");
    if (!sights.length) return;
    event.preventDefault();
    const from = `${row} ${column}`;
    look.number = look.from === from ? look.number + 1 : 0;
    look.from = from;
    const cells = sights[look.number % sights.length];
    selection.choose(cells, cells[0]);
    if (!app.opened()) app.openRuleAt((rule) => rule.outside && rule.cells.join() === cells.join());
    grid.focus();
  }

  // ---- keys ---------------------------------------------------------------------------------------------------------

  function move(event, control) {
    const { rows, columns } = app.page();
    const [row, column] = [Math.floor(selection.current / columns), selection.current % columns];
    let to;
    if (WAYS[event.key]) {
      const [down, right] = WAYS[event.key];
      to = ((row + down + rows) % rows) * columns + ((column + right + columns) % columns);
    } else {
      to = row * columns + (event.key === "Home" ? 0 : columns - 1);
    }
    if (control) {
      selection.current = to;
      grid.mark();
    } else if (event.shiftKey) {
      selection.extend(to);
    } else {
      selection.choose([to]);
    }
    grid.focus();
  }

  /** Do what is pressed together with Ctrl; return whether it was anything. */
  function doWithControl(key, event) {
    const symbol = symbolOf(event);
    if (key === " ") selection.toggle(selection.current);
    else if (key === "Z") app.send({ act: event.shiftKey ? "redo" : "undo" });
    else if (key === "Y") app.send({ act: "redo" });
    else if (key === "A") selection.choose([...grid.cells.keys()], selection.current);
    else if (symbol && app.mode() === "solve") app.type(symbol, "note");
    else return false; // copy and paste are the browser's
    return true;
  }

  /** Return the symbol of the digit on a key, whatever Shift and Alt make of it; 0 if the board has no such digit. */
  function symbolOf(event) {
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code ?? "")?.[1];
    return app.page().symbols.indexOf(digit) + 1;
  }

  /** Return whether a key is for a colour: these have numbers, whatever the digits of the board are. */
  function isOfColour(event) {
    return app.typing() === "colour" && !event.altKey && /^[1-9]$/.test(event.key);
  }

  function press(event) {
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
    if (WAYS[key] || key === "Home" || key === "End") {
      move(event, control);
      return true;
    }
    if (control) return doWithControl(key, event);
    const form = app.opened();
    const symbol = app.page().symbols.indexOf(key) + 1;
    if (form && key === "Enter") app.submit(form.buttons[0][0]);
    else if (form && key === "Escape") app.submit("close");
    else if (form?.rule != null && key === "Delete") app.submit("delete");
    else if (form && event.key.length === 1 && key !== " " && app.typeIntoForm(event.key)) return true;
    else if (event.shiftKey && symbolOf(event) && app.mode() === "solve") app.type(symbolOf(event), "corner");
    else if (isOfColour(event)) app.type(Number(key));
    else if (symbol && (app.typing() !== "colour" || event.altKey)) app.type(symbol, event.altKey ? "other" : null);
    else if (ERASERS.includes(key)) app.type(0);
    else return false;
    return true;
  }

  /** Do what a key is for; beside: on a button beside the grid, which keeps the keys of buttons. */
  grid.take = (event, beside = false) => {
    const control = event.ctrlKey || event.metaKey;
    const symbol = symbolOf(event) || app.page().symbols.includes(event.key.toUpperCase());
    if (beside && !symbol && !control && !isOfColour(event)) return;
    if (!press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  place.addEventListener("keydown", (event) => grid.take(event));
  place.addEventListener("paste", (event) => {
    app.send({ act: "paste", text: event.clipboardData.getData("text") });
    event.preventDefault();
    event.stopPropagation();
  });
  place.addEventListener("copy", (event) => {
    app.send({ act: "copy", what: "text" });
    event.preventDefault();
    event.stopPropagation();
  });
  return grid;
}

// Forms: of new boards, of what a puzzle is called, of regions that are painted, and of the values of a rule.
// A field has a name, a label, a type, a value, and a help or choices.

import { QUIET, element } from "./elements.js";

const SHAPES = [["boxes", "boxes"], ["none", "no boxes"], ["jigsaw", "jigsaw, regions to be painted"]];

/** The form of a new board. rows, columns: of the board that is there. */
export function newForm(rows, columns) {
  return {
    title: "New board", about: "", buttons: [["new", "Begin"]], fields: [
      ["size", "size", "text", `${rows}x${columns}`, "rows x columns, up to 25 each"],
      ["digits", "digits", "text", "", "from 1 on, unless stated: 0-9"],
      ["shape", "shape", "select", "boxes", SHAPES],
      ["boxes", "size of a box", "text", "", "as usual, unless stated: 2x4"],
      ["diagonals", "diagonals", "checkbox", false, "both hold every symbol"],
      ["windoku", "windoku", "checkbox", false, "the inner windows hold every symbol"],
    ],
  };
}

/** The form into which another puzzle is pasted. */
export function openForm() {
  return {
    title: "Open a puzzle", buttons: [["open", "Open"]],
    about: "Paste a link of f-puzzles or SudokuPad, the 81 characters of a grid, TOML, or a string of the Interactive Sudoku Solver.",
    fields: [["text", "link or text", "area", "", ""]],
  };
}

/** The form of what a puzzle is called. */
export function aboutForm([title, author, prose, covered]) {
  return {
    title: "About the puzzle", about: "Links and TOML keep this.", buttons: [["about", "Keep"]], fields: [
      ["title", "title", "text", title, ""], ["author", "author", "text", author, ""], ["prose", "rules in words", "area", prose, ""],
      ["covered", "the rules on the board are all that these words state", "checkbox", covered || !prose.trim(), "without it there is no verdict"],
    ],
  };
}

/** The form with which the next region is painted. size: how many cells one has. left: how many cells have none. */
export function paintForm(size, left) {
  return {
    title: "Regions", buttons: [["paint", "Paint"]], fields: [],
    about: `Select ${size} cells and paint them as a region. ${left ? `${left} cells have no region yet.` : "All cells have a region."}`,
  };
}

/** The form of a rule of a kind that is to be added. */
export function addForm(kind) {
  return { ...kind.form, kind: kind.name, group: kind.group, buttons: [["add", "Add"]] };
}

/** The form of a rule that is there. */
export function changeForm(rule, number) {
  return { ...rule.form, rule: number, text: rule.text, buttons: [["change", "Change"], ["delete", "Delete"]] };
}

/** Make the place of the form. submit: is called with the name of the button that was pressed. */
export function makeFormPlace(submit) {
  const place = element("form", { class: "gp-form", hidden: true, ...QUIET });
  place.addEventListener("submit", (event) => event.preventDefault());
  place.addEventListener("keydown", (event) => {
    if (event.key === "Tab") return;
    event.stopPropagation();
    if (event.key === "Enter" && event.target.matches("input, select")) submit(place.querySelector("button").dataset.name);
    else if (event.key === "Escape") submit("close");
    else return;
    event.preventDefault();
  });
  return place;
}

/** Fill the place of the form. */
export function fillForm(place, form, submit) {
  place.replaceChildren();
  if (!form) return;
  const buttons = [...form.buttons, ["close", "Close"]].map(([name, text]) =>
    element("button", { type: "button", "data-row": "form", "data-name": name, click: () => submit(name), ...QUIET }, text));
  place.setAttribute("aria-label", form.title);
  place.append(element("b", {}, form.title), element("p", {}, form.about), ...form.fields.map(makeField));
  place.append(element("div", { class: "gp-row" }, ...buttons));
}

/** Return the values of a form by the names of its fields. */
export function valuesOf(place) {
  const values = {};
  for (const input of place.querySelectorAll("[name]")) values[input.name] = input.type === "checkbox" ? input.checked : input.value;
  return values;
}

function makeField([name, text, type, value, more]) {
  const input = makeInput(name, type, more);
  if (type === "checkbox") {
    input.checked = value;
    return element("label", { class: "gp-tick" }, input, text, more ? element("small", {}, more) : "");
  }
  input.value = value;
  return element("label", {}, element("span", {}, text), input);
}

function makeInput(name, type, more) {
  if (type === "select") return element("select", { name, ...QUIET }, ...more.map(([one, words]) => element("option", { value: one }, words)));
  if (type === "area") return element("textarea", { name, rows: 4, ...QUIET });
  if (type === "checkbox") return element("input", { name, type, ...QUIET });
  return element("input", { name, title: more, placeholder: more, type: "text", inputmode: type === "number" && "numeric", ...QUIET });
}

// Elements of the page, and groups of buttons that arrows go through.

export const QUIET = { "data-lm-suppress-shortcuts": "true" }; // JupyterLab takes keys for itself without it

const SVG = "http://www.w3.org/2000/svg";

/** Make an element: functions are listeners, true is an attribute without a value, false is none. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** Make an element of a drawing. */
export function drawn(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Write a text into an element, unless it is there: a reader of the screen would read it again. */
export function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** Put these elements into a place, unless they are there, and leave the focus where it is. */
export function fill(place, made) {
  const same = made.length === place.children.length && made.every((one, number) => one === place.children[number]);
  if (same) return;
  const held = document.activeElement;
  place.replaceChildren(...made);
  if (held && place.contains(held)) held.focus();
}

/** Let one button of a group be in the order of Tab, and arrows go to the others; choose: and press them. */
export function rove(group, choose = false) {
  group.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const all = enabledButtons(group);
    const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    for (const one of group.querySelectorAll("button")) one.tabIndex = one === next ? 0 : -1;
    next.focus();
    if (choose) next.click();
    event.preventDefault();
    event.stopPropagation();
  });
  return group;
}

/** Put the chosen button of a group into the order of Tab, or the one that was used last. */
export function putFirst(group, chosen) {
  const all = enabledButtons(group);
  const first = chosen ?? all.find((one) => one === document.activeElement) ?? all.find((one) => !one.tabIndex) ?? all[0];
  for (const one of group.querySelectorAll("button")) one.tabIndex = one === first ? 0 : -1;
}

function enabledButtons(group) {
  return [...group.querySelectorAll("button:not(:disabled)")];
}

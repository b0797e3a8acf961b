// The parts of the page that buttons are in: choices, bars, lists, the slider, the palette. Each is made once, and then
// only brought up to date, so that the focus stays where it is.

import { QUIET, element, putFirst, rove, write } from "./elements.js";

const MOST_OPEN = 3; // how many rules of a kind are listed without being folded

/** Make the parts of the page. app: see board.js. */
export function makeParts(app) {
  const made = new Map(); // by name, each with the text that it was made from

  function button(row, value, text, more = {}) {
    return element("button", {
      type: "button", "data-row": row, "data-name": value, click: () => app.press(row, value), ...QUIET, ...more,
    }, text);
  }

  const MAKE = {
    choice: ({ name, label, choices }) => rove(element("div", { class: `gp-choice gp-${name}`, role: "radiogroup", "aria-label": label },
      ...choices.map(([value, text]) => button(name, value, text, { role: "radio" }))), true),
    buttons: ({ name, label, choices }) => rove(element("div", { class: `gp-row gp-${name}`, role: "toolbar", "aria-label": label },
      ...choices.map(([value, text, , title]) => button(name, value, text, { "aria-label": title || false })))),
    tabs: ({ name, label, choices }) => rove(element("div", { class: "gp-tabs", role: "tablist", "aria-label": label },
      ...choices.map(([value, text]) => button(name, value, text, { role: "tab" }))), true),
    switch: ({ name, label, about }) => element("label", { class: "gp-tick" },
      element("input", { type: "checkbox", "data-row": "switch", "data-name": name, change: () => app.press("switch", name), ...QUIET }),
      label, element("small", {}, about)),
    slider: ({ name, label }) => element("input", {
      class: "gp-slider", type: "range", min: 0, "aria-label": label, input: (event) => app.press(name, event.target.value), ...QUIET,
    }),
    lines: ({ name, lines }) => element("ul", { class: `gp-lines gp-${name}` }, ...lines.map((line) => element("li", {}, line))),
    folded: ({ label, lines }) => element("details", { class: "gp-folded" }, element("summary", {}, label),
      element("ul", { class: "gp-lines" }, ...lines.map((line) => element("li", {}, line)))),
    story: ({ name, label, lines }) => rove(element("div", { class: "gp-story", role: "toolbar", "aria-label": label },
      ...lines.map((line, number) => button(name, number, line)))),
    links: ({ links }) => element("ul", { class: "gp-links" }, ...links.map(([text, href]) =>
      element("li", {}, element("a", { href, target: "_blank", rel: "noopener" }, text)))),
    kinds: ({ name, label, groups }) => rove(element("div", { class: "gp-kinds", role: "toolbar", "aria-label": label },
      ...groups.map((group) => element("div", { class: "gp-group", role: "group", "aria-label": group.name },
        element("span", { class: "gp-name" }, group.name), ...group.kinds.map((kind) => makeKind(name, kind)))))),
    rules: ({ name, label, rules, kinds }) => rove(element("div", { class: "gp-rules", role: "toolbar", "aria-label": label },
      ...Object.entries(kinds).map(([kind, about]) => makeRules(name, kind, about, rules)))),
  };

  function makeKind(row, kind) {
    const one = button(row, kind.name, "", { title: kind.title });
    one.innerHTML = kind.svg; // drawn by Python, as the board is
    one.append(element("span", {}, kind.name));
    return one;
  }

  /** Make the list of the rules of a kind, with what the kind means; folded if they are many. */
  function makeRules(row, kind, about, rules) {
    const rows = [];
    rules.forEach((rule, number) => {
      if (rule.kind === kind) rows.push(button(row, number, rule.name, { title: rule.text, "aria-label": rule.text }));
    });
    const list = element("div", { class: "gp-list" }, ...rows);
    const meaning = element("p", {}, about);
    if (rows.length <= MOST_OPEN) return element("div", { class: "gp-kind" }, meaning, list);
    return element("details", { class: "gp-kind" }, element("summary", {}, `${kind} (${rows.length})`), meaning, list);
  }

  /** Return the text of what a part is made from: if it is the same, the part that is there is only updated. */
  function describe(part) {
    const choices = (part.choices ?? []).map(([value]) => value);
    const rules = part.rules?.map(({ kind, name, text }) => [kind, name, text]);
    return JSON.stringify([part.part, part.name, part.label, choices, rules, part.lines, part.links, part.groups?.length]);
  }

  function update(part, place) {
    if (part.part === "slider") {
      Object.assign(place, { max: part.last, value: part.value });
      place.setAttribute("aria-valuetext", part.words);
    } else if (part.part === "switch") {
      place.querySelector("input").checked = part.value;
    } else if (place.querySelector("button")) {
      updateButtons(part, place);
    }
  }

  function updateButtons(part, place) {
    const held = document.activeElement;
    const choices = new Map((part.choices ?? []).map(([value, ...others]) => [value, others]));
    const state = { choice: "aria-checked", tabs: "aria-selected" }[part.part] ?? "aria-pressed";
    let chosen;
    for (const one of place.querySelectorAll("button")) {
      const here = part.value != null && String(part.value) === one.dataset.name;
      const [text, disabled, title] = choices.get(one.dataset.name) ?? [];
      one.disabled = Boolean(disabled);
      if (title !== undefined) one.title = title;
      if (part.value != null) one.setAttribute(state, String(here));
      if (text) write(one, text);
      if (here) chosen = one;
    }
    if (part.part === "story") chosen?.scrollIntoView({ block: "nearest" });
    putFirst(place, part.part === "choice" || part.part === "tabs" ? chosen : undefined);
    // a button that has nothing to do any more passes the focus on: JupyterLab takes keys that nobody has
    if (held.disabled && place.contains(held)) place.querySelector("button[tabindex='0']")?.focus();
  }

  /** Return the element of a part, made now or before, and up to date. */
  return function show(part) {
    const from = describe(part);
    let there = made.get(part.name);
    if (there?.from !== from) {
      there = { from, place: MAKE[part.part](part) };
      made.set(part.name, there);
    }
    update(part, there.place);
    return there.place;
  };
}

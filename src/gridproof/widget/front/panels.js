// What each mode shows: above the tabs, below the board, and in the panel of each tab.

const MODES = { set: "Set", solve: "Solve", teach: "Teach" };
const TABS = {
  set: [["rules", "Rules"], ["add", "Add"], ["why", "Why"], ["out", "Out"]],
  solve: [["rules", "Rules"], ["why", "Why"], ["steps", "Steps"], ["out", "Out"]],
  teach: [["rules", "Rules"], ["steps", "Steps"], ["out", "Out"]],
};
const SHOWN = [["nothing", "Clues only"], ["candidates", "True candidates"], ["solution", "Solution"]];
const CHECKS = [["nothing", "Mark nothing"], ["clashes", "Only clashes"], ["wrong", "Wrong entries"]];
const COPIES = [["link", "Link"], ["text", "Text"], ["toml", "TOML"], ["iss", "ISS"], ["svg", "SVG"], ["png", "PNG"]];

/** What typing makes in each mode: the first is that to begin with, Alt makes the second. */
export const TYPING = {
  set: [["clue", "Clues"], ["mark", "Candidates"]],
  solve: [["entry", "Digits"], ["corner", "Corner"], ["note", "Centre"], ["colour", "Colours"]],
  teach: [],
};
export const COLOURS = ["grey", "red", "orange", "yellow", "green", "teal", "blue", "purple", "ink"];

/** Return the tabs of a mode. */
export function tabsOf(mode) {
  return TABS[mode];
}

/** Return the tab with which a mode begins. */
export function firstTab(mode, page) {
  const worthReading = page.about[2] || page.rules.length || page.unread.length;
  if (mode === "set") return worthReading ? "rules" : "add";
  return mode === "teach" ? "steps" : worthReading ? "rules" : "steps";
}

function choice(name, label, choices, value) {
  return { part: "choice", name, label, choices, value };
}

function bar(name, label, choices) {
  return { part: "buttons", name, label, choices };
}

/** The parts above the state: the modes, and other puzzles. */
export function partsOnTop({ page, mode }) {
  const parts = [];
  if (page.modes.length > 1) parts.push(choice("mode", "what the board is for", page.modes.map((one) => [one, MODES[one]]), mode));
  if (page.modes.includes("set")) parts.push(bar("file", "other puzzles", [["new", "New \u2026"], ["open", "Open \u2026"]]));
  return parts;
}

/** The parts below the board: what typing makes, the pad, and the history. */
export function partsBelow({ page, mode, typing }) {
  if (mode === "teach") return [];
  const pad = typing === "colour"
    ? COLOURS.map((colour, number) => [String(number + 1), "\u25a0", false, colour])
    : page.symbols.map((text, number) => [String(number + 1), text]);
  pad.push(["0", "\u232b", false, "erase"]);
  const history = [["undo", "Undo", !page.undo], ["redo", "Redo", !page.redo], ["clear", mode === "set" ? "Clear" : "Start again"]];
  return [
    choice("typing", "what typing makes", TYPING[mode], typing),
    bar(typing === "colour" ? "paint" : "pad", "digits", pad),
    bar("do", "history", history),
  ];
}

/** The parts of the panel of a tab. */
export function partsOfPanel(tab, state) {
  return { rules: partsOfRules, add: partsOfAdd, why: partsOfWhy, steps: partsOfSteps, out: partsOfOut }[tab](state);
}

function partsOfRules({ page, mode, opened }) {
  const parts = [];
  if (mode === "set") parts.push(bar("rules-do", "the puzzle", [["about", "Title and words \u2026"], ["clear_rules", "Clear rules", !page.rules.length]]));
  if (page.unread.length) parts.push({ part: "folded", name: "unread", label: `not read (${page.unread.length})`, lines: page.unread });
  parts.push({ part: "lines", name: "houses", lines: [page.houses] });
  parts.push({ part: "rules", name: "rule", label: "rules of the puzzle", rules: page.rules, kinds: page.kinds, value: opened?.rule ?? "" });
  return parts;
}

function partsOfAdd({ palette, opened }) {
  // while a form is open, the palette is folded: the form has the place
  if (opened) return [];
  return [{ part: "kinds", name: "kind", label: "kinds of rules", groups: palette }];
}

function partsOfWhy({ page, mode, show, lines }) {
  const parts = [];
  if (mode === "set") {
    parts.push(choice("show", "what is shown of the solutions", SHOWN, show));
    parts.push(bar("why-do", "reasons", [["why", "Why?"]]));
  }
  parts.push({ part: "lines", name: "sentences", lines });
  for (const [number, [label, names]] of page.lists.entries()) {
    parts.push({ part: "folded", name: `list-${number}`, label, lines: names });
  }
  return parts;
}

function partsOfSteps(state) {
  const { page, mode, check, clean } = state;
  const story = { part: "story", name: "line", label: "the step, line by line", lines: page.story, value: page.line ?? "" };
  if (mode === "teach") return [...partsOfLesson(state), story];
  const hint = page.level ? `Hint ${Math.min(3, page.level + 1)} of 3` : "Hint";
  return [
    bar("steps-do", "solving", [["next", hint, page.level > 2], ["apply", "Take the step", !page.level]]),
    story,
    choice("check", "entries that are marked", CHECKS, check),
    { part: "switch", name: "clean", label: "Tidy marks", about: "a digit takes its marks away where its houses see them", value: clean },
  ];
}

function partsOfLesson({ page, place }) {
  const first = place < 1;
  const end = place >= page.last;
  const ways = [["first", "|\u25c0", first, "the step before"], ["back", "\u25c0 Back", first], ["forward", "Forward \u25b6", end], ["last", "\u25b6|", end, "the next step"]];
  return [{ part: "slider", name: "place", label: "line of the lesson", last: page.last, value: place, words: page.badges[0][0] }, bar("steps-do", "steps", ways)];
}

function partsOfOut({ links, refusals }) {
  const copies = COPIES.map(([what, text]) => [what, text, what in refusals, refusals[what] ?? ""]);
  const refused = COPIES.filter(([what]) => what in refusals).map(([what, text]) => `${text}: ${refusals[what]}.`);
  const parts = [bar("copy", "Copy", copies)];
  if (refused.length) parts.push({ part: "lines", name: "refused", lines: refused });
  return [...parts, { part: "links", name: "links", links }];
}

// The page: it starts the workers, and passes messages between them, the board, the tabs and the panels.

import { Analysis } from "./analysis.js";
import { Answer } from "./answers.js";
import boardView from "./board.js";
import { FORMS, saveLink, toPng, waysFor } from "./giving.js";
import { BoardModel } from "./model.js";
import { Storage, newTab } from "./storage.js";
import { Tabs } from "./tabs.js";

const find = (name) => document.getElementById(name);
const storage = new Storage();
const texts = new Map(); // what was opened in tabs that have no board yet
let answer = null;
let jobs = 0;
document.documentElement.classList.add("started");

// ---- the workers ----------------------------------------------------------------------------------------------------

const boards = makeWorker("./board_worker.js");
const analysis = new Analysis({
  makeWorker: () => makeWorker("./analysis_worker.js"),
  onFinding,
  onFailure: fail,
});
boards.onmessage = ({ data: { message, content } }) => take(message, content);
boards.onerror = (event) => {
  event.preventDefault?.();
  fail(event.message || "a worker did not start");
};

function makeWorker(name) {
  try {
    return new Worker(new URL(name, import.meta.url), { type: "module" });
  } catch (problem) {
    fail(problem.message);
    throw problem;
  }
}

function post(message, content) {
  boards.postMessage({ message, content });
}

function fail(words) {
  find("state").textContent = `Python did not start or broke off (${words}). Reload the page; if that does not help, use a current browser. What you typed is kept.`;
}

const TAKE = {
  ready: () => {
    document.documentElement.classList.add("ready");
    find("state").textContent = "";
    // from now on the page opens without a network; not everywhere, and it works without
    navigator.serviceWorker?.register("offline.js").catch(() => {});
  },
  failed: ({ words }) => fail(words),
  changed: ({ values }) => show(values),
  message: ({ message }) => model.takeMessage(message),
  work: ({ number }, content) => analysis.begin("board", number, content),
  job: (_, content) => analysis.begin("job", ++jobs, content),
  saved: keep,
  exported: give,
  refused: refuse,
};

function take(message, content) {
  TAKE[message.kind](message, content);
}

function onFinding(lane, number, { values, content, ended }) {
  if (lane === "board") {
    if (content) post({ do: "take", number }, content);
    return;
  }
  if (values?.puzzle) openTab({ text: values.puzzle });
  if (values?.problem) find("job-problem").textContent = values.problem;
  else if (values && !values.done) answer.add(values, content);
  if (ended) find("stop").hidden = true;
}

// ---- the board ------------------------------------------------------------------------------------------------------

const model = new BoardModel(post);
let drawn = false;

function show(values) {
  model.takeValues(values);
  if (!drawn && model.get("page")) {
    drawn = true;
    boardView.render({ model, el: find("board") });
  }
}

// ---- tabs, storage and address --------------------------------------------------------------------------------------

const tabs = new Tabs(find("tabs"), { onShow: (tab) => showTab(tab), onClose: closeTab });
const opened = new Set(); // the tabs whose board is in the worker
let address = "";

function openTab(values, { push = true } = {}) {
  const tab = newTab();
  texts.set(tab, values.text ?? decodeAddress(values.address) ?? "");
  opened.add(tab);
  tabs.put(tab, "…");
  point(tab, "", push);
  post({ do: "open", tab, ...values });
}

function showTab(tab, { push = true } = {}) {
  const entry = storage.list().find((one) => one.tab === tab);
  point(tab, entry?.address ?? "", push);
  if (opened.has(tab)) {
    post({ do: "show", tab });
  } else {
    opened.add(tab);
    post({ do: "open", tab, saved: entry?.saved });
  }
}

function closeTab(tab) {
  const names = tabs.names();
  const place = names.indexOf(tab);
  tabs.remove(tab);
  storage.forget(tab);
  const next = names[place + 1] ?? names[place - 1];
  if (tab === tabs.shown) {
    if (next) showTab(next);
    else openTab({});
  }
  post({ do: "close", tab });
  opened.delete(tab);
}

// the tab on the screen, and its puzzle in the address
function point(tab, to, push) {
  tabs.show(tab);
  storage.set("shown", tab);
  if (to !== address) {
    address = to;
    answer?.compare(to);
    find("given").hidden = true; // it was of the puzzle before
  }
  const url = to ? `#${to}` : location.pathname + location.search;
  if (push) history.pushState({ tab }, "", url);
  else history.replaceState({ tab }, "", url);
}

function keep({ tab, title, address: to, saved }) {
  texts.delete(tab);
  if (!storage.keep({ tab, title, address: to, saved })) {
    find("state").textContent = "This browser does not store the puzzle: keep the address, or save it as TOML.";
  }
  tabs.put(tab, title);
  if (tab === tabs.shown) point(tab, to, false);
  document.title = `${title} - gridproof`;
}

addEventListener("popstate", ({ state }) => {
  if (state?.tab && tabs.names().includes(state.tab)) showTab(state.tab, { push: false });
  else if (location.hash.slice(1)) openTab({ address: location.hash.slice(1) }, { push: false });
});

function decodeAddress(text) {
  try {
    return text && decodeURIComponent(text);
  } catch {
    return text;
  }
}

// ---- open -----------------------------------------------------------------------------------------------------------

const box = find("text");
box.value = storage.get("text");
box.addEventListener("input", () => storage.set("text", box.value));
find("open").addEventListener("click", () => openText(box.value));
find("new").addEventListener("click", () => openTab({}));

function openText(text) {
  find("text-problem").textContent = "";
  if (text.trim()) openTab({ text });
  else find("text-problem").textContent = "There is nothing to open: paste a puzzle or a link first.";
}

function refuse({ do: what, tab, words }) {
  if (what === "export") {
    find("out-problem").textContent = words;
    return;
  }
  if (what === "job") {
    find("job-problem").textContent = words;
    return;
  }
  if (what !== "open") {
    find("state").textContent = words;
    return;
  }
  find("text-problem").textContent = words;
  box.value = texts.get(tab) || box.value;
  storage.set("text", box.value);
  opened.delete(tab);
  closeTab(tab);
  box.focus();
}

addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", () => document.body.classList.remove("dropping"));
addEventListener("drop", async (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const [file] = event.dataTransfer.files;
  if (file && /\.zip$/i.test(file.name)) check(file);
  else if (file) openText(await file.text());
  else openText(event.dataTransfer.getData("text"));
});

// ---- give away ------------------------------------------------------------------------------------------------------

for (const [what, words] of FORMS) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = words;
  made.dataset.form = what;
  made.addEventListener("click", () => {
    find("out-problem").textContent = "";
    if (what === "address") give({ what, text: location.href, file: "", link: false });
    else post({ do: "export", what: what === "png" ? "svg" : what, shown_as: what });
  });
  find("forms").append(made);
}

async function give({ what, shown_as: shownAs = what, text, file, link }) {
  const isPicture = shownAs === "png";
  find("given-text").value = text;
  find("given-text").hidden = isPicture;
  const ways = isPicture ? [saveLink(await toPng(text), "puzzle.png")] : waysFor({ what, text, file, link });
  find("given-ways").replaceChildren(...ways);
  find("given").dataset.form = shownAs;
  find("given").hidden = false;
  ways[0].focus();
}

// ---- questions ------------------------------------------------------------------------------------------------------

function ask(name, values = {}, content = undefined) {
  find("job-problem").textContent = "";
  find("stop").hidden = false;
  answer = new Answer(find("answer"), address);
  post({ do: "job", name, ...values }, content);
}

// what a question needs besides the puzzle
const VALUES = {
  candidates: () => ({ most: Math.max(1, Number(find("most").value) || 1) }),
  make: () => ({ grade: find("grade").value }),
};

for (const made of document.querySelectorAll("[data-job]")) {
  made.addEventListener("click", () => {
    const name = made.dataset.job;
    ask(name, VALUES[name]?.());
  });
}
find("stop").addEventListener("click", () => {
  analysis.end("job");
  find("stop").hidden = true;
});
find("check").addEventListener("click", () => find("certificate").click());
find("certificate").addEventListener("change", ({ target }) => {
  if (target.files.length) check(target.files[0]);
  target.value = "";
});

async function check(file) {
  ask("check", {}, new Uint8Array(await file.arrayBuffer()));
}

// ---- the beginning --------------------------------------------------------------------------------------------------

function begin() {
  if (typeof WebAssembly !== "object") {
    fail("this browser has no WebAssembly");
    return;
  }
  const entries = storage.list();
  for (const { tab, title } of entries) tabs.put(tab, title);
  const wanted = location.hash.slice(1);
  const shown = storage.get("shown");
  const here = entries.find(({ tab, address: to }) => tab === shown && (!wanted || wanted === to));
  const same = entries.find(({ address: to }) => to === wanted);
  if (here ?? (wanted ? same : undefined)) showTab((here ?? same).tab, { push: false });
  else if (wanted) openTab({ address: wanted }, { push: false });
  else if (entries.length) showTab(entries.at(-1).tab, { push: false });
  else openTab({}, { push: false });
}

begin();

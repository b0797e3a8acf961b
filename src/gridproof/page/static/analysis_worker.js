// A worker that finds things. Between two findings it gives way, so that the work that came last is begun.

import { loadPyodide } from "./python/pyodide.mjs";
import { findAll, startPython } from "./python.js";
import { readBeside } from "./files.js";

// what is imported, and done once, before there is work
const WARM_UP = `
from gridproof.page import findings
from gridproof import read_puzzle
for _ in findings.begin(findings.pack(("look", read_puzzle("1... ..2. .3.. ...4", rules=["killer 5 r1c2 r1c3"])))):
    pass
`;

let wanted = null; // the number of the work that came last
let waiting = null; // that work, if it is not begun
let busy = false;
const starting = start();

async function start() {
  const python = await startPython({ loadPyodide, indexURL: new URL("./python/", import.meta.url).href, read: readBeside });
  python.runPython(WARM_UP);
  postMessage({ ready: true });
  return python;
}

onmessage = ({ data }) => {
  wanted = data.number;
  waiting = data.packed;
  if (!busy) work();
};

async function work() {
  busy = true;
  try {
    const python = await starting;
    while (waiting) {
      const packed = waiting;
      waiting = null;
      await find(python, wanted, packed);
    }
  } catch (problem) {
    postMessage({ number: wanted, failed: String(problem) });
  }
  busy = false;
}

async function find(python, number, packed) {
  postMessage({ number, begun: true });
  for (const { values, content } of findAll(python, packed)) {
    if (values || content.length) postMessage({ number, values, content }, [content.buffer]);
    await giveWay();
    if (wanted !== number) return;
  }
  postMessage({ number, ended: true });
}

// let the messages in that have come
const { port1, port2 } = new MessageChannel();
let go = null;
port1.onmessage = () => go();
function giveWay() {
  return new Promise((resolve) => {
    go = resolve;
    port2.postMessage(null);
  });
}

starting.catch((problem) => postMessage({ failed: String(problem), start: true }));

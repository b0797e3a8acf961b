// The worker that has the boards: each message of the page is done at once, whatever is being found elsewhere.

import { loadPyodide } from "./python/pyodide.mjs";
import { openBoards, startPython } from "./python.js";
import { readBeside } from "./files.js";

const starting = start();

async function start() {
  const python = await startPython({ loadPyodide, indexURL: new URL("./python/", import.meta.url).href, read: readBeside });
  const handle = openBoards(python, (message, content) => {
    postMessage({ message, content }, content.length ? [content.buffer] : []);
  });
  postMessage({ message: { kind: "ready" } });
  return handle;
}

onmessage = async ({ data: { message, content } }) => {
  try {
    const handle = await starting;
    handle(message, content);
  } catch (problem) {
    postMessage({ message: { kind: "failed", words: String(problem) } });
  }
};

starting.catch((problem) => postMessage({ message: { kind: "failed", words: String(problem), start: true } }));

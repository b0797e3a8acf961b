// The CPU time of the page's analysis, in Node: node benchmarks/page_engine.mjs FOLDER_OF_THE_PAGE < fpuzzles.jsonl
// Unlike the times of the clock it hardly depends on what else the machine does. Drawing and messages are not in it.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(`${folder}/python/pyodide.mjs`));
const { startPython } = await import(pathToFileURL(`${folder}/python.js`));
const read = async (name) => new Uint8Array(readFileSync(`${folder}/${name}`)).buffer;

function milliseconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const before = milliseconds();
const python = await startPython({ loadPyodide, indexURL: `${folder}/python/`, read });
console.log(`start of Python: ${Math.round(milliseconds() - before)} ms of CPU time`);
python.globals.set("milliseconds", milliseconds);
python.globals.set("given", readFileSync(0, "utf8"));
python.runPython(readFileSync(fileURLToPath(new URL("page_engine.py", import.meta.url)), "utf8"));

// Runs Python as a page has it, in Node: node verbs.mjs FOLDER_OF_THE_PAGE PROGRAM.py < INPUT, which the program prints about.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, program] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/python/pyodide.mjs`));
const { startPython } = await import(pathToFileURL(`${folder}/python.js`));
const read = async (name) => new Uint8Array(readFileSync(`${folder}/${name}`)).buffer;
const python = await startPython({ loadPyodide, indexURL: `${folder}/python/`, read });
python.globals.set("given", readFileSync(0, "utf8"));
python.runPython(readFileSync(program, "utf8"));

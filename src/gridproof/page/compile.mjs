// Has Pyodide compile the modules of archives: node compile.mjs FOLDER_OF_PYODIDE FROM.zip TO.zip [FROM.zip TO.zip ...]

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, ...archives] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: folder });
python.FS.writeFile("compiling.py", readFileSync(new URL("compiling.py", import.meta.url)));
for (let place = 0; place < archives.length; place += 2) {
  python.FS.writeFile("from.zip", readFileSync(archives[place]));
  python.runPython(`
from pathlib import Path
from compiling import compile_archive
compile_archive(Path("from.zip"), Path("to.zip"), "gridproof")
`);
  writeFileSync(archives[place + 1], python.FS.readFile("to.zip"));
}

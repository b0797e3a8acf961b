// Starts Python in a worker, or in Node: the interpreter, our package from its archive, and what each worker runs.

const LIBRARY = "/gridproof";

// read: returns the bytes of a file beside the page, as an ArrayBuffer
export async function startPython({ loadPyodide, indexURL, read }) {
  const [python, archive] = await Promise.all([loadPyodide({ indexURL }), read("library.zip")]);
  python.unpackArchive(archive, "zip", { extractDir: LIBRARY });
  python.runPython(`import sys; sys.path.insert(0, "${LIBRARY}")`);
  return python;
}

// The boards: `handle(message, bytes)` does what a message is for, and `post(message, bytes)` is called with others.
export function openBoards(python, post) {
  const boards = python.pyimport("gridproof.page.boards").Boards((text, content) => {
    post(JSON.parse(text), toBytes(content));
  });
  return (message, content) => boards.handle(JSON.stringify(message), python.toPy(content ?? new Uint8Array()));
}

// Work on what was packed: an iterator of findings, each with `values` and `content`, or nothing but room for others.
export function* findAll(python, packed) {
  const findings = python.pyimport("gridproof.page.findings").begin(python.toPy(packed));
  try {
    for (const finding of findings) {
      const content = toBytes(finding.content);
      const values = finding.text ? JSON.parse(finding.text) : null;
      finding.destroy();
      yield { values, content };
    }
  } finally {
    findings.close();
    findings.destroy();
  }
}

// Python's bytes as an array of its own
function toBytes(content) {
  const bytes = content.toJs();
  content.destroy();
  return bytes;
}

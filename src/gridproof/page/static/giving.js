// The puzzle in other forms: text that can be copied, saved or opened, and pictures.

export const FORMS = [
  ["sudokupad", "SudokuPad"], ["f-puzzles", "f-puzzles"], ["iss", "ISS"], ["toml", "TOML"], ["text", "Text"],
  ["svg", "SVG"], ["png", "PNG"], ["print", "Print"], ["address", "Address of this page"],
];

const TYPES = { svg: "image/svg+xml", toml: "text/plain", text: "text/plain", iss: "text/plain", print: "text/html" };

const IN_NEW_TAB = { target: "_blank", rel: "noopener noreferrer" };

// the ways in which a form can be taken along, as links and buttons
export function waysFor({ what, text, file, link }) {
  const ways = [];
  const blob = new Blob([text], { type: TYPES[what] ?? "text/plain" });
  if (link) ways.push(makeLink("Open", text, IN_NEW_TAB));
  if (what === "print") ways.push(makeLink("Open the page to print", URL.createObjectURL(blob), IN_NEW_TAB));
  if (file) ways.push(saveLink(blob, file));
  ways.push(copyButton(text));
  return ways;
}

export function saveLink(blob, file) {
  return makeLink(`Save ${file}`, URL.createObjectURL(blob), { download: file });
}

function makeLink(words, href, attributes) {
  const made = document.createElement("a");
  made.textContent = words;
  made.href = href;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function copyButton(text) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = "Copy";
  made.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      made.textContent = "Copied";
    } catch {
      made.textContent = "Not copied: select the text, and copy it";
    }
  });
  return made;
}

// a picture in twice its size, as a blob
export async function toPng(svg) {
  const drawn = new Image();
  drawn.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await drawn.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * drawn.width;
  canvas.height = 2 * drawn.height;
  canvas.getContext("2d").drawImage(drawn, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

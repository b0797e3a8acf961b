// Copies of the puzzle: on the clipboard, or, where the page may not write there, in a field and as a file.

import { element } from "./elements.js";

/** Make the places of copies. told: is called with what was copied. */
export function makeOut(told) {
  const text = element("textarea", { class: "gp-copied", readonly: true, "aria-label": "copied text", hidden: true });
  const image = element("a", { class: "gp-image", hidden: true });

  /** Return the picture in twice its size. */
  async function pngOf(svg) {
    const picture = new Image();
    picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await picture.decode();
    const canvas = element("canvas", { width: 2 * picture.width, height: 2 * picture.height });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }

  async function take(what, copied) {
    const blob = what === "png" ? await pngOf(copied) : null;
    text.hidden = image.hidden = true;
    text.value = copied;
    try {
      if (blob) await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      else await navigator.clipboard.writeText(copied);
      told(`Copied: ${what}.`);
    } catch {
      // the page may not write to the clipboard: what was to be copied stands there instead
      if (blob) {
        Object.assign(image, { href: URL.createObjectURL(blob), download: "board.png", textContent: "Save the picture", hidden: false });
        image.focus();
      } else {
        text.hidden = false;
        text.select();
      }
    }
  }
  return { places: [text, image], take };
}

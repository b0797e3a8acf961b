// The page's half of steps: a slider that shows one of them on the board. What the steps are was found in Python.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const made = (space, tag, attributes, text = "") => {
    const element = space ? document.createElementNS(SVG, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  };

  // the pictures, each of which is made when it is shown, from what changes from one to the next
  function unpack({ parts, changes }) {
    let now = [];
    return changes.map((changed) => {
      now = [...now];
      for (const [start, gone, come] of changed) now.splice(start, gone, ...come);
      const here = now;
      return () => here.map((part) => parts[part]).join("");
    });
  }

  function begin(root) {
    root.dataset.live = "yes";
    const { columns, board, frame, symbols, clues, fonts, steps, pictures } = JSON.parse(root.dataset.steps);
    const drawings = pictures ? unpack(pictures) : [];
    const [left, top, side] = frame;
    const given = new Set(clues);
    const quiet = { "data-lm-suppress-shortcuts": "true" }; // JupyterLab takes arrows for itself without this
    const slider = made(false, "input", {
      ...quiet, type: "range", min: 0, max: steps.length - 1, value: 0, "aria-label": "step",
    });
    const spoken = made(false, "output", { "aria-live": "polite" });
    const over = made(true, "g", { "font-family": fonts, "text-anchor": "middle" });
    root.querySelector(".gp-board").innerHTML = board; // in place of the image, which nothing can be drawn into
    root.querySelector(".gp-board svg").append(over);
    const live = root.querySelector(".gp-live");
    for (const [label, by] of [["back", -1], ["forward", 1]]) {
      const button = made(false, "button", { ...quiet, type: "button", "aria-label": label }, by < 0 ? "\u25c0" : "\u25b6");
      button.addEventListener("click", () => { slider.value = Number(slider.value) + by; show(); });
      live.append(button);
    }
    live.append(slider, spoken);
    slider.addEventListener("input", show);
    root.querySelector(".gp-words").hidden = true;
    live.hidden = false;
    show();

    function middle(cell) {
      return [left + ((cell % columns) + 0.5) * side, top + (Math.floor(cell / columns) + 0.5) * side];
    }
    function write(cell, text, font, name) {
      const [x, y] = middle(cell);
      over.append(made(true, "text", { x, y: y + 0.355 * font, "font-size": font, class: name }, text));
    }
    function square(cell, name, more) {
      const [x, y] = middle(cell);
      over.append(made(true, "rect", {
        x: x - side / 2 + 2, y: y - side / 2 + 2, width: side - 4, height: side - 4, class: name, ...more,
      }));
    }
    function show() {
      const number = Number(slider.value);
      const [words, , chosen, , marked] = steps[number];
      if (drawings.length) root.querySelector(".gp-board").innerHTML = drawings[number]();
      const filled = new Map();
      const path = [];
      for (let place = number; place >= 0; place = steps[place][1]) path.unshift(steps[place]);
      for (const step of path) for (const [cell, symbol] of [...(step[2] ? [step[2]] : []), ...step[3]]) filled.set(cell, symbol);
      over.replaceChildren();
      if (chosen) square(chosen[0], "gp-chosen", { "fill-opacity": 0.6 });
      for (const cell of marked) square(cell, "gp-dead", { "stroke-width": 3 });
      for (const [cell, symbol] of filled)
        if (!given.has(cell)) write(cell, symbols[symbol], 0.6 * side / Math.max(1, 0.6 * symbols[symbol].length), "gp-forced");
      // the first picture of a search is the board before it
      spoken.textContent = drawings.length ? `${number + 1} of ${steps.length}: ${words}` : `${number} of ${steps.length - 1}: ${words}`;
      slider.setAttribute("aria-valuetext", spoken.textContent);
    }
  }

  document.querySelectorAll(".gp-steps:not([data-live])").forEach(begin);
})();

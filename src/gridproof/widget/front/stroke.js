// What is being drawn: a line through the chosen cells, or a border around them, before the rule is added.

import { drawn } from "./elements.js";

/** Make the drawing over the picture. */
export function makeStroke() {
  return drawn("svg", { class: "gp-stroke", "aria-hidden": "true" });
}

/** Draw what a form is about to add. group: the group of its kind; strokes: the chosen cells, in lines. */
export function showStroke(place, group, strokes, rows, columns) {
  place.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
  place.replaceChildren();
  const cells = strokes.flat();
  if (!group || !cells.length) return;
  if (group === "Lines") {
    for (const stroke of strokes) drawLine(place, stroke, columns);
  } else if (group === "Cages" || group === "In cells") {
    place.append(drawn("path", { d: borderOf(cells, columns), class: "gp-dashed" }));
  } else if (group === "Between cells") {
    const middle = cells.map((cell) => middleOf(cell, columns)).reduce(([x, y], [a, b]) => [x + a / cells.length, y + b / cells.length], [0, 0]);
    place.append(drawn("circle", { cx: middle[0], cy: middle[1], r: 0.16 }));
  } else if (group === "Outside the grid") {
    drawLine(place, cells, columns);
  }
}

function drawLine(place, cells, columns) {
  const points = cells.map((cell) => middleOf(cell, columns).join()).join(" ");
  const [x, y] = middleOf(cells[0], columns);
  place.append(drawn("polyline", { points }), drawn("circle", { cx: x, cy: y, r: 0.2 }));
}

function middleOf(cell, columns) {
  return [(cell % columns) + 0.5, Math.floor(cell / columns) + 0.5];
}

/** Return the sides of cells that no other of these cells has. */
function borderOf(cells, columns) {
  const inside = new Set(cells);
  let path = "";
  for (const cell of cells) {
    const [x, y] = [cell % columns, Math.floor(cell / columns)];
    if (!inside.has(cell - columns)) path += `M${x} ${y}h1`;
    if (!inside.has(cell + columns)) path += `M${x} ${y + 1}h1`;
    if (x === 0 || !inside.has(cell - 1)) path += `M${x} ${y}v1`;
    if (x === columns - 1 || !inside.has(cell + 1)) path += `M${x + 1} ${y}v1`;
  }
  return path;
}

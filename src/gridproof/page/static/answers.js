// Answers to the questions of the page, as they come.

import { saveLink } from "./giving.js";

export class Answer {
  constructor(place, address) {
    this.place = place;
    this.address = address; // of the puzzle that it is about
    place.replaceChildren();
    this.rows = new Map();
    this.equal = 0;
  }

  add(values, content) {
    if (values.numbers) this.addNumbers(values);
    else if (values.equal) this.addLine(`${values.equal.join(" = ")}`);
    else if (values.words) this.addLine(values.words);
    else if (values.file) this.addFile(values, content);
    else if (values.report) this.addReport(values);
  }

  // the puzzle on the screen is another one now
  compare(address) {
    this.note?.remove();
    if (address === this.address || !this.place.hasChildNodes()) return;
    this.note = document.createElement("p");
    this.note.textContent = "This is about the puzzle as it was before:";
    this.place.prepend(this.note);
  }

  addLine(words) {
    const line = document.createElement("p");
    line.textContent = words;
    this.place.append(line);
  }

  // a table like the board: in each cell its symbols, each with the number of its solutions
  addNumbers({ cell, numbers }) {
    const [, row] = /^r(\d+)c(\d+)$/.exec(cell);
    if (!this.table) {
      this.table = document.createElement("table");
      this.table.className = "numbers";
      this.table.setAttribute("aria-label", "solutions of each candidate");
      this.place.append(this.table);
    }
    if (!this.rows.has(row)) this.rows.set(row, this.table.insertRow());
    const made = this.rows.get(row).insertCell();
    made.title = cell;
    for (const [symbol, number] of numbers) {
      const line = document.createElement("div");
      line.textContent = `${symbol}: ${number}`;
      made.append(line);
    }
  }

  addFile({ claim, file }, content) {
    this.addLine(`Proven: ${claim}.`);
    this.place.append(saveLink(new Blob([content], { type: "application/zip" }), file));
  }

  addReport({ accepted, report }) {
    const text = document.createElement("pre");
    text.textContent = report;
    text.dataset.accepted = String(accepted);
    this.place.append(text);
  }
}

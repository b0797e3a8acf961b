// The puzzles that are open, as tabs: by mouse, and by keys as tabs have them.

export class Tabs {
  // onShow(tab), onClose(tab)
  constructor(place, { onShow, onClose }) {
    this.place = place;
    this.onShow = onShow;
    this.onClose = onClose;
    this.titles = new Map();
    this.shown = null;
    place.addEventListener("keydown", (event) => this.move(event));
  }

  put(tab, title) {
    this.titles.set(tab, title);
    this.draw();
  }

  remove(tab) {
    this.titles.delete(tab);
    this.draw();
  }

  show(tab) {
    this.shown = tab;
    this.draw();
  }

  names() {
    return [...this.titles.keys()];
  }

  draw() {
    const held = this.place.contains(document.activeElement);
    const made = [];
    for (const [tab, title] of this.titles) {
      const isShown = tab === this.shown;
      const choose = document.createElement("button");
      choose.type = "button";
      choose.role = "tab";
      choose.textContent = title;
      choose.title = title;
      choose.tabIndex = isShown ? 0 : -1;
      choose.dataset.tab = tab;
      choose.setAttribute("aria-selected", String(isShown));
      choose.setAttribute("aria-controls", "board");
      choose.addEventListener("click", () => this.onShow(tab));
      const close = document.createElement("button");
      close.type = "button";
      close.textContent = "×";
      close.tabIndex = -1;
      close.setAttribute("aria-label", `close ${title}`);
      close.addEventListener("click", () => this.onClose(tab));
      const both = document.createElement("span");
      both.className = "tab";
      both.role = "presentation";
      both.append(choose, close);
      made.push(both);
    }
    this.place.replaceChildren(...made);
    if (held) this.place.querySelector("[aria-selected=true]")?.focus();
  }

  move(event) {
    const names = this.names();
    const now = names.indexOf(this.shown);
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: names.length - 1 }[event.key];
    if (event.key === "Delete") this.onClose(this.shown);
    else if (to === undefined) return;
    else this.onShow(names[(to + names.length) % names.length]);
    event.preventDefault();
  }
}

// The puzzles of the page in the storage of the browser: an entry for each tab, so that two windows do not overwrite
// each other's. What cannot be stored is kept as long as the page is open.

const PREFIX = "gridproof.tab.";

export class Storage {
  constructor(local = globalThis.localStorage, session = globalThis.sessionStorage) {
    this.local = local;
    this.session = session;
    this.unstored = new Map();
  }

  // each tab as { tab, title, address, saved }, in the order in which they were opened
  list() {
    const found = new Map(this.unstored);
    for (let number = 0; number < this.local.length; number++) {
      const key = this.local.key(number);
      if (!key.startsWith(PREFIX)) continue;
      const entry = parse(this.local.getItem(key));
      if (entry) found.set(entry.tab, entry);
    }
    return [...found.values()].sort((one, other) => one.tab.localeCompare(other.tab));
  }

  // returns whether it will be there after a reload
  keep(entry) {
    try {
      this.local.setItem(PREFIX + entry.tab, JSON.stringify(entry));
      this.unstored.delete(entry.tab);
      return true;
    } catch {
      this.unstored.set(entry.tab, entry);
      return false;
    }
  }

  forget(tab) {
    this.unstored.delete(tab);
    this.local.removeItem(PREFIX + tab);
  }

  // the tab that this window shows, and the text in its box
  get(name) {
    return this.session.getItem(`gridproof.${name}`) ?? "";
  }

  set(name, value) {
    try {
      this.session.setItem(`gridproof.${name}`, value);
    } catch {
      // a longer text than the storage takes is lost by a reload
    }
  }
}

// a name that sorts behind all earlier ones
export function newTab(now = Date.now()) {
  return `${String(now).padStart(15, "0")}-${Math.random().toString(36).slice(2, 8)}`;
}

function parse(text) {
  try {
    const entry = JSON.parse(text);
    return typeof entry.tab === "string" ? entry : null;
  } catch {
    return null;
  }
}

// What `board.js` shows: values by name, and messages. In Jupyter this is a model of anywidget; here a worker is behind it.

const EMPTY = { mode: "set", show: "nothing", check: "nothing", clean: true, place: 0, page: null };

export class BoardModel {
  constructor(post) {
    this.post = post; // sends a message to the worker
    this.values = { ...EMPTY };
    this.changed = new Set();
    this.listeners = new Map();
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    if (this.values[name] === value) return;
    this.values[name] = value;
    this.changed.add(name);
  }

  save_changes() {
    for (const name of this.changed) this.post({ do: "set", name, value: this.values[name] });
    this.changed.clear();
  }

  on(event, listener) {
    if (!this.listeners.has(event)) this.listeners.set(event, new Set());
    this.listeners.get(event).add(listener);
  }

  off(event, listener) {
    this.listeners.get(event)?.delete(listener);
  }

  send(content) {
    this.post({ do: "send", content });
  }

  // ---- what the worker sends

  takeValues(values) {
    Object.assign(this.values, values);
    for (const name of Object.keys(values)) this.emit(`change:${name}`);
  }

  takeMessage(content) {
    this.emit("msg:custom", content);
  }

  emit(event, ...values) {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(...values);
  }
}

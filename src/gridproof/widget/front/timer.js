// The time that a solver has taken. It can be hidden, and stands still while nobody looks at the page.

import { element, write } from "./elements.js";

/** Make a timer: a button that hides the time or shows it. */
export function makeTimer() {
  const place = element("button", { type: "button", class: "gp-timer", title: "hide or show the time", click: () => timer.toggle() });
  let seconds = 0;
  let ticking = null;
  let hidden = false;
  const timer = { place, run, stop, restart, toggle, show };

  function show() {
    const minutes = Math.floor(seconds / 60);
    write(place, hidden ? "\u23f1" : `${minutes}:${String(seconds % 60).padStart(2, "0")}`);
    place.setAttribute("aria-label", hidden ? "show the time" : `time ${minutes} minutes ${seconds % 60} seconds; hide it`);
  }
  function toggle() {
    hidden = !hidden;
    show();
  }
  function restart() {
    seconds = 0;
    show();
  }
  function run() {
    ticking ??= setInterval(() => {
      if (!document.hidden && place.isConnected) seconds += 1;
      show();
    }, 1000);
  }
  function stop() {
    clearInterval(ticking);
    ticking = null;
  }
  show();
  return timer;
}

// Keeps the files of the page, so that it opens without a network. The version changes whenever one of them does.

const VERSION = "";
const PREFIX = "gridproof-";

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
self.addEventListener("fetch", (event) => event.respondWith(answer(event.request)));

async function keep() {
  const { files } = await (await fetch("files.json")).json();
  const cache = await caches.open(PREFIX + VERSION);
  await cache.addAll(["./", ...files]);
  await self.skipWaiting();
}

async function forgetOthers() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== PREFIX + VERSION) await caches.delete(name);
  }
}

async function answer(request) {
  const cache = await caches.open(PREFIX + VERSION);
  const kept = await cache.match(request, { ignoreSearch: true });
  return kept ?? fetch(request);
}

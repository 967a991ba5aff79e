// Links that hold a file, and files of the reader's own. A link may come from anybody: what is in it
// is text, of no more than a megabyte, and nothing is decided before somebody asks for it.

const MOST = 1 << 20; // bytes

async function through(bytes, stream, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new Error("it holds more than a megabyte");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function toBase64url(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text) {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Error("it is damaged");
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
}

// fragment is the part of a link that holds a file: #v=VERSION&z=TEXT.
export async function fragment(shared, version) {
  const text = new TextEncoder().encode(JSON.stringify(shared));
  if (text.length > MOST) throw new Error("the file is longer than a megabyte");
  const packed = await through(text, new CompressionStream("deflate-raw"));
  return `#v=${encodeURIComponent(version)}&z=${toBase64url(packed)}`;
}

// shared reads such a part. It is null if there is no file in it.
export async function shared(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const z = fields.get("z");
  if (z === null) return null;
  const text = await through(fromBase64url(z), new DecompressionStream("deflate-raw"), MOST);
  return { ...checked(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text))), version: fields.get("v") ?? "" };
}

// checked takes from what a link holds what it should hold.
function checked(it) {
  if (typeof it?.text !== "string") throw new Error("it holds no file");
  const texts = list => Array.isArray(list) ? list.filter(t => typeof t === "string").slice(0, 10_000) : [];
  const params = Object.entries(it.game?.params ?? {}).filter(([, v]) => Number.isSafeInteger(v) || typeof v === "boolean");
  return {
    path: typeof it.path === "string" && /^[\w./ -]{1,200}\.sow$/.test(it.path) ? it.path : "game.sow", text: it.text,
    game: {
      variant: typeof it.game?.variant === "string" ? it.game.variant : "", params: Object.fromEntries(params),
      start: typeof it.game?.start === "object" ? it.game.start : null, setup: Number.isSafeInteger(it.game?.setup) ? it.game.setup : 0, moves: texts(it.game?.moves),
      lines: Array.isArray(it.game?.lines) ? it.game.lines.slice(0, 100).map(texts) : [],
    },
  };
}

// save hands a file to the reader.
export function save(path, text) {
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  a.download = path.split("/").at(-1);
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}

// open reads a file of the reader's.
export async function open(file) {
  if (file.size > MOST) throw new Error("the file is longer than a megabyte");
  return { path: /\.sow$/.test(file.name) ? file.name : "game.sow", text: await file.text() };
}

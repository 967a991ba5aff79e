// The page: what goes from the editor to the board and the claims, and from links and files to the
// editor.

import { Claims } from "./claims.js";
import { Compare } from "./compare.js";
import { Coverage } from "./coverage.js";
import { button, byId, el, say, toast } from "./dom.js";
import { Editor } from "./editor.js";
import { Engine, Stopped } from "./engine.js";
import { choose, examples } from "./examples.js";
import { Exercise } from "./exercise.js";
import first from "./first.sow";
import { help } from "./help.js";
import blank from "./new.sow";
import { fragment, open, save, shared } from "./share.js";
import { Table } from "./table.js";

const PAUSE = 250, READING = 10_000; // milliseconds: after the last key, and for a text at most

const engine = new Engine("mancheck.wasm");
let path = "first_game.sow", version = "", timer = 0, checking = 0;

const source = () => ({ path, text: editor.text });
const editor = new Editor(byId("editor"), {
  onchange: later,
  oncomplete: at => told({ ask: "complete", at }),
  onhover: at => told({ ask: "hover", at }),
});
const table = new Table({ box: byId("board"), title: byId("game"), buttons: byId("board-buttons"), engine, source, onrule: at => editor.glow(at), onplace: at => { panel("editor-panel"); editor.select(at); }, onchange: keep });
const claims = new Claims({
  box: byId("claims"), tally: byId("tally"), buttons: byId("claims-buttons"), engine, source,
  onplay: (play, claim) => { panel("board-panel"); table.evidence(play, claim).then(() => byId("board").querySelector("[data-key=forward]")?.focus()); },
  onplace: at => { panel("editor-panel"); editor.select(at); },
  ondecided: (text, right) => exercise.decided(text, right),
});
const coverage = new Coverage({
  box: byId("coverage"), button: byId("cover"), engine, source, game: () => table.game,
  mark: places => editor.idle(places), onplace: at => { panel("editor-panel"); editor.look(at); },
});
const compare = new Compare({
  dialog: byId("comparison"), library: byId("library"), opener: byId("compare"), engine, source, game: () => table.game, known,
  onplay: (play, name) => { panel("board-panel"); table.evidence(play, name); },
});
const exercise = new Exercise({ box: byId("exercise"), source });

// told is what the tool says of a place in the text, or null.
const told = question => engine.reader.ask({ ...question, source: source() }, { topic: question.ask, most: READING }).then(answer => answer.error ? null : answer, () => null);

// unlink drops the link from the address: the text is not that of the link any longer.
function unlink() {
  if (location.hash !== "") history.replaceState(null, "", location.pathname);
}

// later checks a text when nothing is typed any more.
function later() {
  unlink();
  coverage.changed();
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
}

// check reads the text, and shows what follows from it.
async function check() {
  clearTimeout(timer);
  const turn = ++checking, text = source();
  try {
    if (/^\s*import\b/m.test(text.text)) await known();
    const checked = await engine.reader.ask({ ask: "check", source: text }, { topic: "check", most: READING });
    if (turn !== checking) return;
    if (checked.error) throw new Error(checked.error);
    editor.diagnose(checked.diagnostics);
    mistakes(checked.diagnostics);
    claims.update(checked, text.text);
    exercise.update(text.text);
    await table.update(checked);
    keep();
  } catch (e) {
    if (turn !== checking || e instanceof Stopped && e.message === "superseded") return;
    unread(e.message);
    claims.update({ read: false, claims: [] }, text.text);
    table.unknown(`The text is not read: ${e.message}`);
  }
}

// keep lets the text outlive a reload of the page, and nothing else.
function keep() {
  try {
    sessionStorage.setItem("text", JSON.stringify({ path, text: editor.text, game: table.game, origin: compare.origin(path) }));
  } catch { /* there is no room, or no permission */ }
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem("text"));
  } catch {
    return null;
  }
}

// known gives the tool the files that a text may import.
let given = null;
function known() {
  given ??= examples().then(files => engine.provide(files));
  given.catch(() => { given = null; });
  return given;
}

// unread says that a text was not read. That is no mistake in it.
function unread(reason) {
  const badge = byId("mistakes");
  Object.assign(badge, { hidden: false, disabled: true, className: "badge warn", textContent: "not read", title: reason });
  badge.setAttribute("aria-label", `not read: ${reason}`);
}

function mistakes(list) {
  const badge = byId("mistakes"), errors = list.filter(d => d.severity === "error").length, rest = list.length - errors;
  badge.hidden = list.length === 0 && editor.text.trim() === ""; // nothing is said of nothing
  badge.className = errors > 0 ? "badge" : rest > 0 ? "badge warn" : "badge fine";
  badge.textContent = errors > 0 ? counted(errors, "mistake") : rest > 0 ? counted(rest, "remark") : "no mistakes";
  badge.title = list[0]?.message ?? "";
  badge.setAttribute("aria-label", list.length > 0 ? `${badge.textContent}: ${list[0].message}. Show them` : badge.textContent);
  badge.disabled = list.length === 0;
  badge.onclick = () => { panel("editor-panel"); editor.explain(list[0]); };
}

const counted = (n, what) => n === 1 ? `1 ${what}` : `${n} ${what}s`;

// show puts a file into the editor.
async function show(file, game) {
  path = file.path;
  byId("path").textContent = path;
  claims.forget();
  compare.opened(path, file.origin ?? file.text);
  exercise.open();
  editor.open(path, file.text);
  coverage.clear();
  table.place(game ?? {}, { at: game?.moves?.length ?? 0 });
  await check();
}

function panel(id) {
  document.querySelector("main").dataset.panel = id;
  for (const b of document.querySelectorAll(".tabs button")) b.setAttribute("aria-pressed", b.dataset.panel === id);
}

async function share() {
  const dialog = byId("link");
  try {
    const part = await fragment({ path, text: editor.text, game: table.game }, version);
    history.replaceState(null, "", part);
    const address = el("input", { type: "text", readonly: true, value: location.href, "aria-label": "Link", id: "address" });
    const copy = () => navigator.clipboard.writeText(location.href).then(() => toast("The link is copied"), () => { address.select(); toast("Copy it by the keyboard"); });
    dialog.replaceChildren(el("div", { class: "line" }, el("h2", { id: "link-title" }, "Share by link"), el("span", { class: "spring" }), button("Close", () => dialog.close())),
      el("p", {}, "The link itself holds the file, the game and its moves. Nothing is stored anywhere else."), el("div", { class: "line" }, address),
      el("div", { class: "line" }, button("Copy", copy, { class: "first" }), el("span", { class: "note" }, `${location.href.length.toLocaleString("en")} characters`)));
    dialog.showModal();
    address.select();
  } catch (e) {
    toast(`There is no link: ${e.message}`);
  }
}

// received shows what a link holds, if it holds a file or names an example.
async function received() {
  try {
    const name = new URLSearchParams(location.hash.slice(1)).get("example");
    if (name !== null) {
      const files = await examples();
      if (!Object.hasOwn(files, name)) throw new Error(`there is no example ${name}`);
      panel("board-panel");
      await show({ path: name, text: files[name] });
      return true;
    }
    const it = await shared(location.hash);
    if (!it) return false;
    panel("board-panel");
    await show(it, it.game);
    if (it.version !== version) toast(`The link was made by version ${it.version || "unknown"}; this is ${version}.`);
    return true;
  } catch (e) {
    toast(`The link cannot be opened: ${e.message}`);
    return false;
  }
}

// fresh is a name that no file has had in this page.
let files = 0;
function fresh() { return files++ === 0 ? "game.sow" : `game${files}.sow`; }

async function opened() {
  const [file] = byId("file").files;
  byId("file").value = "";
  if (file) await take(file);
}

// take shows a file of the reader's.
async function take(file) {
  try {
    const read = await open(file);
    unlink();
    await show(read);
  } catch (e) {
    toast(`The file cannot be opened: ${e.message}`);
  }
}

byId("examples").onclick = () => choose(byId("library"), (name, text) => { unlink(); show({ path: name, text }); }).catch(e => toast(e.message));
byId("new").onclick = () => { unlink(); show({ path: fresh(), text: blank }); };
byId("help").onclick = () => help(byId("guide"));
byId("open").onclick = () => byId("file").click();
byId("file").onchange = opened;
byId("save").onclick = () => { save(path, editor.text); say("The file is saved"); };
byId("share").onclick = share;
for (const b of document.querySelectorAll(".tabs button")) b.onclick = () => panel(b.dataset.panel);
addEventListener("hashchange", received);
addEventListener("dragover", e => e.preventDefault());
addEventListener("drop", e => {
  e.preventDefault();
  const [file] = e.dataTransfer.files;
  if (file) take(file);
});

engine.ready.then(async hello => {
  ({ version } = hello);
  table.dots = compare.dots = hello.dots;
  document.documentElement.dataset.ready = "true";
  performance.mark("ready");
  if (await received()) return;
  const last = kept();
  await show(last ?? { path, text: first }, last?.game);
}, e => toast(`The tool cannot be started: ${e.message}`));
byId("path").textContent = path;
if (!/[#&](z|example)=/.test(location.hash) && !kept()) editor.open(path, first);

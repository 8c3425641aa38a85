// The page, put together.

import { Analysis } from "./analysis.js";
import { Api, Refusal } from "./api.js";
import { decide } from "./decide.js";
import { announce, ask, notice, open, preferenceFields } from "./dialogs.js";
import { showDice } from "./dicepanel.js";
import { at, html } from "./dom.js";
import { clearHints, showHints } from "./hints.js";
import { clearLog, log } from "./log.js";
import { forget, play, presentGame, remember, remembered, rememberState } from "./kept.js";
import { NewGame } from "./newgame.js";
import { CHOICES, dress, preferences } from "./preferences.js";
import { Session } from "./session.js";
import { SetUp } from "./setup.js";
import { Table } from "./table.js";

dress();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);

let session = null;

const api = new Api({
  ontrouble: (text) => notice(text, { stays: true }),
  onwell: () => notice(""),
  asktoken: askToken,
});

const table = new Table({
  onact: act,
  onhint: hint,
  onevent: (event, spoken) => {
    log(event);
    if (spoken) announce(event.text);
  },
  onnew: () => newGame.open(),
});

const newGame = new NewGame(api, {
  onstart: (state, kept) => {
    remember(state.id, { ...kept, changed: state.changed });
    begin(state.id);
    table.takeFocus();
  },
  onleave: leaves,
  ongo: begin,
  onlook: looked,
  onsetup: (text) => setUp.open(text),
});

const setUp = new SetUp((text) => newGame.open(text));
const analysis = new Analysis(api);

/** Whether the person wants another game although one is not over. */
async function leaves() {
  const state = session?.state;
  if (!state || state.phase === "over") return true;
  const body = `The present one against ${state.players.bot.name} is not over. It is kept: “New game” has it under “Go on with another game”.`;
  return (await ask({ title: "Begin another game?", body, answers: [["no", "Cancel"], ["yes", "Begin", "primary"]] })) === "yes";
}

/** Goes over to a game. */
async function begin(id) {
  play(id);
  session?.close();
  table.clear();
  clearLog();
  clearHints();
  session = new Session(api, id, {
    onstate: (state, fresh, how) => {
      if (how === "told" && fresh.some((event) => event.by === "person")) notice("The game has gone on in another tab.");
      if (fresh.some((event) => event.game !== session.hinted?.game || event.number > session.hinted?.version)) clearHints();
      rememberState(state);
      table.follow(state, fresh, how);
      document.title = state.phase === "over" ? "bgai: backgammon" : `${state.players.person.name} – ${state.players.bot.name} ${state.score.person}–${state.score.bot}`;
    },
    onbusy: (busy) => table.setBusy(busy),
    onsay: (text) => notice(text),
    ongone: () => {
      forget(id);
      session?.close();
      session = null;
      table.clear();
      notice("The server does not keep that game any more. Begin a new one.");
      newGame.open();
    },
  });
  const opening = session;
  try {
    await opening.open();
  } catch (error) {
    if (opening === session) notice(error.message, { stays: true });
  }
}

async function act(action, more) {
  if (!session || session.busy) return;
  clearHints();
  const here = session;
  const done = await decide(here, action, more, { onback: () => action === "play" && table.reset() }).catch((error) => notice(error.message));
  if (!done && here === session) table.draw();
}

async function hint() {
  if (!session || session.busy) return;
  const here = session;
  table.setBusy(true, false);
  const shown = await showHints(here, (steps, put, chosen) => {
    table.showHint(steps, put);
    if (chosen) togglePanel(false);
  }).catch((error) => notice(error.message));
  if (here !== session) return;
  here.hinted = { game: here.state.game, version: here.state.version };
  table.setBusy(false);
  if (shown) {
    togglePanel(true, { hinting: true });
    announce(at("hints-body").innerText);
  }
}

/** The look was changed in a dialog. */
function looked(name) {
  if (name === "home") {
    table.fit();
    setUp.fit();
  }
  table.draw();
}

let tokenAsked = null;

/** The token from the person; several requests that need it share one question. */
function askToken(detail) {
  tokenAsked ??= questionOfToken(detail).finally(() => (tokenAsked = null));
  return tokenAsked;
}

async function questionOfToken(detail) {
  const field = html("input", { type: "password", autocomplete: "off", "aria-label": "Token" });
  await ask({ title: "This server asks for a token", body: [detail ?? "", field], answers: [["yes", "Go on", "primary"]] });
  return field.value.trim();
}

async function download() {
  const file = await api.get(`${session.path}/match.mat`, { read: (answer) => answer.blob() });
  const link = html("a", { href: URL.createObjectURL(file), download: fileName(session.state) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Who has played, and when it was begun, without what file systems do not take. */
function fileName({ players, created }) {
  const names = [players.person.name, players.bot.name].join(" - ");
  return `${names} ${created.slice(0, 16).replace("T", " ")}`.replace(/[\\/:*?"<>|]+/g, "-").concat(".mat");
}

// The menu and the panel; on a wide screen both are always there.

function toggle(button, part, on) {
  const shown = on ?? at(button).getAttribute("aria-expanded") !== "true";
  at(button).setAttribute("aria-expanded", String(shown));
  at(part).classList.toggle("open", shown);
}

/** `hinting`: on a small screen the hints alone. */
function togglePanel(on, { hinting = false } = {}) {
  toggle("open-panel", "panel", on);
  at("panel").classList.toggle("hinting", hinting);
  at("panel").scrollTop = 0;
}

const toggleMenu = (on) => toggle("open-menu", "menu", on);

function press(id, act) {
  at(id).addEventListener("click", () => {
    toggleMenu(false);
    Promise.resolve(act()).catch((error) => notice(error instanceof Refusal ? error.message : `${error.message ?? error}`));
  });
}

at("open-panel").addEventListener("click", () => togglePanel());
at("close-panel").addEventListener("click", () => {
  togglePanel(false);
  at("open-panel").focus();
});
at("open-menu").addEventListener("click", () => toggleMenu());
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest("#menu, #open-menu")) toggleMenu(false);
});
press("menu-new", () => newGame.open());
press("menu-setup", () => setUp.open(session?.state?.ids?.xgid ?? ""));
press("menu-resign", () => act("resign"));
press("menu-leave", () => act("leave"));
press("menu-analysis", () => analysis.open(session));
press("menu-download", download);
press("menu-dice", () => showDice(session, remembered(session.id)));
press("menu-settings", () => open("settings"));
at("settings-fields").append(...preferenceFields(Object.keys(CHOICES), looked));

at("type").addEventListener("submit", (event) => {
  event.preventDefault();
  const field = at("type-text");
  const wrong = table.type(field.value);
  at("type-error").textContent = wrong ?? "";
  if (!wrong) {
    field.value = "";
    togglePanel(false);
    at("do-confirm")?.focus();
  }
});

const KEYS = {
  r: ["do-roll"],
  d: ["do-double"],
  c: ["do-confirm"],
  u: ["do-undo"],
  backspace: ["do-undo"],
  h: ["do-hint"],
  a: ["do-take", "do-accept"],
  p: ["do-pass", "do-refuse"],
  b: ["do-beaver", "do-raccoon"],
  g: ["menu-resign"],
  n: ["do-next"],
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    toggleMenu(false);
    togglePanel(false);
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (preferences().keys === "off" || event.target.closest("input, textarea, select, dialog")) return;
  const key = event.key.toLowerCase(); // with Shift or Caps Lock, too
  if (key === "t" && !at("type").hidden) {
    event.preventDefault();
    togglePanel(true);
    at("type-text").focus();
    return;
  }
  const button = KEYS[key]?.map(at).find((one) => one && !one.disabled);
  if (!button) return;
  event.preventDefault();
  button.click();
});

// Another tab has gone over to another game: this one says so and stays where it is.
addEventListener("storage", (event) => {
  if (event.key !== "bgai.game" || !event.newValue || !session) return;
  if (JSON.parse(event.newValue).id !== session.id) notice("Another tab has gone over to another game. This one stays here.");
});

const last = presentGame();
if (last) begin(last);
else newGame.open();

// The dialog for a new game.

import { Refusal, pause } from "./api.js";
import { open, preferenceFields } from "./dialogs.js";
import { at, html } from "./dom.js";
import { readPosition } from "./position.js";
import { keepForm, lastForm } from "./preferences.js";

const LEVELS = [
  ["beginner", "beginner"],
  ["casual", "casual player"],
  ["intermediate", "intermediate"],
  ["advanced", "advanced"],
  ["expert", "expert"],
  ["0-ply", "0-ply: the network alone"],
  ["1-ply", "1-ply"],
  ["2-ply", "2-ply: looks two turns ahead"],
  ["3-ply", "3-ply: slow"],
];
const FOR = { match: ["length", "crawford"], money: ["games", "automatic_doubles", "jacoby", "beavers", "raccoons"] };
const NUMBERS = ["length", "games", "automatic_doubles"];

export class NewGame {
  /** `onstart(state, kept)` with the new game; `onlook()` when the look of the board changes. */
  constructor(api, { onstart, onlook, onsetup }) {
    Object.assign(this, { api, onstart });
    this.form = at("new-form");
    at("level").append(...LEVELS.map(([value, text]) => html("option", { value, selected: value === "0-ply" }, text)));
    this.onlook = onlook;
    this.form.addEventListener("input", () => this.fields());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
    at("new-setup").addEventListener("click", () => {
      at("new-game").close();
      onsetup(this.field("position").value);
    });
    at("new-game").addEventListener("close", () => this.asking?.abort());
    for (const [name, value] of Object.entries(lastForm())) {
      const field = this.field(name);
      if (!field) continue;
      if (field.type === "checkbox") field.checked = value;
      else field.value = value;
    }
  }

  /** A field by its name. (`elements.length` is not the field of that name.) */
  field(name) {
    return this.form.elements.namedItem(name);
  }

  open(position = "") {
    at("new-look").replaceChildren(at("new-look").querySelector("legend"), ...preferenceFields(["board", "checkers", "home"], this.onlook));
    this.field("position").value = position;
    at("new-position").open = position !== "";
    this.field("player_seed").value = randomWords();
    at("new-error").textContent = "";
    this.fields();
    open("new-game");
    this.commit();
  }

  fields() {
    const placed = this.field("position").value.trim() !== "";
    for (const kind of ["match", "money"]) {
      const part = this.form.querySelector(`[data-for=${kind}]`);
      part.hidden = this.field("kind").value !== kind;
      for (const field of part.querySelectorAll("input, select")) field.disabled = part.hidden;
    }
    if (this.field("kind").value === "money") this.field("raccoons").disabled = !this.field("beavers").checked;
    this.field("play_as").disabled = !placed;
    // A position that brings its own match decides what is played.
    const found = readPosition(this.field("position").value);
    const carries = found?.carries;
    for (const radio of this.field("kind")) radio.disabled = Boolean(carries);
    if (!carries) return;
    for (const name of ["length", "crawford", "jacoby", ...(carries === "xgid" ? ["beavers"] : [])]) this.field(name).disabled = true;
    const kind = found.length ? "match" : "money";
    if (this.field("kind").value !== kind) {
      this.field("kind").value = kind;
      this.fields();
    }
    if (found.length) this.field("length").value = found.length;
    this.field("jacoby").checked = !found.length && Boolean(found.rule & 1);
    if (carries === "xgid") this.field("beavers").checked = !found.length && Boolean(found.rule & 2);
    this.field("raccoons").disabled = !this.field("beavers").checked;
  }

  /** The server's promise, before anything else of the game is known to it. */
  async commit() {
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    this.commitment = null;
    at("new-commitment").textContent = "…";
    try {
      const { commitment } = await this.api.post("/commitments", {}, { signal: asking.signal });
      this.commitment = commitment;
      at("new-commitment").textContent = commitment;
    } catch (error) {
      if (!asking.signal.aborted) at("new-error").textContent = error.message;
    }
  }

  wish() {
    const kind = this.field("kind").value;
    const wish = { kind, level: this.field("level").value };
    const fields = [...FOR[kind], "cube", "automatic_roll", "hints", "tutor"];
    for (const name of fields) {
      const field = this.field(name);
      if (field.disabled) continue;
      if (field.type === "checkbox") wish[name] = field.checked;
      else if (field.value !== "") wish[name] = NUMBERS.includes(name) ? Number(field.value) : field.value;
    }
    if (this.field("name").value.trim()) wish.name = this.field("name").value.trim();
    if (this.field("player_seed").value) wish.player_seed = this.field("player_seed").value;
    const position = this.field("position").value.trim();
    if (position) Object.assign(wish, { position, play_as: this.field("play_as").value });
    // A FIBS board brings its match, too, but only the server reads it.
    if (/^board:/i.test(position)) for (const name of ["kind", ...FOR.match, ...FOR.money]) delete wish[name];
    return wish;
  }

  async start() {
    if (this.starting || !this.form.reportValidity()) return;
    this.starting = true;
    at("new-start").disabled = true;
    at("new-error").textContent = "";
    try {
      await this.create();
    } catch (error) {
      if (this.asking.signal.aborted) return;
      at("new-error").textContent = error.message;
      if (error instanceof Refusal) await this.commit();
    } finally {
      this.starting = false;
      at("new-start").disabled = false;
    }
  }

  /** Asks for the game; when the answer is lost the next try has a fresh promise, since each serves once. */
  async create() {
    const { signal } = this.asking;
    const wish = this.wish();
    for (let tries = 0; ; tries++) {
      if (!this.commitment) await this.commit();
      const body = { ...wish, commitment: this.commitment };
      try {
        const state = await this.api.post("/games", body, { once: true, signal: this.asking.signal });
        const { kind, length, games, automatic_doubles, level } = wish;
        const ticks = Object.fromEntries(
          ["crawford", "jacoby", "beavers", "raccoons", "cube", "automatic_roll", "hints", "tutor"].map((name) => [name, this.field(name).checked]),
        );
        keepForm(without({ kind, length, games, automatic_doubles, level, name: this.field("name").value, ...ticks }));
        at("new-game").close();
        this.onstart(state, { id: state.id, commitment: body.commitment, playerSeed: wish.player_seed ?? null });
        return;
      } catch (error) {
        if (error instanceof Refusal || signal.aborted) throw error;
        at("new-error").textContent = "The server does not answer. Trying again …";
        await pause(Math.min(8000, 600 * 2 ** tries), signal);
        await this.commit();
      }
    }
  }
}

function without(form) {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
}

/** A seed that nobody knows before; the person may write another. */
function randomWords() {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return [...bytes].map((byte) => byte.toString(36).padStart(2, "0")).join("");
}

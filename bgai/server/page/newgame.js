// The dialog for a new game.

import { Refusal, pause } from "./api.js";
import { open, preferenceFields } from "./dialogs.js";
import { at, html } from "./dom.js";
import { otherGames } from "./kept.js";
import { readFibs, readPosition } from "./position.js";
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
  /**
   * `onstart(state, kept)` with the new game; `onleave()` before it, false if the person stays with the present one; `ongo(id)` to go
   * on with another; `onlook()` when the look of the board changes.
   */
  constructor(api, { onstart, onleave, ongo, onlook, onsetup }) {
    Object.assign(this, { api, onstart, onleave, ongo });
    this.opened = null; // ends what is under way when the dialog closes
    this.promise = null; // the commitment of the next game, once the server has been asked
    this.asked = 0; // how often the server was asked for the next game
    this.drawn = ""; // what this browser has put into the seed
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
    at("new-game").addEventListener("close", () => this.opened.abort());
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
    this.field("player_seed").value = "";
    at("new-error").textContent = "";
    this.fields();
    this.others();
    open("new-game");
    this.opened?.abort();
    this.opened = new AbortController();
    this.renew();
  }

  /** The games that can be gone on with. */
  others() {
    const games = otherGames();
    const rows = games.map(({ id, title, standing, when, over }) =>
      html(
        "li",
        {},
        html("span", {}, html("b", {}, title), html("small", {}, standing), html("small", {}, when)),
        html("button", { type: "button", onclick: () => (at("new-game").close(), this.ongo(id)) }, over ? "Look" : "Go on"),
      ),
    );
    at("new-others").hidden = !rows.length;
    at("new-others").open = games.some(({ over }) => !over);
    at("new-others-list").replaceChildren(...rows);
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
    const found = readPosition(this.field("position").value) ?? readFibs(this.field("position").value);
    const carries = found?.carries;
    for (const radio of this.field("kind")) radio.disabled = Boolean(carries);
    at("new-carried").hidden = !carries;
    if (!carries) return;
    const given = { xgid: ["beavers"], gnubg: [], fibs: [...FOR.match, ...FOR.money] }[carries];
    for (const name of ["length", "crawford", "jacoby", ...given]) this.field(name).disabled = true;
    const kind = found.length ? "match" : "money";
    if (this.field("kind").value !== kind) {
      this.field("kind").value = kind;
      this.fields();
    }
    if (found.length) this.field("length").value = found.length;
    if (carries === "fibs") return;
    this.field("jacoby").checked = !found.length && Boolean(found.rule & 1);
    if (carries === "xgid") this.field("beavers").checked = !found.length && Boolean(found.rule & 2);
    this.field("raccoons").disabled = !this.field("beavers").checked;
  }

  /** The server's promise of its seed for the next game, asked for once. */
  promised() {
    if (this.promise) return this.promise;
    const { signal } = this.opened;
    at("new-commitment").textContent = "…";
    const promise = this.api.post("/commitments", {}, { signal }).then(({ commitment }) => {
      if (!signal.aborted) at("new-commitment").textContent = commitment;
      return commitment;
    });
    promise.catch((error) => {
      if (this.promise === promise) this.promise = null;
      if (!signal.aborted) at("new-error").textContent = error.message;
    });
    this.promise = promise;
    return promise;
  }

  /**
   * Another promise, and with it another seed of the person's: the server has heard the old one and could choose its own
   * by it. Words that the person has written stay, with new ones after them.
   */
  renew() {
    this.draw();
    this.promise = null;
    this.promised();
  }

  draw() {
    const field = this.field("player_seed");
    const own = this.drawn && field.value.endsWith(this.drawn) ? field.value.slice(0, -this.drawn.length) : field.value;
    this.drawn = randomWords();
    field.value = `${own.trim().slice(0, field.maxLength - this.drawn.length - 1)} ${this.drawn}`.trim();
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
    if (!this.field("player_seed").value.trim()) this.draw();
    wish.player_seed = this.field("player_seed").value;
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
    const { signal } = this.opened;
    try {
      if (await this.onleave()) await this.create(signal);
    } catch (error) {
      if (!signal.aborted) at("new-error").textContent = error.message;
    } finally {
      this.starting = false;
      at("new-start").disabled = false;
    }
  }

  /** Asks for the game until there is an answer, each time with a fresh promise, since each serves once. */
  async create(signal) {
    for (let tried = 0; ; tried++) {
      const commitment = await this.promised();
      const wish = this.wish();
      this.asked += 1;
      try {
        const state = await this.api.post("/games", { ...wish, commitment }, { tries: 1, signal });
        this.begun(state, wish, commitment);
        return;
      } catch (error) {
        if (!signal.aborted) this.renew();
        if (error instanceof Refusal || signal.aborted) throw error;
        at("new-error").textContent = `${error.message} Trying again …`;
        await pause(Math.min(8000, 600 * 2 ** tried), signal);
      }
    }
  }

  begun(state, wish, commitment) {
    const { kind, length, games, automatic_doubles, level } = wish;
    const ticks = Object.fromEntries(
      ["crawford", "jacoby", "beavers", "raccoons", "cube", "automatic_roll", "hints", "tutor"].map((name) => [name, this.field(name).checked]),
    );
    keepForm(without({ kind, length, games, automatic_doubles, level, name: this.field("name").value, ...ticks }));
    const kept = { commitment, playerSeed: wish.player_seed, asked: this.asked };
    this.asked = 0;
    at("new-game").close();
    this.onstart(state, kept);
  }
}

function without(form) {
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
}

/** A seed that nobody knows before. */
function randomWords() {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return [...bytes].map((byte) => byte.toString(36).padStart(2, "0")).join("");
}

// The table: the board with what happens on it, whose turn it is, and the buttons. It shows a session and says what
// the person wants; asking back and the tutor come between (see decide.js).

import { Board, placeLabels } from "./board.js";
import { announce } from "./dialogs.js";
import { at, counted, html } from "./dom.js";
import { BOT_BAR, BOT_OFF, OFF } from "./geometry.js";
import { moves, preferences } from "./preferences.js";
import { Turn, stepped } from "./turn.js";
import { pause } from "./api.js";

const START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0];
const FLIGHT = 300; // milliseconds of one step
const LOOK = 650; // how long a roll is looked at
const MOST = 12; // events that are shown one by one; of more only the outcome

/** A step of the network as the person counts it. */
const mirrored = ([from, to]) => ({ from: from === 25 ? BOT_BAR : 25 - from, to: to === 0 ? BOT_OFF : 25 - to });
const ownPlaces = ([from, to]) => ({ from, to: to === 0 ? OFF : to });

export class Table {
  /** `onact(action, more)`: a button; `onhint()`; `onevent(event)` when an event is shown. */
  constructor({ onact, onhint, onevent, onnew }) {
    Object.assign(this, { onact, onhint, onevent, onnew });
    this.board = new Board(at("board"), {
      onchoose: (place) => this.choose(place),
      ondrag: (from, to) => this.drag(from, to),
    });
    this.clear();
    new ResizeObserver(() => this.fit()).observe(at("stage"));
    this.fit();
  }

  clear() {
    this.state = null;
    this.turn = null;
    this.selected = null;
    this.shown = START;
    this.rolled = null;
    this.last = [];
    this.hint = [];
    this.busy = false;
    this.thinking = false;
    this.refocus = false; // whether the next buttons get the focus that the last ones had
    this.playing = Promise.resolve();
    this.waiting = 0;
    this.flying = false;
    this.draw();
  }

  fit() {
    const stage = at("stage");
    this.board.fit(stage.clientWidth, stage.clientHeight, preferences().home);
  }

  /** Shows what has happened, one after the other, then how things stand. */
  follow(state, fresh, how) {
    this.state = state;
    this.waiting += 1;
    const quick = how === "opened" || fresh.length > MOST || document.hidden;
    this.playing = this.playing.then(async () => {
      for (const [place, event] of fresh.entries()) {
        // Where a position is given the opening throw plays no part.
        const given = event.event === "start" && fresh[place + 1]?.event === "setup";
        if (!quick && !given) await this.happen(event);
        else if (event.dice && !given) this.rolled = { by: event.by, dice: event.dice };
        if (event.event === "play") this.last = event.by === "bot" ? event.steps.map(mirrored) : [];
        if (["start", "setup"].includes(event.event)) this.last = [];
        this.onevent(event, how !== "opened");
      }
      this.waiting -= 1;
      if (this.waiting === 0) this.settle();
    });
  }

  /** One event, with movement. */
  async happen(event) {
    this.endTurn();
    if (event.event === "start" || event.event === "setup") {
      this.shown = event.board ?? START;
      this.rolled = event.dice ? { by: event.event === "start" ? "both" : "setup", dice: event.dice } : null;
      this.draw();
      await this.wait(LOOK);
    } else if (event.event === "roll") {
      this.rolled = { by: event.by, dice: event.dice };
      this.draw();
      await this.wait(event.by === "bot" ? LOOK : LOOK / 2);
    } else if (event.event === "play") {
      const own = event.by === "person";
      if (event.board.some((many, place) => many !== this.shown[place])) {
        for (const step of event.steps) {
          const { from, to } = own ? ownPlaces(step) : mirrored(step);
          this.flying = true;
          await this.board.fly(own ? "own" : "bot", from, to, moves() ? FLIGHT : 0);
          this.flying = false;
          this.shown = own ? stepped(this.shown, step[0], step[1]) : botStepped(this.shown, step);
          this.draw();
        }
      }
      this.shown = event.board;
      if (this.rolled) this.rolled.done = true;
      this.draw();
      if (!event.steps.length) await this.wait(LOOK);
    }
  }

  wait(milliseconds) {
    return moves() ? pause(milliseconds) : Promise.resolve();
  }

  /** What is left of a turn that was being made is forgotten. */
  endTurn() {
    this.selected = null;
    this.hint = [];
    if (this.turn) this.shown = this.turn.board;
    this.turn = null;
  }

  /** Everything as the server has it. */
  settle() {
    const { state } = this;
    if (!state) return;
    if (this.turn && state.phase === "play" && this.version === state.version) return;
    this.endTurn();
    this.version = state.version;
    this.shown = state.board;
    if (state.phase === "play") {
      this.turn = new Turn(state);
      this.rolled = { by: "person", dice: state.dice };
    } else if (!state.dice && this.rolled) this.rolled.done = true;
    if (["between games", "over"].includes(state.phase)) this.rolled = null;
    this.draw();
  }

  /** While busy nothing can be done; `thinking`: the network is at it, not a hint. */
  setBusy(busy, thinking = busy) {
    this.busy = busy;
    this.thinking = thinking;
    this.draw();
  }

  // The turn.

  get ready() {
    return this.turn !== null && !this.busy && this.waiting === 0;
  }

  choose(place) {
    if (!this.ready) return;
    const { turn } = this;
    const target = place === OFF ? 0 : place;
    if (place === null || place === this.selected) this.selected = null;
    else if (this.selected !== null && turn.targets(this.selected).has(target)) this.step(this.selected, target);
    else if (turn.sources.has(place)) {
      this.selected = place;
      this.hint = [];
      const ways = [...turn.targets(place).keys()].map((to) => (to === 0 ? "off" : to));
      announce(`${place === 25 ? "Bar" : `Point ${place}`} selected. It can go to ${ways.join(", ")}.`);
    } else this.selected = null;
    this.draw();
  }

  drag(from, to) {
    if (!this.ready) return;
    if (to === null) {
      this.selected = from;
      this.hint = [];
    } else {
      const target = to === OFF ? 0 : to;
      if (to !== from && this.turn.targets(from).has(target)) this.step(from, target);
      else this.selected = null;
    }
    this.draw();
  }

  step(from, to) {
    this.turn.move(from, to);
    this.changed(`${from === 25 ? "Bar" : from} to ${to === 0 ? "off" : to}.`);
  }

  /** The turn is another one than before. */
  changed(said) {
    this.selected = null;
    this.hint = [];
    announce(this.turn.complete ? `${said} The play is complete: ${this.turn.play.play}. Confirm it or take it back.` : said);
    this.draw();
    if (this.turn.complete && preferences().confirm === "auto") this.confirm();
  }

  undo() {
    if (!this.ready || !this.turn.moves.length) return;
    this.turn.undo();
    this.changed("Taken back.");
  }

  reset() {
    if (!this.turn) return;
    this.turn.reset();
    this.changed("Taken back.");
  }

  confirm() {
    if (!this.ready || !this.turn.complete) return;
    this.onact("play", { steps: this.turn.steps.map(({ from, to }) => [from, to]) });
  }

  /** A play in words; what is wrong with it, or null. */
  type(text) {
    if (!this.ready) return "There is no roll to play now.";
    const wrong = this.turn.type(text);
    if (!wrong) this.changed(`${text}.`);
    return wrong;
  }

  /** Shows a play of the hints by arrows, or puts it on the board. */
  showHint(steps, put) {
    if (!this.turn || this.waiting) return;
    this.turn.reset();
    this.selected = null;
    if (put) {
      this.turn.put(steps);
      this.changed("The hint is on the board.");
    } else {
      this.hint = steps.map((step) => ({ ...ownPlaces(step), kind: "hint" }));
      this.draw();
    }
  }

  // Drawing.

  draw() {
    this.drawControls();
    if (this.flying) return; // it is drawn when the checker has landed
    const { turn, selected } = this;
    const board = turn ? turn.board : this.shown;
    const sources = this.ready ? turn.sources : new Set();
    const targets = new Set();
    if (turn && selected !== null) for (const to of turn.targets(selected).keys()) targets.add(to === 0 ? OFF : to);
    let arrows = this.hint;
    const untouched = !turn?.moves.length && selected === null && !arrows.length;
    if (untouched && preferences().arrows === "on" && ["roll", "play", "answer"].includes(this.state?.phase) && this.waiting === 0) {
      arrows = this.last.map((step) => ({ ...step, by: "bot", kind: "last" }));
    }
    this.board.show({ board, dice: this.dice(), cube: this.cube(), sources, targets, selected, arrows, labels: placeLabels(board, selected, sources, targets) });
    this.drawPlayers(board);
  }

  dice() {
    if (this.turn) return this.turn.shown.map((die) => ({ ...die, own: true }));
    if (!this.rolled || (this.state?.phase === "answer" && !this.waiting)) return [];
    const { by, dice, done } = this.rolled;
    if (by === "both") return [{ value: dice[0], own: true }, { value: dice[1], own: false }];
    if (by === "setup") return [];
    const shown = dice[0] === dice[1] ? [dice[0], dice[0], dice[0], dice[0]] : dice;
    return shown.map((value) => ({ value, own: by === "person", used: done }));
  }

  cube() {
    const { state } = this;
    if (!state) return { value: 64, owner: null };
    if (!state.rules.cube || state.crawford) return null;
    const { value, owner } = state.cube;
    const offered = state.phase === "answer";
    // In the middle a real cube lies with its 64 up.
    return { value: offered ? 2 * value : value === 1 ? 64 : value, owner, offered };
  }

  drawPlayers(board) {
    const { state } = this;
    const pips = (sign) => board.reduce((sum, many, place) => sum + Math.max(0, sign * many) * (sign > 0 ? place : 25 - place), 0);
    for (const [who, sign] of [["bot", -1], ["person", 1]]) {
      const strip = at(who);
      const text = (name, words) => (strip.querySelector(`.${name}`).textContent = words);
      // The bot's name has the level in it where that is not 0-ply.
      text("name", state?.players[who].name.replace(`:${state.players.bot.level}`, "") ?? (who === "bot" ? "bgai" : "You"));
      text("level", who === "bot" && state ? state.players.bot.level : "");
      text("score", state ? `${state.score[who]}${state.rules.length ? ` of ${state.rules.length}` : ""}` : "");
      text("pips", state ? counted(pips(sign), "pip") : "");
      strip.querySelector(".score").setAttribute("aria-label", state ? counted(state.score[who], "point") : "");
      const acts = who === "bot" ? this.thinking : !this.thinking && ["roll", "play", "answer", "resignation"].includes(state?.phase);
      strip.classList.toggle("active", acts);
    }
    at("contest").textContent = state ? contest(state) : "";
  }

  drawControls() {
    const { state, turn } = this;
    const ended = state && this.waiting === 0 && ["between games", "over"].includes(state.phase);
    at("banner").hidden = !ended;
    if (ended) at("banner").replaceChildren(html("b", {}, ending(state)), html("span", {}, score(state)));
    const still = state !== null && this.waiting === 0;
    at("status").textContent = this.status(still);
    this.tell();
    const buttons = still ? this.buttons() : [];
    const old = document.activeElement?.id ?? "";
    const had = old.startsWith("do-") || (this.refocus && document.activeElement === document.body);
    at("actions").replaceChildren(
      ...buttons.map(([id, text, act, { kind = "", off = false } = {}]) =>
        html("button", { type: "button", id: `do-${id}`, class: kind, disabled: off || (this.busy && id !== "new"), onclick: act }, text),
      ),
    );
    // While the bot thinks or checkers fly no button can be pressed: the focus waits for the next one.
    const able = had ? [...at("actions").querySelectorAll("button:enabled")] : [];
    const next = able.find((button) => button.id === old) ?? able.find((button) => button.classList.contains("primary")) ?? able[0];
    next?.focus({ preventScroll: true });
    this.refocus = had && !next;
    const may = (state && still && !this.busy && state.may) || {};
    at("menu-resign").disabled = !may.resign?.length;
    at("menu-leave").disabled = !may.leave;
    for (const name of ["download", "dice"]) at(`menu-${name}`).disabled = !state;
    // Whoever does without the tutor does without the analysis until all is over.
    at("menu-analysis").disabled = !state || !(state.options.tutor || state.phase === "over");
    at("type").hidden = !(still && turn);
  }

  /** The next buttons get the focus. */
  takeFocus() {
    document.activeElement?.blur();
    this.refocus = true;
  }

  /** Reads out what the person has to do, once for each state of the game. */
  tell() {
    const { state } = this;
    if (!state || this.waiting || this.busy || this.told === state) return;
    this.told = state;
    announce(at("status").textContent);
  }

  status(still) {
    const { state, turn } = this;
    if (!state) return "No game yet.";
    const bot = state.players.bot.name;
    if (this.busy) return `${bot} …`;
    if (!still) return "";
    const { offer } = state;
    switch (state.phase) {
      case "roll":
        return state.may.double ? "Your turn: roll, or double first." : "Your turn: roll.";
      case "play":
        if (turn?.complete) return turn.play.play;
        return `You have ${state.dice.join("-")} to play.`;
      case "answer":
        return `A ${offer.kind === "double" && redoubles(state) ? "redouble" : offer.kind}: play on for ${offer.stake}, or pass and lose ${offer.points}?`;
      case "resignation":
        return `It resigns: accept ${counted(offer.points, "point")}${offer.value === "single" ? "" : ` for a ${offer.value}`}?`;
      case "between games":
        return "The next game?";
      case "over":
        return "All is over.";
      default:
        return "";
    }
  }

  buttons() {
    const { state, turn } = this;
    const { may } = state;
    const act = (action) => () => this.onact(action);
    const hint = ["hint", "Hint", () => this.onhint(), { off: !state.options.hints }];
    switch (state.phase) {
      case "roll":
        return [
          hint,
          ...(may.double ? [["double", redoubles(state) ? "Redouble" : "Double", act("double")]] : []),
          ["roll", "Roll", act("roll"), { kind: "primary" }],
        ];
      case "play":
        return [
          hint,
          ["undo", "Undo", () => this.undo(), { off: !turn?.moves.length }],
          ["confirm", "Confirm", () => this.confirm(), { kind: "primary", off: !turn?.complete }],
        ];
      case "answer":
        return [
          hint,
          ["pass", "Pass", act("pass")],
          ...["beaver", "raccoon"].filter((name) => may[name]).map((name) => [name, name === "beaver" ? "Beaver" : "Raccoon", act(name)]),
          ["take", "Take", act("take"), { kind: "primary" }],
        ];
      case "resignation":
        return [hint, ["refuse", "Refuse", act("refuse")], ["accept", "Accept", act("accept"), { kind: "primary" }]];
      case "between games":
        return [["next", "Next game", act("next game"), { kind: "primary" }]];
      case "over":
        return [
          ["check", "Check dice", () => at("menu-dice").click()],
          ["analyse", "Analysis", () => at("menu-analysis").click()],
          ["new", "New game", () => this.onnew(), { kind: "primary" }],
        ];
      default:
        return [];
    }
  }
}

/** Whether a double would be a redouble: somebody has the cube already. */
export const redoubles = (state) => state.cube.owner !== null;

function botStepped(board, [from, to]) {
  const turned = board.map((_, place) => -board[25 - place] || 0);
  return stepped(turned, from, to).map((_, place, after) => -after[25 - place] || 0);
}

/** What is played, in a few words. */
function contest(state) {
  const { rules } = state;
  if (rules.length) {
    const game = state.crawford ? "Crawford game" : `game ${state.game}`;
    return `${counted(rules.length, "point")} · ${game}`;
  }
  return `Money · game ${state.game}${state.games ? ` of ${state.games}` : ""}${rules.jacoby ? " · Jacoby" : ""}`;
}

function score({ score: { person, bot }, rules }) {
  return `Score ${person}–${bot}${rules.length ? ` in a match to ${rules.length}` : ""}`;
}

/** How a game or all has ended. */
function ending(state) {
  const { result, players } = state;
  if (state.left) return "You have left the game.";
  if (!result) return "The game is over.";
  const you = players.person.name === "You";
  const who = (side) => (side === "person" && you ? "You win" : `${players[side].name} wins`);
  const kind = { single: "", gammon: "a gammon, ", backgammon: "a backgammon, " }[result.kind];
  const how = { drop: " by a pass", resignation: " by resignation" }[result.how] ?? "";
  const match = state.winner ? ` ${who(state.winner)} the match.` : "";
  return `${who(result.winner)} ${result.how === "drop" ? "" : kind}${counted(result.points, "point")}${how}.${match}`;
}

// The dialog in which a position is set up: by tapping, or by pasting its name.

import { Board, placeLabels } from "./board.js";
import { open } from "./dialogs.js";
import { at, html } from "./dom.js";
import { BOT_BAR, BOT_OFF, OFF, OWN_BAR } from "./geometry.js";
import { LONGEST_MATCH, opening, readPosition, xgid } from "./position.js";
import { preferences } from "./preferences.js";

const CHECKERS = 15;
const FIELDS = ["turn", "dice", "cube", "owner", "length", "score", "crawford", "jacoby", "beavers"];

export class SetUp {
  /** `onplay(text)`: the position is to be played. */
  constructor(onplay) {
    this.onplay = onplay;
    this.position = opening();
    this.board = new Board(at("setup-board"), { onchoose: (place) => this.tap(place) });
    at("setup-cube").append(...[...Array(11).keys()].map((n) => html("option", { value: 2 ** n }, n ? String(2 ** n) : "1 (shows 64)")));
    at("setup-start").addEventListener("click", () => this.set({ ...this.position, board: opening().board }));
    at("setup-clear").addEventListener("click", () => this.set({ ...this.position, board: Array(26).fill(0) }));
    for (const id of FIELDS) at(`setup-${id}`).addEventListener("change", () => this.read());
    at("setup-id").addEventListener("input", () => this.paste());
    at("setup-play").addEventListener("click", () => this.play());
    new ResizeObserver(() => this.fit()).observe(at("setup-stage"));
  }

  open(text = "") {
    open("setup");
    const found = text ? readPosition(text) : null;
    const many = found && tooMany(found.board);
    if (found && !many) this.position = found;
    this.complain("");
    this.write();
    if (text && (many || !found)) at("setup-id").value = text;
    if (many) this.complain(many, true);
    this.fit();
  }

  fit() {
    const stage = at("setup-stage");
    this.board.fit(stage.clientWidth, stage.clientHeight, preferences().home);
    this.draw();
  }

  set(position) {
    this.position = position;
    this.complain("");
    this.write();
  }

  get brush() {
    return document.querySelector("input[name=setup-brush]:checked").value;
  }

  tap(place) {
    if (place === null || place === OFF || place === BOT_OFF) return;
    const board = [...this.position.board];
    const brush = place === OWN_BAR ? "own" : place === BOT_BAR ? "bot" : this.brush;
    const sign = brush === "own" ? 1 : -1;
    if (this.brush === "none") board[place] -= Math.sign(board[place]);
    else if (sum(board, sign) === CHECKERS) {
      this.set(this.position);
      this.complain(`All fifteen of ${brush === "own" ? "your" : "the bot's"} checkers are on the board.`);
      return;
    } else board[place] = Math.max(0, board[place] * sign) * sign + sign;
    this.set({ ...this.position, board });
  }

  /** The fields into the position. */
  read() {
    const dice = at("setup-dice").value.replace("-", "").trim().toUpperCase();
    const score = /^(\d+)\s*[-:]\s*(\d+)$/.exec(at("setup-score").value.trim())?.slice(1).map(Number);
    const length = at("setup-length").value === "" ? 0 : Number(at("setup-length").value);
    const wrong = fault(dice, score, length);
    this.complain(wrong, true);
    if (wrong) return;
    const ticked = (name) => Number(at(`setup-${name}`).checked);
    const sameKind = Boolean(length) === Boolean(this.position.length);
    const rule = !sameKind ? 0 : !length ? ticked("jacoby") + 2 * ticked("beavers") : mayBeCrawford(length, score) ? ticked("crawford") : 0;
    this.position = {
      ...this.position,
      turn: Number(at("setup-turn").value),
      dice,
      cube: Number(at("setup-cube").value),
      owner: Number(at("setup-owner").value),
      length,
      score,
      rule,
    };
    this.write();
  }

  /** The position into the fields. */
  write() {
    const { turn, dice, cube, owner, length, score, rule } = this.position;
    at("setup-turn").value = turn;
    at("setup-dice").value = dice;
    at("setup-cube").value = cube;
    at("setup-owner").value = owner;
    at("setup-length").value = length;
    at("setup-score").value = score.join("-");
    for (const part of document.querySelectorAll("#setup [data-for]")) part.hidden = (part.dataset.for === "match") !== length > 0;
    at("setup-crawford").checked = length > 0 && rule === 1;
    at("setup-crawford").disabled = !mayBeCrawford(length, score);
    at("setup-jacoby").checked = length === 0 && Boolean(rule & 1);
    at("setup-beavers").checked = length === 0 && Boolean(rule & 2);
    at("setup-id").value = xgid(this.position);
    this.draw();
  }

  paste() {
    const text = at("setup-id").value;
    const found = readPosition(text);
    const many = found && tooMany(found.board);
    if (many) {
      this.complain(many, true);
      return;
    }
    this.complain(found || !text.trim() ? "" : "The board cannot show this form, but the server may read it: press Play.");
    if (!found) return;
    this.position = found;
    this.write();
    at("setup-id").value = text;
  }

  /** Says what is wrong, or nothing; `stands`: it has to be mended before the position can be played. */
  complain(text, stands = false) {
    at("setup-error").textContent = text;
    at("setup-play").disabled = stands && text !== "";
  }

  draw() {
    const { board, cube, owner } = this.position;
    const none = new Set();
    this.board.show({
      board,
      free: true,
      cube: { value: cube === 1 ? 64 : cube, owner: owner === 0 ? null : owner === 1 ? "person" : "bot" },
      labels: placeLabels(board, null, none, none),
    });
  }

  play() {
    at("setup").close();
    this.onplay(at("setup-id").value.trim());
  }
}

/** What is wrong with the fields, or nothing. */
function fault(dice, score, length) {
  if (!/^([1-6]{2}|[DBR])?$/.test(dice)) return "Dice are two digits, such as 31, or D while a double waits.";
  if (!(Number.isInteger(length) && length >= 0 && length <= LONGEST_MATCH)) return `A match goes to at most ${LONGEST_MATCH} points; 0 is money.`;
  if (!score) return "A score is two numbers, such as 2-1.";
  if (length && Math.max(...score) >= length) return `In a match to ${length} both have less than ${length} while it is played.`;
  return "";
}

/** Whether somebody needs one point, in a match of more. */
const mayBeCrawford = (length, score) => length > 1 && Math.max(...score) === length - 1 && Math.min(...score) < length - 1;

/** What is wrong with the number of checkers, or nothing. */
function tooMany(board) {
  for (const [whose, sign] of [
    ["You have", 1],
    ["The bot has", -1],
  ]) {
    const many = sum(board, sign);
    if (many > CHECKERS) return `${whose} ${many} checkers in this position, at most ${CHECKERS} are possible.`;
  }
  return "";
}

function sum(board, sign) {
  return board.reduce((total, many) => total + Math.max(0, sign * many), 0);
}

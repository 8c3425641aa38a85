// Positions as text, as far as the set-up board has to read and write them; the server reads all forms.
//
// A position here is `{board, turn, dice, cube, owner, offer, length, score, rule}`: the board and everything else as the lower
// player sees it; turn and owner are 1 for it and -1 for the other; `dice` is also the letter of an offer that waits (D, B, R); `rule` is 1
// in the Crawford game, for money 1 with Jacoby and 2 more with beavers. `carries` says whether a text that was read had more
// than the board: "xgid" or "gnubg".

export const LARGEST_CUBE = 1024;
export const LONGEST_MATCH = 64;
export const OPENING = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0];

export function opening() {
  return { board: [...OPENING], turn: 1, dice: "", cube: 1, owner: 0, length: 0, score: [0, 0], rule: 0 };
}

/** Writes an XGID. */
export function xgid({ board, turn, dice, cube, owner, length, score, rule }) {
  const letter = (many) => (many === 0 ? "-" : String.fromCharCode((many > 0 ? 64 : 96) + Math.abs(many)));
  const fields = [board.map(letter).join(""), Math.log2(cube), owner, turn, dice || "00", score[0], score[1], rule, length, 10];
  return `XGID=${fields.join(":")}`;
}

/** Reads an XGID, a GNUBG ID or a position ID; null for anything else, and for what the set-up board cannot hold. */
export function readPosition(text) {
  const found = readXgid(text.trim()) ?? readGnubgId(text.trim());
  return found && found.cube <= LARGEST_CUBE && found.length <= LONGEST_MATCH ? found : null;
}

/** What is played after a FIBS board, whose rest the server reads: the match, 0 for money; null for anything else. */
export function readFibs(text) {
  const match = /^board:[^:]*:[^:]*:(\d+):/i.exec(text.trim());
  return match && { carries: "fibs", length: Number(match[1]) > LONGEST_MATCH ? 0 : Number(match[1]) };
}

function readXgid(text) {
  const match = /^(?:XGID=)?([-a-oA-O]{26})(?::(\d+):(-?1|0):(-?1):([0-6]{2}|[DBR]):(\d+):(\d+):(\d+):(\d+)(?::\d+)?)?$/.exec(text);
  if (!match) return null;
  const value = (letter) => (letter === "-" ? 0 : letter < "a" ? letter.charCodeAt(0) - 64 : 96 - letter.charCodeAt(0));
  const board = [...match[1]].map(value);
  const [cube, owner, turn, dice, own, other, rule, length] = match.slice(2);
  if (turn === undefined) return { ...opening(), board };
  return {
    carries: "xgid",
    board,
    turn: Number(turn),
    dice: dice === "00" ? "" : dice,
    cube: 2 ** Number(cube),
    owner: Number(owner),
    length: Number(length),
    score: [Number(own), Number(other)],
    rule: Number(rule),
  };
}

function readGnubgId(text) {
  const match = /^([A-Za-z0-9+/]{14})(?:={0,2})?(?::([A-Za-z0-9+/]{12}))?$/.exec(text);
  if (!match) return null;
  const bits = [...bytes(match[1])].flatMap((byte) => [...Array(8).keys()].map((n) => (byte >> n) & 1));
  const sides = [[], []];
  let place = 0;
  for (const side of sides) {
    for (let point = 1; point <= 25; point++) {
      let many = 0;
      while (bits[place++] === 1) many += 1;
      side[point] = many;
    }
  }
  // The second side is on roll, the first one is its opponent.
  const board = Array(26).fill(0);
  for (let point = 1; point <= 25; point++) {
    board[point] += sides[1][point];
    board[25 - point] -= sides[0][point];
  }
  const position = { ...opening(), board };
  return match[2] ? withMatch(position, bytes(match[2])) : position;
}

/** What a match ID says; player 1 is the lower one. */
function withMatch(position, code) {
  const bit = (n) => (code[n >> 3] >> (n & 7)) & 1;
  const number = (start, many) => [...Array(many).keys()].reduce((sum, n) => sum + (bit(start + n) << n), 0);
  const owner = { 0: -1, 1: 1, 3: 0 }[number(4, 2)] ?? 0;
  const turn = bit(6) ? 1 : -1;
  const dice = [number(15, 3), number(18, 3)];
  const length = number(21, 15);
  if (turn === -1) position.board = position.board.map((_, place, board) => -board[25 - place] || 0);
  return {
    ...position,
    carries: "gnubg",
    turn,
    owner,
    cube: 2 ** number(0, 4),
    dice: dice[0] ? dice.join("") : "",
    length,
    score: [number(51, 15), number(36, 15)],
    rule: length ? bit(7) : bit(66) ? 0 : 1,
  };
}

function bytes(text) {
  return Uint8Array.from(atob(text.padEnd(Math.ceil(text.length / 4) * 4, "=")), (letter) => letter.charCodeAt(0));
}

// A turn in the making: where the checkers of the person may go, step by step, and back. Nothing of it is sent
// before the person confirms. The rules are the server's: it sends the tree of all orders of all legal steps.

const BAR = 25;

/** The board after one step: from and to as the person counts. */
export function stepped(board, from, to) {
  const after = [...board];
  after[from] -= 1;
  if (to !== 0) {
    if (after[to] === -1) {
      after[to] = 0;
      after[0] -= 1;
    }
    after[to] += 1;
  }
  return after;
}

export class Turn {
  constructor(state) {
    this.tree = state.tree;
    this.plays = state.plays;
    this.dice = state.dice;
    this.start = state.board;
    this.moves = []; // each a list of steps of one checker: what one undo takes back
  }

  get steps() {
    return this.moves.flat();
  }

  get node() {
    return this.steps.at(-1)?.node ?? 0;
  }

  get board() {
    return this.steps.reduce((board, step) => stepped(board, step.from, step.to), this.start);
  }

  get complete() {
    return this.tree[this.node].play !== null;
  }

  /** The complete play, an entry of `plays`. */
  get play() {
    return this.plays[this.tree[this.node].play];
  }

  /** The dice as they are drawn: a double four times, those played marked. */
  get shown() {
    const [first, second] = this.dice;
    const dice = (first === second ? [first, first, first, first] : [first, second]).map((value) => ({ value, used: false }));
    for (const step of this.steps) {
      const die = dice.find((one) => !one.used && one.value === step.die);
      if (die) die.used = true;
    }
    // What nobody can play any more is done with, too.
    if (this.complete) for (const die of dice) die.used = true;
    return dice;
  }

  next(node) {
    return this.tree[node].steps.map(([from, to, die, leads]) => ({ from, to, die, node: leads }));
  }

  /** The points from which a checker may go now. */
  get sources() {
    return new Set(this.next(this.node).map((step) => step.from));
  }

  /** Where the checker may go: a map from the place to the steps that lead there, with one die or several. */
  targets(from) {
    const found = new Map();
    let paths = this.next(this.node)
      .filter((step) => step.from === from)
      .map((step) => [step]);
    while (paths.length) {
      const longer = [];
      for (const path of paths) {
        const last = path.at(-1);
        const known = found.get(last.to);
        if (!known || (known.length === path.length && this.better(path, known))) found.set(last.to, path);
        if (last.to === 0) continue;
        for (const step of this.next(last.node)) if (step.from === last.to) longer.push([...path, step]);
      }
      paths = longer;
    }
    return found;
  }

  /** Of two ways to the same place: the one that hits more, then the one whose die fits better. */
  better(one, other) {
    const hits = (path) => path.filter((step) => step.to !== 0 && this.board[step.to] === -1).length;
    if (hits(one) !== hits(other)) return hits(one) > hits(other);
    return one[0].die < other[0].die && one[0].to === 0;
  }

  move(from, to) {
    const path = this.targets(from).get(to);
    if (!path) return false;
    this.moves.push(path);
    return true;
  }

  undo() {
    this.moves.pop();
  }

  reset() {
    this.moves = [];
  }

  /** Puts the steps of a legal play, pairs of from and to in any order, on the board. */
  put(steps) {
    const path = this.ordered(0, steps.map(([from, to]) => ({ from, to })));
    if (!path) return false;
    this.moves = path.map((step) => [step]);
    return true;
  }

  /** The same for moves that were typed: 13/10 24/23, bar/22*, 6/off(2), 24/18*\/13. Says what is wrong, or null. */
  type(text) {
    const moves = parsed(text);
    if (!moves) return "That is not how plays are written. An example: 13/10 24/23";
    const path = this.ordered(0, moves);
    if (!path) return `${text.trim()} is not a legal play of this roll`;
    this.moves = path.map((step) => [step]);
    return null;
  }

  /** A path from a node to a complete turn that makes exactly these moves, each of one checker by one die or more. */
  ordered(node, moves) {
    if (!moves.length) return this.tree[node].play === null ? null : [];
    for (const step of this.next(node)) {
      for (const [number, move] of moves.entries()) {
        if (move.from !== step.from || step.to < move.to) continue;
        const rest = moves.filter((_, other) => other !== number);
        if (step.to > move.to) rest.push({ from: step.to, to: move.to });
        const path = this.ordered(step.node, rest);
        if (path) return [step, ...path];
      }
    }
    return null;
  }
}

/** Moves of written notation, or null. */
function parsed(text) {
  const moves = [];
  for (const word of text.trim().toLowerCase().split(/[\s,]+/)) {
    const match = /^((?:bar|\d{1,2})\*?(?:\/(?:bar|off|\d{1,2})\*?)+)(?:\((\d)\))?$/.exec(word);
    if (!match) return null;
    const places = match[1].split("/").map((part) => {
      const name = part.replace("*", "");
      return name === "bar" ? BAR : name === "off" ? 0 : Number(name);
    });
    for (let times = Number(match[2] ?? 1); times > 0; times--) {
      for (let n = 1; n < places.length; n++) moves.push({ from: places[n - 1], to: places[n] });
    }
  }
  return moves.length <= 4 * 4 ? moves : null;
}

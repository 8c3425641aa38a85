// Fair dice, checked where the player can see it: the hash that was shown before the game, and every roll from the
// seeds. docs/games.md says how the rolls are made.

import { counted } from "./dom.js";
import { hmac, sha256 } from "./sha256.js";

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function unhex(text) {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new Error("the server's seed is not 64 hexadecimal digits");
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}

/** The roll of a number, two dice. */
export async function roll(key, playerSeed, number) {
  const dice = [];
  for (let more = 0; dice.length < 2; more++) {
    const message = `${playerSeed}:${number}${more ? `:${more}` : ""}`;
    for (const byte of await hmac(key, new TextEncoder().encode(message))) {
      if (byte < 252 && dice.length < 2) dice.push((byte % 6) + 1);
    }
  }
  return dice;
}

/**
 * Checks a proof against what this browser remembers of before the game, and what it has shown.
 *
 * `proof` is the answer of `GET /games/{id}/dice`; `kept` has `commitment` and `playerSeed` as they were before the
 * first roll, or nothing where another browser began the game; `seen` are the rolls as they were shown, from `thrown`. Gives
 * `{good, faults, rolls}`; each roll of the list has `good`, and `expected`, the dice that the seeds give.
 */
export async function verify(proof, kept, seen) {
  if (proof.format !== 1 || proof.method !== "HMAC-SHA256") throw new Error(`unknown method ${proof.method}`);
  const faults = [];
  if (kept.commitment && kept.commitment !== proof.commitment) faults.push("The commitment is not the one shown before the game.");
  if (kept.playerSeed && kept.playerSeed !== proof.player_seed) faults.push("Your seed was changed.");
  const key = unhex(proof.server_seed);
  if (hex(await sha256(key)) !== proof.commitment) faults.push("The server's seed does not have the hash that was promised.");
  const rolls = [];
  let before = { game: 0, again: false }; // the game so far, and whether its opening dice were equal
  for (const [place, listed] of proof.rolls.entries()) {
    const expected = await roll(key, proof.player_seed, place);
    const wrong = fault(place, listed, seen[place], expected, before);
    if (wrong) faults.push(wrong);
    rolls.push({ ...listed, expected, good: !wrong });
    before = { game: listed.game, again: listed.kind === "opening" && listed.dice[0] === listed.dice[1] };
  }
  if (before.again) faults.push("The last opening throw has equal dice and was not thrown again.");
  const missing = seen.length - proof.rolls.length;
  if (missing > 0) faults.push(`${counted(missing, "roll")} that you have seen ${missing === 1 ? "is" : "are"} not in the list.`);
  return { good: faults.length === 0, faults, rolls };
}

/** What is wrong with the roll at one place of the list, or null; `before` is what came before it. */
function fault(place, listed, shown, expected, { game, again }) {
  const name = `Roll ${place}`;
  if (!shown) return `${name} (${words(listed)}) is in the list, but you have not seen it.`;
  if (listed.number !== place) return `${name} has the number ${listed.number}: rolls were left out or thrown again.`;
  if (!same(expected, listed.dice)) return `${name} was ${listed.dice.join("-")}, the seeds give ${expected.join("-")}.`;
  if (["game", "kind", "by"].some((key) => listed[key] !== shown[key]) || !same(listed.dice, shown.dice)) {
    return `${name} was ${words(shown)}, and is ${words(listed)} in the list.`;
  }
  if (!["opening", "roll"].includes(listed.kind)) return `${name} is called ${listed.kind}, which it cannot be.`;
  const begins = listed.game === game + 1 && !again;
  const right = (listed.kind === "opening") === (begins || again) && (begins || listed.game === game);
  return right ? null : `${name} is ${words(listed)}, which cannot follow here.`;
}

function words({ game, kind, by, dice }) {
  const whose = { person: "your", bot: "the bot's" }[by] ?? "the";
  return `${whose} ${kind === "opening" ? "opening throw" : kind} ${dice.join("-")} in game ${game}`;
}

function same(one, other) {
  return one.length === other.length && one.every((die, n) => die === other[n]);
}

/** The rolls of a match as they were shown, in their order; an opening throw is nobody's. */
export function thrown(events) {
  return events.flatMap(({ event, game, by, dice, throws }) => {
    if (event === "start") return throws.map((pair) => ({ game, kind: "opening", by: null, dice: pair }));
    return event === "roll" ? [{ game, kind: "roll", by, dice }] : [];
  });
}

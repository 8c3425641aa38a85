// Fair dice, checked where the player can see it: the hash that was shown before the game, and every roll from the
// seeds. docs/games.md says how the rolls are made.

import { hmac, sha256 } from "./sha256.js";

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function unhex(text) {
  if (!/^([0-9a-f]{2})+$/i.test(text)) throw new Error("the server's seed is not hexadecimal");
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
 * Checks a proof against what this browser remembers of before the game.
 *
 * `proof` is the answer of `GET /games/{id}/dice`; `kept` has `commitment` and `playerSeed` as they were before the
 * first roll, or nulls; `seen` the dice as they were shown, from `thrown`. Gives `{good, faults, rolls}`; each roll
 * has `good`, and `expected`, the dice that the seeds give.
 */
export async function verify(proof, kept = {}, seen = new Map()) {
  const faults = [];
  if (kept.commitment && kept.commitment !== proof.commitment) faults.push("The commitment is not the one shown before the game.");
  if (kept.playerSeed && kept.playerSeed !== proof.player_seed) faults.push("Your seed was changed.");
  const key = unhex(proof.server_seed);
  if (hex(await sha256(key)) !== proof.commitment) faults.push("The server's seed does not have the hash that was promised.");
  const left = new Map([...seen].map(([name, dice]) => [name, [...dice]]));
  const rolls = [];
  for (const [place, listed] of proof.rolls.entries()) {
    const expected = await roll(key, proof.player_seed, listed.number);
    const shown = left.get(`${listed.game} ${listed.kind}`)?.shift() ?? listed.dice;
    const good = listed.number === place && same(expected, listed.dice) && same(expected, shown);
    const was = same(expected, shown) ? listed.dice : shown;
    if (!good) faults.push(`Roll ${listed.number} was ${was.join("-")}, the seeds give ${expected.join("-")}.`);
    rolls.push({ ...listed, expected, good });
  }
  const missing = [...left.values()].flat().length;
  if (missing) faults.push(`${missing} of the rolls that were shown are not in the list.`);
  return { good: faults.length === 0, faults, rolls };
}

function same(one, other) {
  return one.length === other.length && one.every((die, n) => die === other[n]);
}

/** The dice of a match as they were shown, in their order: for each game the opening throws, and the rolls. */
export function thrown(events) {
  const seen = new Map();
  const add = (name, dice) => seen.set(name, [...(seen.get(name) ?? []), dice]);
  for (const event of events) {
    if (event.event === "start") for (const dice of event.throws ?? [event.dice]) add(`${event.game} opening`, dice);
    if (event.event === "roll") add(`${event.game} roll`, event.dice);
  }
  return seen;
}

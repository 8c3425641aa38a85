// The dialog about the dice: the promise before the game, the seeds after it, and every roll checked in this browser.

import { Refusal } from "./api.js";
import { open } from "./dialogs.js";
import { at, counted, html } from "./dom.js";
import { thrown, verify } from "./fair.js";

/** `kept` is what this browser remembers of the game, nothing if another one has begun it. */
export async function showDice(session, kept) {
  const body = at("dice-body");
  body.replaceChildren(html("p", {}, "…"));
  open("dice");
  let proof;
  try {
    proof = await session.api.get(`${session.path}/dice`);
    if (proof.server_seed && session.state.phase !== "over") await session.refresh(); // another tab has ended it
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    body.replaceChildren(html("p", { class: "error" }, error.message));
    return;
  }
  const parts = [explanation(proof, kept), facts(proof)];
  if (proof.server_seed) {
    try {
      const found = await verify(proof, kept, thrown(session.events));
      parts.unshift(verdict(found));
      parts.push(table(found.rolls));
    } catch (error) {
      parts.unshift(html("p", { class: "verdict bad", id: "dice-verdict" }, `✗ The dice could not be checked: ${error.message}`));
    }
  } else {
    parts.unshift(html("p", { class: "verdict", id: "dice-verdict" }, `${counted(proof.rolls.length, "roll")} so far. The server's seed is shown when all is over.`));
  }
  const file = new Blob([`${JSON.stringify(proof, null, 1)}\n`], { type: "application/json" });
  const link = html("a", { href: URL.createObjectURL(file), download: "bgai-dice.json" }, "Save as a file");
  parts.push(html("p", { class: "small" }, link, " to check it elsewhere: ", html("code", {}, "bgai verify-dice bgai-dice.json")));
  body.replaceChildren(...parts);
}

function verdict({ good, faults, rolls }) {
  if (good) {
    return html("p", { class: "verdict good", id: "dice-verdict", role: "status" }, `✓ ${rolls.length === 1 ? "The only roll follows" : `All ${rolls.length} rolls follow`} from the seeds, and the server's seed is the one it promised.`);
  }
  return html(
    "div",
    { class: "verdict bad", id: "dice-verdict", role: "alert" },
    html("p", {}, "✗ These dice are not those that were promised."),
    html("ul", {}, ...faults.slice(0, 10).map((fault) => html("li", {}, fault))),
  );
}

function explanation(proof, { commitment, asked }) {
  const first = commitment
    ? "Before the game the server promised its seed by a hash; only then it heard yours. This browser remembers both and compares them."
    : proof.committed_first
      ? "The server says that it promised its seed by a hash before it heard yours. This browser has not begun the game and cannot tell."
      : "The server drew its seed when the game was made, knowing yours already; a game begun on this page has the promise first.";
  const again =
    asked > 1
      ? ` The game was asked for ${asked} times until it began, each time with a new promise and a new seed of yours. A server that refuses often may be waiting for dice that it likes.`
      : "";
  return html("p", { class: "small" }, `${first}${again} Each roll is computed from both seeds and its number (HMAC-SHA-256).`);
}

function facts(proof) {
  const row = (name, value) => [html("dt", {}, name), html("dd", { class: "hash" }, value)];
  return html(
    "dl",
    {},
    ...row("Promise (SHA-256 of the server's seed)", proof.commitment),
    ...row("Your seed", proof.player_seed),
    ...row("The server's seed", proof.server_seed ?? "secret until all is over"),
  );
}

function table(rolls) {
  const row = (roll) =>
    html(
      "tr",
      { class: roll.good ? "good" : "bad" },
      html("td", {}, String(roll.number)),
      html("td", {}, String(roll.game)),
      html("td", {}, roll.kind === "opening" ? "opening" : roll.by === "person" ? "you" : "bot"),
      html("td", {}, roll.dice.join("-")),
      html("td", {}, roll.good ? "✓" : `✗ ${roll.expected.join("-")}`),
    );
  return html(
    "details",
    {},
    html("summary", {}, "Every roll"),
    html(
      "table",
      { class: "rolls" },
      html("thead", {}, html("tr", {}, ...["No.", "Game", "Thrown by", "Dice", "From the seeds"].map((name) => html("th", { scope: "col" }, name)))),
      html("tbody", {}, ...rolls.map(row)),
    ),
  );
}

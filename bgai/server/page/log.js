// The log of the match: a list for each game, a roll and its play in one line.

import { at, html } from "./dom.js";

let open = null; // the line of a roll that waits for its play

export function clearLog() {
  at("log").replaceChildren();
  open = null;
}

/** Adds an event of the server. */
export function log(event) {
  const list = listOf(event.game);
  const line = (text, more = "", by = event.by ?? "nobody") => {
    const item = html("li", { class: `${by} ${more}` }, html("span", {}, text));
    list.append(item);
    return item;
  };
  if (event.event === "roll") open = { by: event.by, item: line(`${event.dice.join("")}:`), dice: event.dice };
  else if (event.event === "play" && open && [event.by, null].includes(open.by)) {
    open.item ??= line("");
    open.item.firstChild.textContent = `${open.dice.join("")}: ${event.play || "no move"}`;
    open = null;
    if (event.result) line(event.text.replace(/^.*?\. /, ""), "end"); // without the play itself
  } else if (event.event === "play") line(event.play || "no move");
  else {
    if (event.event === "setup") for (const item of open?.start ?? []) item.remove(); // its throw does not matter then
    open = null;
    const told = line(event.text, event.result ? "end" : "told");
    // The dice of a position that was set up are played by whoever plays next.
    if (event.event === "setup" && event.dice) open = { by: null, item: null, dice: event.dice };
    if (event.event === "start") {
      const by = event.dice[0] > event.dice[1] ? "person" : "bot";
      const item = line(`${event.dice.join("")}:`, "", by);
      open = { by, item, dice: event.dice, start: [told, item] };
    }
  }
  const box = at("log-part");
  box.scrollTop = box.scrollHeight;
}

function listOf(game) {
  const id = `log-${game}`;
  if (!at(id)) at("log").append(html("h3", {}, `Game ${game}`), html("ol", { id, class: "events" }));
  return at(id);
}

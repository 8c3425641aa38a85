// Hints: the best plays with arrows, or what the cube should do.

import { Refusal } from "./api.js";
import { notice } from "./dialogs.js";
import { at, html } from "./dom.js";
import { percent, signed, typeset } from "./figures.js";

export function clearHints() {
  at("hints").hidden = true;
  at("hints-body").replaceChildren();
}

/** Asks for hints and shows them; `onplay(steps, put, chosen)` shows a play on the board or puts it
 * there; `chosen` if the person has asked for this one. */
export async function showHints(session, onplay) {
  const { version } = session.state;
  let hints;
  try {
    hints = await session.api.get(`${session.path}/hints?top=5`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    notice(error.message);
    return false;
  }
  if (session.state.version !== version) return false;
  at("hints-body").replaceChildren(...drawn(hints, onplay));
  at("hints").hidden = false;
  if (hints.decision === "play") onplay(hints.plays[0].steps, false, false);
  return true;
}

function drawn(hints, onplay) {
  switch (hints.decision) {
    case "play":
      return [plays(hints.plays, onplay)];
    case "double":
      return cube(hints);
    case "answer":
    case "resignation":
      return [html("p", { class: "best" }, `Best: ${hints.best}`), choices(hints.choices)];
    default:
      return [html("p", {}, "There is nothing to decide now.")];
  }
}

function plays(found, onplay) {
  const rows = found.map((play, number) =>
    html(
      "li",
      {},
      html(
        "button",
        { type: "button", class: "hint", onclick: () => onplay(play.steps, false, true), "aria-label": `Show ${play.play}` },
        html("b", {}, `${number + 1}. ${play.play || "no move"}`),
        html("span", { class: "figures" }, html("span", {}, signed(play.equity)), number ? ` (−${play.loss.toFixed(3)})` : ""),
        html("span", { class: "figures chances" }, `wins ${percent(play.win)}, gammons ${percent(play.win_gammon)}`),
      ),
      html("button", { type: "button", class: "put", onclick: () => onplay(play.steps, true, true), "aria-label": `Put ${play.play} on the board` }, "Use"),
    ),
  );
  return html("ol", { class: "hint-list" }, ...rows);
}

function cube(hints) {
  const rows = [
    ["No double", hints.no_double],
    ["Double, take", hints.double_take],
    ["Double, pass", hints.double_pass],
  ].filter(([, equity]) => typeof equity === "number");
  const best = hints.best === "double" ? "double" : "roll";
  const answer = hints.answer && hints.best === "double" ? `; the answer should be: ${hints.answer}` : "";
  return [
    html("p", { class: "best" }, `Best: ${best}${answer}`),
    choices(rows.map(([action, equity]) => ({ action, equity }))),
    hints.why ? html("p", {}, `${typeset(hints.why[0].toUpperCase() + hints.why.slice(1))}.`) : null,
    html("p", { class: "small" }, `You win ${percent(hints.win)}, gammons ${percent(hints.win_gammon)}; you lose gammons ${percent(hints.lose_gammon)}.`),
  ].filter(Boolean);
}

function choices(rows) {
  return html(
    "table",
    {},
    ...rows.map(({ action, equity }) => html("tr", {}, html("th", { scope: "row" }, action), html("td", {}, signed(equity)))),
  );
}

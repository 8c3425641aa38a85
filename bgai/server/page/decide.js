// What comes between a button and the server: the tutor's warning, and asking once more before the cube is turned.

import { ask } from "./dialogs.js";
import { counted, html } from "./dom.js";
import { percent, typeset } from "./figures.js";
import { preferences } from "./preferences.js";
import { redoubles } from "./table.js";

const MARKS = ["doubtful", "bad", "very bad"];
const CHECKED = ["play", "roll", "double", "take", "pass", "beaver", "raccoon", "resign", "accept", "refuse"];

/** Does what the person wants, unless it thinks better of it. True when it was done. */
export async function decide(session, action, more, { onback }) {
  const { state } = session;
  const { version } = state;
  if (action === "resign" && !more) {
    if (!state.may.resign.length) return false;
    const value = await whichResignation(state);
    if (!value) return false;
    more = { value };
  } else if (preferences().cubes === "ask" && !(await sure(state, action))) return false;
  if (state.options.tutor && CHECKED.includes(action) && !(action === "roll" && !state.may.double)) {
    const verdict = await judged(session, action, more);
    if (verdict === undefined) return false;
    if (session.state.version !== version) return false; // it went on meanwhile
    const least = MARKS.indexOf(preferences().warn);
    if (verdict?.mark && MARKS.indexOf(verdict.mark) >= least && !(await insists(verdict, action, state))) {
      onback();
      return false;
    }
  }
  if (session.state.version !== version) return false;
  return session.act(action, more);
}

/** What the tutor says, null where it has nothing to say; undefined if it could not look and the person does not want to do it unseen. */
async function judged(session, action, more) {
  for (;;) {
    session.onbusy(true);
    const asked = session.check(action, more).finally(() => session.onbusy(false));
    const failed = await asked.then(() => null, (error) => error);
    if (!failed) return asked;
    if (session.closing.signal.aborted) return undefined;
    const chosen = await ask({
      title: "The tutor could not look at this",
      body: [failed.message, action === "play" ? "Play it unseen?" : "Do it unseen?"],
      answers: [
        [null, "Cancel"],
        ["unseen", action === "play" ? "Play it anyway" : "Do it anyway"],
        ["again", "Ask again", "primary"],
      ],
    });
    if (chosen === "unseen") return null;
    if (chosen !== "again") return undefined;
  }
}

/** Whether the person stays with it after the tutor's words. */
async function insists(verdict, action, state) {
  const loss = verdict.mwc_loss === null || verdict.mwc_loss === undefined ? `${verdict.loss.toFixed(3)} points` : `${percent(verdict.mwc_loss)} of the match`;
  const body = [
    html(
      "p",
      { class: "verdict" },
      html("span", { class: `mark ${verdict.mark.replace(" ", "-")}` }, verdict.mark === "very bad" ? "blunder" : verdict.mark),
      ` ${deed(verdict.done, state)} gives away ${loss}.`,
    ),
    ...lines(verdict.mistakes),
    html("p", {}, "Better: ", html("b", {}, verdict.best), "."),
    ...lines(verdict.explanation?.reasons),
    ...more(verdict.explanation?.about),
  ];
  const back = action === "play" ? "Take it back" : "Think again";
  const chosen = await ask({
    title: "The tutor",
    body,
    wide: true,
    answers: [
      ["stay", action === "play" ? "Play it anyway" : "Do it anyway"],
      ["back", back, "primary"],
    ],
  });
  return chosen === "stay";
}

const DEEDS = {
  roll: "Rolling",
  take: "Taking",
  pass: "Passing",
  beaver: "The beaver",
  raccoon: "The raccoon",
  accept: "Accepting",
  refuse: "Refusing",
  "resign single": "Resigning a single game",
  "resign gammon": "Resigning a gammon",
  "resign backgammon": "Resigning a backgammon",
};

/** What was done, as the subject of a sentence. */
function deed(done, state) {
  if (done === "double") return redoubles(state) ? "Redoubling" : "Doubling";
  return DEEDS[done] ?? done;
}

const lines = (reasons) => (reasons?.length ? [html("ul", {}, ...reasons.map(({ text }) => html("li", {}, typeset(text))))] : []);

const more = (about) => (about?.length ? [html("details", {}, html("summary", {}, "The position"), ...lines(about))] : []);

/** Asks once more before the cube is turned and the like. */
async function sure(state, action) {
  const bot = state.players.bot.name;
  const { offer } = state;
  const stake = 2 * state.cube.value;
  const double = redoubles(state) ? "Redouble" : "Double";
  const questions = {
    double: [`${double} to ${stake}?`, `If ${bot} takes, the game is played for ${stake}, and the cube is ${bot}'s.`, double],
    take: offer && [`Take at ${offer.stake}?`, `The game is played for ${offer.stake}.`, "Take"],
    pass: offer && [`Pass and lose ${counted(offer.points, "point")}?`, "The game is over then.", "Pass"],
    beaver: offer && [`Beaver to ${2 * offer.stake}?`, `You take and double once more at once; the cube is yours.`, "Beaver"],
    raccoon: offer && [`Raccoon to ${2 * offer.stake}?`, `You double the beaver once more; the cube stays ${bot}'s.`, "Raccoon"],
    accept: offer && [`Accept and win ${counted(offer.points, "point")}?`, "The game is over then.", "Accept"],
    leave: ["Leave the game?", "An unfinished game counts for nobody, and the dice are shown.", "Leave"],
  };
  const question = questions[action];
  if (!question) return true;
  const [title, body, yes] = question;
  const chosen = await ask({ title, body, answers: [["no", "Cancel"], ["yes", yes, "primary"]] });
  return chosen === "yes";
}

function whichResignation(state) {
  const kinds = { single: "a single game", gammon: "a gammon", backgammon: "a backgammon" };
  // Under the Jacoby rule all count the same before the cube is turned: one of them is enough.
  const costs = Object.entries(state.resignations).filter(([, points], place, all) => points !== all[place - 1]?.[1]);
  return ask({
    title: "Resign?",
    body: `${state.players.bot.name} may refuse what is less than the game is worth.`,
    answers: [
      [null, "Cancel", "primary"],
      ...costs.map(([value, points]) => [value, `${kinds[value]}: ${counted(points, "point")}`]),
    ],
  });
}

// The games that this browser has begun: what the server promised before each, and how to come back to it.

import { read, write } from "./preferences.js";

const GAMES = "bgai.games"; // by id: {commitment, playerSeed, asked, title, standing, over, changed}
const PRESENT = "bgai.game"; // {id}: the one that is played, in this tab and in a new one
const MOST = 30;

/** What is remembered of a game: `commitment` and `playerSeed` as they were before it, `asked` how often it was asked for. */
export const remembered = (id) => read(GAMES, {})[id] ?? {};

/** Remembers more of a game; of the oldest nothing is remembered any more. */
export function remember(id, more) {
  const games = { ...read(GAMES, {}), [id]: { ...remembered(id), ...more } };
  const ids = Object.keys(games).sort((one, other) => (games[one].changed < games[other].changed ? 1 : -1));
  write(GAMES, Object.fromEntries(ids.slice(0, MOST).map((kept) => [kept, games[kept]])));
}

/** How a game stands, for the list. */
export function rememberState(state) {
  const { rules, players, score, pips, game } = state;
  const { person, bot } = players;
  const what = rules.length ? `Match to ${rules.length}` : "Money";
  const title = `${what}: ${person.name} – ${bot.name}, ${score.person}–${score.bot}`;
  const standing = `game ${game}, ${whoseTurn(state)}, pips ${pips.person}–${pips.bot}, level ${bot.level}`;
  remember(state.id, { title, standing, over: state.phase === "over", changed: state.changed });
}

/** Whom a game waits for, in words. */
function whoseTurn({ phase, on_roll, offer }) {
  if (phase === "over") return "over";
  if (phase === "between games") return "the next one begins";
  if (offer) return offer.by === "person" ? "the bot is to answer" : "you are to answer";
  return on_roll === "person" ? "you are on roll" : "the bot is on roll";
}

export function forget(id) {
  const games = read(GAMES, {});
  delete games[id];
  write(GAMES, games);
  if (presentGame() === id) play(null);
}

/** The game of this tab, or of the browser where the tab has none. */
export const presentGame = () => (read(PRESENT, null, sessionStorage) ?? read(PRESENT, null))?.id ?? null;

/** Makes a game the one of this tab and of the next; null: none. */
export function play(id) {
  for (const storage of [localStorage, sessionStorage]) write(PRESENT, id && { id }, storage);
}

/** The games that are not in this tab, the last ones first: `{id, title, standing, when, over}`. */
export function otherGames() {
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  return Object.entries(read(GAMES, {}))
    .filter(([id, { title }]) => title && id !== presentGame())
    .map(([id, { title, standing, over, changed }]) => ({ id, title, standing, over, when: when.format(new Date(changed)) }));
}

// What this browser remembers of how the player likes things.

const KEY = "bgai.preferences";
const LAST = "bgai.last-form";

export const CHOICES = {
  theme: { label: "Page", options: { system: "as the device", light: "light", dark: "dark" } },
  board: { label: "Board", options: { walnut: "walnut", felt: "green felt", slate: "slate" } },
  checkers: { label: "Your checkers", options: { light: "light", dark: "dark" } },
  home: { label: "You bear off", options: { right: "on the right", left: "on the left" } },
  motion: { label: "Checkers", options: { system: "as the device", on: "glide", off: "jump" } },
  arrows: { label: "Last play of the bot", options: { on: "shown by arrows", off: "not shown" } },
  confirm: { label: "A complete play", options: { ask: "waits for Confirm", auto: "is played at once" } },
  cubes: { label: "Cube and resignations", options: { ask: "ask me once more", auto: "at once" } },
  warn: { label: "The tutor warns of", options: { doubtful: "doubtful choices", bad: "bad choices", "very bad": "blunders" } },
  keys: { label: "Keys of one letter", options: { on: "on", off: "off" } },
};

const DEFAULTS = {
  theme: "system",
  board: "walnut",
  checkers: "light",
  home: "right",
  motion: "system",
  arrows: "on",
  confirm: "ask",
  cubes: "ask",
  warn: "bad",
  keys: "on",
};

/** What is kept under a key, of this browser or, with `sessionStorage`, of this tab. */
export function read(key, fallback, storage = localStorage) {
  try {
    return JSON.parse(storage.getItem(key)) ?? fallback;
  } catch {
    return fallback; // somebody else's writing
  }
}

export function write(key, value, storage = localStorage) {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

export function preferences() {
  const kept = read(KEY, {});
  const found = {};
  for (const [name, value] of Object.entries(DEFAULTS)) found[name] = kept[name] in CHOICES[name].options ? kept[name] : value;
  return found;
}

export function prefer(name, value) {
  write(KEY, { ...preferences(), [name]: value });
  dress();
}

/** Gives the page its colours. */
export function dress() {
  const chosen = preferences();
  const root = document.documentElement;
  for (const name of ["theme", "board", "checkers"]) root.dataset[name] = chosen[name];
  const dark = chosen.theme === "dark" || (chosen.theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.scheme = dark ? "dark" : "light";
}

/** Whether checkers should fly. */
export function moves() {
  const { motion } = preferences();
  return motion === "on" || (motion === "system" && !matchMedia("(prefers-reduced-motion: reduce)").matches);
}

/** What was filled in when the last game was begun. */
export const lastForm = () => read(LAST, {});
export const keepForm = (form) => write(LAST, form);

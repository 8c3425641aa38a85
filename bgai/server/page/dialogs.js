// Dialogs: questions, and parts that several of them share.

import { at, html } from "./dom.js";
import { CHOICES, prefer, preferences } from "./preferences.js";

/**
 * Asks something; the promise has the value of the button, or null when the dialog was closed.
 * `answers` are `[value, text, kind]`; the first of kind "primary" has the focus.
 */
export function ask({ title, body = [], answers, wide = false }) {
  const dialog = html("dialog", { class: wide ? "wide" : "narrow", "aria-labelledby": "ask-title" });
  return new Promise((resolve) => {
    let chosen = null;
    const buttons = answers.map(([value, text, kind = ""]) =>
      html("button", { type: "button", class: kind, "data-answer": String(value), onclick: () => ((chosen = value), dialog.close()) }, text),
    );
    const parts = [body].flat().map((part) => (typeof part === "string" ? html("p", {}, part) : part));
    dialog.append(html("h2", { id: "ask-title" }, title), html("div", { class: "body" }, ...parts), html("div", { class: "answers" }, ...buttons));
    document.body.append(dialog);
    show(dialog);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(chosen);
    });
    (buttons.find((button) => button.classList.contains("primary")) ?? buttons[0])?.focus();
  });
}

/** Shows a dialog that stands in the page; its buttons with `data-close` close it. */
export function open(id) {
  const dialog = at(id);
  if (!dialog.dataset.ready) {
    dialog.dataset.ready = "yes";
    // A press beside it closes it; not one that began inside, as when text is selected.
    let pressed = null;
    dialog.addEventListener("pointerdown", (event) => (pressed = event.target));
    dialog.addEventListener("click", (event) => {
      if ((event.target === dialog && pressed === dialog) || event.target.closest("[data-close]")) dialog.close();
    });
  }
  if (!dialog.open) show(dialog);
  return dialog;
}

const shown = []; // the dialogs that are open, the uppermost last

function show(dialog) {
  shown.push(dialog);
  dialog.addEventListener(
    "close",
    () => {
      shown.splice(shown.indexOf(dialog), 1);
      placeNotice();
    },
    { once: true },
  );
  dialog.showModal();
  placeNotice();
}

/** Nothing outside of a dialog can be seen or heard while it is open: the notice lies in the uppermost one. */
function placeNotice() {
  (shown.at(-1) ?? document.body).append(at("notice"));
}

/** Selects for these preferences; a change holds at once. */
export function preferenceFields(names, onchange) {
  const chosen = preferences();
  return names.map((name) => {
    const { label, options } = CHOICES[name];
    const select = html(
      "select",
      {
        "data-preference": name,
        onchange: (event) => {
          prefer(name, event.target.value);
          onchange(name);
        },
      },
      ...Object.entries(options).map(([value, text]) => html("option", { value, selected: value === chosen[name] }, text)),
    );
    return html("label", { class: "field" }, html("span", {}, label), select);
  });
}

let fading = 0;

/** A line over the page; it goes away by itself unless `stays`. */
export function notice(text, { stays = false } = {}) {
  const line = at("notice");
  clearTimeout(fading);
  line.textContent = text;
  line.hidden = !text;
  line.classList.toggle("trouble", stays);
  if (text && !stays) fading = setTimeout(() => notice(""), 7000);
}

/** Says something to who cannot see it. */
export function announce(text) {
  const line = html("p", {}, text);
  const live = at("live");
  live.append(line);
  while (live.childElementCount > 20) live.firstChild.remove();
}

// The page "How to play": its board, and the colours that were chosen.

import { Board, placeLabels } from "./board.js";
import { at } from "./dom.js";
import { OPENING } from "./position.js";
import { dress } from "./preferences.js";

dress();
const picture = at("opening-board");
const board = new Board(picture);
const none = new Set();
board.show({ board: OPENING, cube: { value: 64, owner: null }, labels: placeLabels(OPENING, null, none, none) });
picture.setAttribute("role", "img");
picture.setAttribute("aria-label", "The opening position");
for (const rect of board.touches.values()) rect.remove();

// The board in SVG: what is drawn, and what is touched. It knows no rules; it shows what it is told and reports
// which place was chosen, by tapping, dragging or the keyboard.

import { svg } from "./dom.js";
import { BOT_BAR, BOT_OFF, CHECKER, CUBE, DIE, Geometry, OFF, OWN_BAR, PLACES } from "./geometry.js";

const SPOTS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};
const DRAGGED = 7; // pixels after which a touch is a drag

const EMPTY = { board: Array(26).fill(0), dice: [], cube: null, sources: new Set(), targets: new Set(), selected: null, arrows: [], labels: {}, free: false };

export class Board {
  /** `onchoose(place)` for a tap or Enter; `ondrag(from, to)` for a drag, `to` null when it began. */
  constructor(element, { onchoose = () => {}, ondrag = () => {} } = {}) {
    this.element = element;
    this.onchoose = onchoose;
    this.ondrag = ondrag;
    this.view = EMPTY;
    this.home = "right";
    this.layers = {};
    this.touches = new Map();
    this.focused = 24;
    this.geometry = new Geometry(false, "right");
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("pointerdown", (event) => this.down(event));
    element.addEventListener("pointermove", (event) => this.moved(event));
    element.addEventListener("pointerup", (event) => this.up(event));
    element.addEventListener("pointercancel", () => this.letGo());
    this.paint();
  }

  /** Fits the board to the room there is. */
  fit(width, height, home = this.home) {
    this.home = home;
    const tall = width < height * 0.92;
    const across = tall ? Math.max(330, Math.min(460, Math.round((new Geometry(true, home).length * width) / height))) : 0;
    const next = new Geometry(tall, home, across);
    const same = ["tall", "home", "across"].every((key) => next[key] === this.geometry[key]);
    this.element.style.width = `${Math.floor(Math.min(width, (height * next.width) / next.height))}px`;
    if (same && this.layers.pieces) return;
    this.geometry = next;
    this.paint();
    this.show(this.view);
  }

  /** What never changes while the board has its form. */
  paint() {
    const g = this.geometry;
    const focus = this.element.contains(document.activeElement);
    this.element.setAttribute("viewBox", `0 0 ${g.width} ${g.height}`);
    this.element.classList.toggle("tall", g.tall);
    const numbers = svg("g", { class: "numbers", "aria-hidden": "true" });
    const points = svg("g", { class: "points", "aria-hidden": "true" });
    for (let point = 1; point <= 24; point++) {
      const corners = g.triangle(point).map(({ x, y }) => `${x},${y}`).join(" ");
      points.append(svg("polygon", { points: corners, class: point % 2 ? "odd" : "even" }));
      const { x, y } = g.number(point);
      numbers.append(svg("text", { x, y: y + 4.5 }, String(point)));
    }
    const layer = (name, hidden = true) => (this.layers[name] = svg("g", { class: name, "aria-hidden": hidden ? "true" : null }));
    this.element.replaceChildren(
      svg(
        "defs",
        {},
        ...["light", "dark"].map((side) =>
          svg(
            "radialGradient",
            { id: `shine-${side}`, cx: "38%", cy: "32%", r: "75%" },
            svg("stop", { offset: "0", class: `${side}-shine` }),
            svg("stop", { offset: "1", class: `${side}-base` }),
          ),
        ),
        svg(
          "marker",
          { id: "head", viewBox: "0 0 10 10", refX: "7", refY: "5", markerWidth: "4.2", markerHeight: "4.2", orient: "auto" },
          svg("path", { d: "M0 0L10 5L0 10z", class: "arrow-head" }),
        ),
      ),
      svg("rect", { class: "frame", width: g.width, height: g.height, rx: 12 }),
      svg("rect", { class: "bar", ...g.barBox }),
      ...g.fields.map((box) => svg("rect", { class: "field", rx: 3, ...box })),
      ...[true, false].map((own) => svg("rect", { class: "tray", rx: 5, ...g.trayBox(own) })),
      points,
      numbers,
      layer("marks"),
      layer("pieces"),
      layer("landings"),
      layer("things"),
      layer("stake", false),
      layer("arrows"),
      layer("places", false),
      layer("flying"),
    );
    this.touches = new Map(
      PLACES.map((place) => {
        const rect = svg("rect", { class: "touch", rx: 6, ...g.touch(place), tabindex: "-1", "data-place": place, role: "button" });
        rect.addEventListener("focus", () => this.roam(place));
        this.layers.places.append(rect);
        return [place, rect];
      }),
    );
    this.roam(this.focused);
    if (focus) this.touches.get(this.focused).focus();
  }

  /** Shows a view: what is left out stays as in `EMPTY`. */
  show(view) {
    this.view = { ...EMPTY, ...view };
    const { board, selected, sources, targets, labels } = this.view;
    this.layers.pieces.replaceChildren(...this.checkers(board));
    this.layers.things.replaceChildren(...this.dice());
    this.layers.stake.replaceChildren(...this.cube());
    this.layers.arrows.replaceChildren(...this.view.arrows.map((arrow) => this.arrow(arrow)));
    const points = [...targets].filter((place) => place !== OFF);
    this.layers.marks.replaceChildren(...points.map((place) => svg("rect", { class: "wash", rx: 6, ...this.geometry.touch(place) })));
    this.layers.landings.replaceChildren(...[...targets].map((place) => this.target(place, board)));
    for (const [place, rect] of this.touches) {
      rect.setAttribute("aria-label", labels[place] ?? String(place));
      rect.classList.toggle("source", sources.has(place) && selected === null);
      rect.classList.toggle("selected", place === selected);
      rect.classList.toggle("target", targets.has(place));
      const can = this.view.free || sources.has(place) || targets.has(place);
      rect.setAttribute("aria-disabled", String(!can));
      if (place === selected) rect.setAttribute("aria-pressed", "true");
      else rect.removeAttribute("aria-pressed");
    }
  }

  height(place, board) {
    if (place === OFF || place === BOT_OFF) return 0;
    return Math.abs(board[place]);
  }

  /** Where a checker may land: the next free place of the point, around the blot that it hits, around the top of a full stack. */
  target(place, board) {
    if (place === OFF) return svg("rect", { class: "landing free", rx: 5, ...this.geometry.trayBox(true) });
    const hit = board[place] === -1;
    const level = hit ? 0 : Math.min(this.height(place, board), this.geometry.shown(place) - 1);
    const free = !hit && level === this.height(place, board);
    const { x, y } = this.geometry.checker(place, level);
    const r = free ? CHECKER / 2 - 2 : CHECKER / 2 + 2;
    const ring = (name) => svg("circle", { class: name, r });
    // A hit has the ticks of a sight as well, for those who do not see its colour.
    const ticks = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(([right, down]) => `M${right * (r - 7)} ${down * (r - 7)}L${right * (r + 4)} ${down * (r + 4)}`).join("");
    const parts = free
      ? [ring("landing free")]
      : hit
        ? [ring("halo"), svg("path", { class: "halo", d: ticks }), ring("landing hit"), svg("path", { class: "landing hit", d: ticks })]
        : [ring("halo"), ring("landing full")];
    return svg("g", { transform: `translate(${x} ${y})`, "data-landing": place }, ...parts);
  }

  *checkers(board) {
    const g = this.geometry;
    for (let place = 0; place <= 25; place++) {
      const many = Math.abs(board[place]);
      if (!many) continue;
      const side = board[place] > 0 ? "own" : "bot";
      const shown = Math.min(many, g.shown(place));
      const { selected, sources } = this.view;
      for (let level = 0; level < shown; level++) {
        const { x, y } = g.checker(place, level);
        const top = level === shown - 1;
        const state = !top || side === "bot" ? "" : place === selected ? " chosen" : selected === null && sources.has(place) ? " movable" : "";
        yield this.checker(side, x, y, state);
      }
      if (many > shown) {
        const { x, y } = g.checker(place, shown - 1);
        yield svg("text", { class: `${side} many`, x, y: y + 6.5 }, String(many));
      }
    }
    const missing = (sign) => 15 - board.reduce((sum, many) => sum + Math.max(0, sign * many), 0);
    for (const own of [true, false]) {
      const off = missing(own ? 1 : -1);
      if (off >= 15 && !board.some((many) => many)) continue;
      for (let n = 0; n < off; n++) yield svg("rect", { class: `${own ? "own" : "bot"} slab`, rx: 2.5, ...g.slab(own, n) });
      if (off) {
        const { x, y } = g.count(own);
        yield svg("text", { class: "off-count", x, y: y + 5 }, String(off));
      }
    }
  }

  checker(side, x, y, state = "") {
    return svg(
      "g",
      { class: `checker ${side}${state}`, transform: `translate(${x} ${y})` },
      svg("circle", { class: "disc", r: CHECKER / 2 - 1.2 }),
      svg("circle", { class: "ring", r: CHECKER / 2 - 7 }),
    );
  }

  *dice() {
    for (const own of [true, false]) {
      const dice = this.view.dice.filter((die) => die.own === own);
      const middles = this.geometry.dice(own, dice.length);
      for (const [n, { value, used }] of dice.entries()) {
        const { x, y } = middles[n];
        yield svg(
          "g",
          { class: `die ${own ? "own" : "bot"}${used ? " used" : ""}`, transform: `translate(${x} ${y})` },
          svg("rect", { x: -DIE / 2, y: -DIE / 2, width: DIE, height: DIE, rx: 8 }),
          ...SPOTS[value].map(([right, down]) => svg("circle", { cx: right * 9.5, cy: down * 9.5, r: 3.7 })),
        );
      }
    }
  }

  *cube() {
    const { cube } = this.view;
    if (!cube) return;
    const { x, y } = this.geometry.cube(cube.owner, cube.offered);
    const text = String(cube.value);
    yield svg(
      "g",
      { class: `cube${cube.offered ? " offered" : ""}`, role: "img", "aria-label": cubeLabel(cube), transform: `translate(${x} ${y})` },
      svg("rect", { x: -CUBE / 2, y: -CUBE / 2, width: CUBE, height: CUBE, rx: 7 }),
      svg("text", { y: 7.5, class: `digits-${text.length}` }, text),
    );
  }

  /** An arrow for a step: `{from, to, by, level}`, places as the person counts. */
  arrow({ from, to, by = "own", kind = "last" }) {
    const g = this.geometry;
    const board = this.view.board;
    const place = (where, extra) => {
      const many = this.height(where, board);
      const level = Math.max(0, Math.min(many - 1 + extra, g.shown(where) - 1));
      return g.checker(where, level);
    };
    const start = place(from, kind === "last" ? 1 : 0);
    const end = place(to, kind === "last" ? 0 : 1);
    const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
    // Along one edge the arrow swings over the stacks; across the board it goes nearly straight.
    const centre = { x: g.width / 2, y: g.height / 2 };
    const inwards = g.tall ? { x: Math.sign(centre.x - middle.x), y: 0 } : { x: 0, y: Math.sign(centre.y - middle.y) };
    const far = Math.hypot(end.x - start.x, end.y - start.y);
    const sameSide = typeof from === "number" && typeof to === "number" && from <= 12 === to <= 12;
    const lift = sameSide ? Math.min(26 + 0.2 * far, 80) : 0;
    const bend = { x: middle.x + inwards.x * lift, y: middle.y + inwards.y * lift };
    const d = `M${start.x} ${start.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`;
    return svg(
      "g",
      { class: `arrow ${kind} ${by}` },
      svg("path", { class: "halo", d }),
      svg("path", { class: "line", d, "marker-end": "url(#head)" }),
      svg("circle", { class: "tail", cx: start.x, cy: start.y, r: 4.5 }),
    );
  }

  /** Lets one checker fly; the promise ends when it has landed. The board after it has to be shown then. */
  async fly(side, from, to, milliseconds) {
    if (!milliseconds) return;
    const g = this.geometry;
    const board = [...this.view.board];
    const sign = side === "own" ? 1 : -1;
    const start = g.checker(from, Math.min(this.height(from, board), g.shown(from)) - 1);
    const enemy = typeof to === "number" && board[to] === -sign;
    const end = g.checker(to, enemy ? 0 : Math.min(this.height(to, board), g.shown(to) - 1));
    if (typeof from === "number") board[from] -= sign;
    this.layers.pieces.replaceChildren(...this.checkers(board));
    const flying = this.checker(side, 0, 0);
    this.layers.flying.replaceChildren(flying);
    const move = ({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` });
    const flight = flying.animate([move(start), move(end)], { duration: milliseconds, easing: "ease-in-out" });
    await new Promise((resolve) => {
      flight.onfinish = flight.oncancel = resolve;
      setTimeout(resolve, 2 * milliseconds); // a tab that is not looked at may never finish
    });
    flying.remove();
  }

  // The keyboard: one place can be reached by Tab, the arrows go on from there.

  roam(place) {
    this.focused = place;
    for (const [other, rect] of this.touches) rect.setAttribute("tabindex", other === place ? "0" : "-1");
  }

  centre(place) {
    const box = this.geometry.touch(place);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  key(event) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (way) {
      event.preventDefault();
      const here = this.centre(this.focused);
      let best = null;
      for (const place of PLACES) {
        const there = this.centre(place);
        const [x, y] = [there.x - here.x, there.y - here.y];
        const forth = x * way[0] + y * way[1];
        const aside = Math.abs(x * way[1]) + Math.abs(y * way[0]);
        if (forth < 4) continue;
        const cost = forth + 3 * aside;
        if (!best || cost < best.cost) best = { place, cost };
      }
      if (best) this.touches.get(best.place).focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onchoose(this.focused);
    } else if (event.key === "Escape") {
      this.onchoose(null);
    }
  }

  // Tapping and dragging.

  /** From pixels of the screen to units of the board. */
  units(event) {
    const box = this.element.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) * this.geometry.width) / box.width,
      y: ((event.clientY - box.top) * this.geometry.height) / box.height,
    };
  }

  placeAt({ x, y }) {
    for (const place of PLACES) {
      const box = this.geometry.touch(place);
      if (x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height) return place;
    }
    return null;
  }

  down(event) {
    if (event.button > 0 || this.held) return;
    const place = this.placeAt(this.units(event));
    if (place === null) return;
    this.held = { place, x: event.clientX, y: event.clientY, pointer: event.pointerId, ghost: null };
    this.element.setPointerCapture(event.pointerId);
  }

  moved(event) {
    const held = this.held;
    if (!held || held.pointer !== event.pointerId) return;
    if (!held.ghost) {
      const far = Math.hypot(event.clientX - held.x, event.clientY - held.y);
      if (far < DRAGGED || !this.view.sources.has(held.place)) return;
      this.ondrag(held.place, null);
      held.ghost = this.checker("own", 0, 0, " held");
      this.layers.flying.replaceChildren(held.ghost);
    }
    const { x, y } = this.units(event);
    held.ghost.setAttribute("transform", `translate(${x} ${y})`);
  }

  up(event) {
    const held = this.held;
    if (!held || held.pointer !== event.pointerId) return;
    const place = this.placeAt(this.units(event));
    const dragged = held.ghost !== null;
    this.letGo();
    if (dragged) this.ondrag(held.place, place ?? held.place);
    else if (place === held.place) {
      this.roam(place);
      this.onchoose(place);
    }
  }

  letGo() {
    this.held?.ghost?.remove();
    this.held = null;
  }
}

/** What is read out for the cube. */
function cubeLabel({ value, owner, offered }) {
  if (offered) return `You are offered the cube at ${value}`;
  if (owner) return `Cube ${value}, ${owner === "person" ? "yours" : "the opponent's"}`;
  return value === 64 ? "Cube in the middle, showing 64: nobody has doubled" : `Cube ${value}, in the middle`;
}

/** What is read out for every place. */
export function placeLabels(board, selected, sources, targets) {
  const labels = {};
  const many = (count) => `${count} checker${count === 1 ? "" : "s"}`;
  for (const place of PLACES) {
    let text;
    if (place === OWN_BAR) text = `Your bar: ${board[25] ? many(board[25]) : "empty"}`;
    else if (place === BOT_BAR) text = `Opponent's bar: ${board[0] ? many(-board[0]) : "empty"}`;
    else if (place === OFF || place === BOT_OFF) {
      const sign = place === OFF ? 1 : -1;
      const off = 15 - board.reduce((sum, count) => sum + Math.max(0, sign * count), 0);
      text = `${place === OFF ? "You have" : "Opponent has"} borne off ${off}`;
    } else {
      const count = board[place];
      text = `Point ${place}: ${count === 0 ? "empty" : count > 0 ? `your ${many(count)}` : `opponent's ${many(-count)}`}`;
    }
    if (place === selected) text += ", selected";
    else if (targets.has(place)) text += ", you can move here";
    else if (selected === null && sources.has(place)) text += ", can move";
    labels[place] = text;
  }
  return labels;
}

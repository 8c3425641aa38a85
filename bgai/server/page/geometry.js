// Where everything stands on the board, in its own units.
//
// The board is thought of along the track (a: from the outer boards to home) and across it (d: from the
// network's edge to the person's). A wide board lays the track from left to right; a tall one, for telephones, from
// top to bottom, so that a point is as broad as a finger. Home can be on either side.

export const PITCH = 44;
export const CHECKER = 41;
export const SHOWN = 5;
export const DIE = 36;
export const CUBE = 38;

const OWN_BAR = 25;
const BOT_BAR = 0;
const OFF = "off";
const BOT_OFF = "bot off";
const CHANNEL = 48;
const STEP = 41;
const SLAB = 9.2;

/** What can be pointed at: the points, both bars, both trays. */
export const PLACES = [...Array(24).keys()].map((n) => n + 1).concat([OWN_BAR, BOT_BAR, OFF, BOT_OFF]);
export { OWN_BAR, BOT_BAR, OFF, BOT_OFF };

export class Geometry {
  /** `tall`: for a narrow screen; `home`: "right" or "left"; `across`: width of a tall board in units. */
  constructor(tall, home, across = 396) {
    this.tall = tall;
    this.home = home;
    this.rim = tall ? 3 : 12;
    this.bar = tall ? 44 : 50;
    this.tray = tall ? 44 : 46;
    this.gap = tall ? 2 : 6;
    this.strip = tall ? 17 : 24;
    this.length = this.rim + 12 * PITCH + this.bar + this.gap + this.tray + this.rim;
    this.across = tall ? across : 2 * this.strip + 2 * SHOWN * STEP + CHANNEL + 8;
    const depth = (this.across - 2 * this.strip - CHANNEL) / 2;
    this.depth = depth;
    this.step = Math.min(STEP, (depth - CHECKER - 1) / (SHOWN - 1));
    this.width = tall ? this.across : this.length;
    this.height = tall ? this.length : this.across;
    this.middle = this.across / 2;
  }

  /** Along and across to x and y. */
  xy(a, d) {
    if (this.tall) return { x: this.home === "right" ? d : this.across - d, y: a };
    return { x: this.home === "right" ? a : this.length - a, y: d };
  }

  /** The rectangle between two corners given along and across. */
  box(a0, d0, a1, d1) {
    const one = this.xy(a0, d0);
    const two = this.xy(a1, d1);
    return {
      x: Math.min(one.x, two.x),
      y: Math.min(one.y, two.y),
      width: Math.abs(one.x - two.x),
      height: Math.abs(one.y - two.y),
    };
  }

  column(point) {
    return point <= 12 ? 12 - point : point - 13;
  }

  along(point) {
    const column = this.column(point);
    return this.rim + (column + 0.5) * PITCH + (column >= 6 ? this.bar : 0);
  }

  get barAlong() {
    return this.rim + 6 * PITCH + this.bar / 2;
  }

  get trayAlong() {
    return this.rim + 12 * PITCH + this.bar + this.gap + this.tray / 2;
  }

  /** The two fields and the bar, as rectangles. */
  get fields() {
    const start = this.rim;
    const half = 6 * PITCH;
    const [top, bottom] = [this.strip, this.across - this.strip];
    return [this.box(start, top, start + half, bottom), this.box(start + half + this.bar, top, start + 2 * half + this.bar, bottom)];
  }

  get barBox() {
    return this.box(this.barAlong - this.bar / 2, 0, this.barAlong + this.bar / 2, this.across);
  }

  trayBox(own) {
    const [top, bottom] = own ? [this.middle + 4, this.across - this.strip + 8] : [this.strip - 8, this.middle - 4];
    return this.box(this.trayAlong - this.tray / 2, top, this.trayAlong + this.tray / 2, bottom);
  }

  /** The three corners of a point. */
  triangle(point) {
    const a = this.along(point);
    const own = point <= 12;
    const base = own ? this.across - this.strip : this.strip;
    const tip = own ? base - this.depth + 4 : base + this.depth - 4;
    return [this.xy(a - PITCH / 2 + 1, base), this.xy(a + PITCH / 2 - 1, base), this.xy(a, tip)];
  }

  /** Where the number of a point is written. */
  number(point) {
    const half = this.strip / 2;
    return this.xy(this.along(point), point <= 12 ? this.across - half : half);
  }

  /** What is touched for a place. */
  touch(place) {
    if (place === OFF || place === BOT_OFF) return this.trayBox(place === OFF);
    if (place === OWN_BAR || place === BOT_BAR) {
      const near = CUBE / 2 + 3;
      const [top, bottom] = place === OWN_BAR ? [this.middle + near, this.across] : [0, this.middle - near];
      return this.box(this.barAlong - this.bar / 2, top, this.barAlong + this.bar / 2, bottom);
    }
    const a = this.along(place);
    const [top, bottom] = place <= 12 ? [this.middle + 2, this.across] : [0, this.middle - 2];
    return this.box(a - PITCH / 2, top, a + PITCH / 2, bottom);
  }

  /** The most checkers that are drawn of a stack. */
  shown(place) {
    return place === OWN_BAR || place === BOT_BAR ? 3 : SHOWN;
  }

  /** The middle of a checker; level 0 is at the edge, on the bar nearest to the cube. */
  checker(place, level) {
    if (place === OWN_BAR || place === BOT_BAR) {
      const away = CUBE / 2 + 4 + CHECKER / 2 + level * Math.min(STEP, (this.depth - CUBE - CHECKER) / 2 + 6);
      return this.xy(this.barAlong, place === OWN_BAR ? this.middle + away : this.middle - away);
    }
    if (place === OFF || place === BOT_OFF) {
      const box = this.trayBox(place === OFF);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }
    const deep = CHECKER / 2 + 1 + level * this.step;
    return this.xy(this.along(place), place <= 12 ? this.across - this.strip - deep : this.strip + deep);
  }

  /** A checker that was borne off, from its edge; counted from 0. */
  slab(own, number) {
    const deep = 2 + number * SLAB + Math.floor(number / 5) * 3;
    const edge = own ? this.across - this.strip + 4 : this.strip - 4;
    const sign = own ? -1 : 1;
    const [a0, a1] = [this.trayAlong - this.tray / 2 + 4, this.trayAlong + this.tray / 2 - 4];
    return this.box(a0, edge + sign * deep, a1, edge + sign * (deep + SLAB - 1.6));
  }

  /** Where the number of those borne off is written. */
  count(own) {
    return this.xy(this.trayAlong, own ? this.middle + 18 : this.middle - 18);
  }

  /** The middle of the cube: owner "person", "bot" or null; offered ones lie in the outer boards. */
  cube(owner, offered) {
    if (offered) return this.xy(this.rim + 3 * PITCH, this.middle);
    const inset = this.strip / 2 + CUBE / 2 + 4;
    const d = owner === "person" ? this.across - inset : owner === "bot" ? inset : this.middle;
    return this.xy(this.barAlong, d);
  }

  /** The middles of so many dice: the person's lie in the home half, the network's in the other. */
  dice(own, many) {
    const middle = this.rim + 3 * PITCH + (own ? 6 * PITCH + this.bar : 0);
    return [...Array(many).keys()].map((n) => this.xy(middle + (n - (many - 1) / 2) * (DIE + 10), this.middle));
  }
}

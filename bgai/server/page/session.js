// One game of the server, kept in step: what this tab does, what other tabs do, and what got lost on the way.

import { Refusal } from "./api.js";

export class Session {
  /**
   * `onstate(state, fresh, how)`: the game has changed by the events `fresh`; `how` is "opened", "acted" or "told", the last when
   * the news did not come from this tab. `onbusy(busy)`; `onsay(text)` for a notice; `ongone()` when the game is no more.
   */
  constructor(api, id, handlers) {
    this.api = api;
    this.id = id;
    Object.assign(this, handlers);
    this.state = null;
    this.events = [];
    this.busy = false;
    this.closing = new AbortController();
  }

  get path() {
    return `/games/${this.id}`;
  }

  /** Fetches the game with all that has happened in it, and listens from then on. */
  async open() {
    const { signal } = this.closing;
    try {
      this.take(await this.api.get(`${this.path}?since=0`, { signal }), "opened");
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return this.ongone();
      throw error;
    }
    return this.listen();
  }

  listen() {
    if (this.state.phase === "over") return;
    this.api.follow(this.id, {
      since: () => this.state.version,
      onstate: (state) => this.take(state, "told"),
      ondeleted: () => this.ongone(),
      signal: this.closing.signal,
    });
  }

  close() {
    this.closing.abort();
  }

  /** Takes over a state if it is newer than the one that is known. */
  take(state, how) {
    if (this.closing.signal.aborted) return;
    const known = this.state?.version ?? 0;
    if (this.state && state.version <= known) return;
    const fresh = state.events.filter((event) => event.number > known);
    if (fresh.length !== state.version - known) {
      this.refresh();
      return;
    }
    this.events.push(...fresh);
    this.state = state;
    // While an action of this tab is under way the stream may be faster than its answer.
    this.onstate(state, fresh, how === "told" && this.busy ? "acted" : how);
  }

  async refresh() {
    const since = this.state?.version ?? 0;
    this.take(await this.api.get(`${this.path}?since=${since}`), "told");
  }

  /** Does something; true if the game went on by it. It is sent until there is an answer, and counts once. */
  async act(action, more = {}) {
    if (this.busy) return false;
    this.busy = true;
    this.onbusy(true);
    const { version } = this.state;
    try {
      const answer = await this.api.post(`${this.path}/actions`, { version, action, ...more }, { signal: this.closing.signal });
      this.take(answer, "acted");
      return true;
    } catch (error) {
      if (this.closing.signal.aborted) return false;
      if (!(error instanceof Refusal)) throw error;
      if (error.status === 409 && error.problem.state) {
        const news = error.problem.state;
        this.take(news, "acted");
        const first = this.events.find((event) => event.number === version + 1);
        const ours = first && (first.event === action || (action === "next game" && ["start", "setup"].includes(first.event)));
        if (!ours) this.onsay("The game has gone on in another tab. Here is how it stands.");
        return Boolean(ours);
      }
      if (error.status === 404) this.ongone();
      else this.onsay(error.message);
      return false;
    } finally {
      this.busy = false;
      this.onbusy(false);
    }
  }

  /** What the tutor says to an action; null where the server would refuse it anyway. Fails when there is no answer. */
  async check(action, more = {}) {
    const question = { version: this.state.version, action, ...more };
    try {
      return await this.api.post(`${this.path}/check`, question, { tries: 3, patience: 30_000, signal: this.closing.signal });
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      if (error.status === 409 && error.problem.state) this.take(error.problem.state, "told");
      return null;
    }
  }
}

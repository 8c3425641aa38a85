// The server, asked over HTTP. What the network loses is asked again until it is answered; that is safe, because every
// action carries the version of the game that it was meant for.

const ROOT = "/api/v1";
const WAITS = [600, 1200, 2500, 5000, 8000];
const PATIENCE = 90_000; // milliseconds for one answer: some levels think for long
const TOKEN = "bgai.token";

/** The server said no: `status`, and `problem` with its words. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || `The server answered ${status}.`);
    this.status = status;
    this.problem = problem;
  }
}

export class Api {
  /** `ontrouble(text)` while an answer fails to come, `onwell()` when it is there; `asktoken()` when one is needed. */
  constructor({ ontrouble, onwell, asktoken }) {
    Object.assign(this, { ontrouble, onwell, asktoken });
    this.troubled = new Set();
  }

  headers(more = {}) {
    const token = sessionStorage.getItem(TOKEN);
    return token ? { ...more, Authorization: `Bearer ${token}` } : more;
  }

  get(path, options) {
    return this.send("GET", path, undefined, options);
  }

  post(path, body, options) {
    return this.send("POST", path, body, options);
  }

  /**
   * What the server answers, as `read` makes it of a response. One request is asked again after trouble on the way, up to
   * so many `tries`; answers that say no are thrown as `Refusal`.
   */
  async send(method, path, body, { tries = Infinity, patience = PATIENCE, read = (answer) => answer.json(), signal } = {}) {
    const mark = Symbol(path);
    try {
      for (let tried = 1; ; tried++) {
        const { answer, content, problem, error } = await this.attempt(method, path, body, { patience, read, signal });
        if (answer?.ok) return content;
        if (signal?.aborted) throw error ?? signal.reason;
        let wait = WAITS[Math.min(tried, WAITS.length) - 1];
        if (answer) {
          if (answer.status === 401) {
            sessionStorage.setItem(TOKEN, await this.asktoken(problem.detail));
            continue;
          }
          const busy = answer.status === 429 || [502, 503].includes(answer.status);
          if (!busy || problem.type?.endsWith("too-many-games")) throw new Refusal(answer.status, problem);
          const after = Number(answer.headers.get("Retry-After"));
          if (after > 0) wait = Math.min(after * 1000, 30_000);
        }
        const what = answer ? "The server is busy" : navigator.onLine ? "The server does not answer" : "No connection";
        if (tried >= tries) throw new Error(`${what}.`);
        this.trouble(mark, `${what}. Trying again …`);
        await pause(wait, signal);
      }
    } finally {
      this.well(mark);
    }
  }

  /**
   * The `answer` with its `content`, or with the `problem` if it says no; or the `error` that came instead. All of an answer
   * has to arrive: one that is cut off, or stops half-way for longer than `patience` milliseconds, is none.
   */
  async attempt(method, path, body, { patience, read, signal }) {
    const given = new AbortController();
    const timer = setTimeout(() => given.abort(), patience);
    const stop = () => given.abort();
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    try {
      const headers = this.headers(body === undefined ? {} : { "Content-Type": "application/json" });
      const text = body === undefined ? undefined : JSON.stringify(body);
      const answer = await fetch(ROOT + path, { method, headers, body: text, signal: given.signal, cache: "no-store" });
      if (answer.ok) return { answer, content: answer.status === 204 ? null : await read(answer) };
      // What stands between may say no in words of its own.
      const ours = answer.headers.get("Content-Type")?.includes("json");
      return { answer, problem: ours ? await answer.json() : {} };
    } catch (error) {
      return { error };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }

  trouble(mark, text) {
    this.troubled.add(mark);
    this.ontrouble(text);
  }

  well(mark) {
    if (this.troubled.delete(mark) && this.troubled.size === 0) this.onwell();
  }

  /** Listens to the changes of a game; `onstate(state)`, `ondeleted()`. Ends when `signal` says so or all is over. */
  async follow(id, { since, onstate, ondeleted, signal }) {
    const mark = Symbol("events");
    for (let tries = 0; !signal.aborted; ) {
      try {
        const last = since();
        const answer = await fetch(`${ROOT}/games/${id}/events?since=${last}`, {
          headers: this.headers({ Accept: "text/event-stream", "Last-Event-ID": String(last) }),
          signal,
          cache: "no-store",
        });
        if (answer.status === 404) return ondeleted();
        if (!answer.ok) throw new Error(`status ${answer.status}`);
        this.well(mark);
        for await (const { event, data } of messages(answer.body)) {
          tries = 0;
          if (event === "deleted") return ondeleted();
          if (event !== "state") continue;
          const state = JSON.parse(data);
          onstate(state);
          if (state.phase === "over") return undefined;
        }
      } catch (error) {
        if (signal.aborted) break;
        if (tries > 0) this.trouble(mark, "The connection to the server is lost. Trying again …");
      }
      await pause(WAITS[Math.min(tries++, WAITS.length - 1)], signal).catch(() => {});
    }
    this.well(mark);
    return undefined;
  }
}

/** Server-sent events of a stream. (`EventSource` cannot carry a token.) */
async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    rest += value.replaceAll("\r\n", "\n");
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      const message = { event: "message", data: "" };
      for (const line of rest.slice(0, end).split("\n")) {
        const match = /^(event|data): ?(.*)$/.exec(line);
        if (match?.[1] === "event") message.event = match[2];
        if (match?.[1] === "data") message.data += (message.data && "\n") + match[2];
      }
      rest = rest.slice(end + 2);
      yield message;
    }
  }
}

/** Waits; ends with an error when `signal` says so. */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
    return undefined;
  });
}

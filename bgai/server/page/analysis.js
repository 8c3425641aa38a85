// The analysis of the match so far: a job of the server, watched, and its report.

import { pause } from "./api.js";
import { open } from "./dialogs.js";
import { at } from "./dom.js";

const OFTEN = 700; // milliseconds between two looks at the job

export class Analysis {
  constructor(api) {
    this.api = api;
    at("analysis-start").addEventListener("click", () => this.run());
    at("analysis-stop").addEventListener("click", () => this.stop());
  }

  open(session) {
    if (this.session !== session) this.reset();
    this.session = session;
    open("analysis");
  }

  reset() {
    this.watching?.abort();
    if (this.report) URL.revokeObjectURL(this.report);
    this.report = null;
    this.say("");
    this.show({ running: false, report: false });
  }

  say(text) {
    at("analysis-status").textContent = text;
  }

  show({ running, report }) {
    at("analysis-start").hidden = running || report;
    at("analysis-stop").hidden = !running;
    at("analysis-progress").hidden = !running;
    at("analysis-level").disabled = running;
    at("analysis-report").hidden = !report;
  }

  async run() {
    this.reset();
    const watching = (this.watching = new AbortController());
    const { signal } = watching;
    const options = { signal };
    this.show({ running: true, report: false });
    this.say("Analysing …");
    try {
      let job = await this.api.post(`${this.session.path}/analysis`, { level: at("analysis-level").value }, options);
      this.job = job.id;
      while (!["done", "failed", "cancelled"].includes(job.state)) {
        const { stage, done, total } = job.progress;
        const bar = at("analysis-progress");
        if (total) [bar.max, bar.value] = [total, done];
        this.say(job.state === "waiting" ? "Waiting for its turn …" : `${stage || "Analysing"} ${total ? `${done} of ${total}` : "…"}`);
        await pause(OFTEN, signal);
        job = await this.api.get(`/jobs/${job.id}`, options);
      }
      this.job = null;
      if (job.state !== "done") throw new Error(job.problem?.detail ?? "The analysis was stopped.");
      const report = await this.api.get(`/jobs/${job.id}/report`, { ...options, read: (answer) => answer.text() });
      this.report = URL.createObjectURL(new Blob([report], { type: "text/html" }));
      at("analysis-report").href = this.report;
      this.say("The report is ready.");
      this.show({ running: false, report: true });
      at("analysis-report").focus();
    } catch (error) {
      if (signal.aborted && this.watching !== watching) return;
      this.say(signal.aborted ? "Stopped." : error.message);
      this.show({ running: false, report: false });
    }
  }

  async stop() {
    const job = this.job;
    this.watching?.abort();
    if (job) await this.api.send("DELETE", `/jobs/${job}`, undefined, { tries: 1 }).catch(() => {});
  }
}

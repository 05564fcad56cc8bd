// One agent process, and the connection of the SDK's version 2 to it. It keeps every line of both directions as a tape, which
// the test gives to the judge.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";
import { soon } from "./agent.mjs";
import { dial, ended, listening } from "./dial.mjs";

const { agent: on, client: asked } = acp.methods;

/** The error of a request that was cancelled. */
export const CANCELLED = -32800;

/** The capabilities of a client that can do everything the checks need. */
export const ALL_CAPABILITIES = { auth: { terminal: {} }, elicitation: { form: {}, url: {} } };

/** How long an agent may take to end after its stdin was closed, in milliseconds. */
const EXIT_BUDGET = 2000;

export const text = (words) => ({ type: "text", text: words });

/** The values of a full state, by option, in its order. */
export function values(configOptions) {
  return Object.fromEntries(configOptions.map((option) => [option.configId, option.currentValue]));
}

/** The text of the chunks of one kind. */
export function told(updates, kind = "agent_message_chunk") {
  const chunks = updates.filter((update) => update.sessionUpdate === kind);
  return chunks.map((chunk) => chunk.content.text).join("");
}

/** The updates of one kind. */
export function only(updates, kind) {
  return updates.filter((update) => update.sessionUpdate === kind);
}

/** The states that the updates tell, with the reason of the end. */
export function states(updates) {
  return only(updates, "state_update").map(({ state, stopReason }) => (stopReason ? `${state} ${stopReason}` : state));
}

/** An initialized agent with one session. */
export async function withSession(start, capabilities = ALL_CAPABILITIES) {
  const agent = await start();
  await agent.initialize(capabilities);
  const session = await agent.newSession();
  return { agent, session, id: session.sessionId };
}

export class Agent {
  /** Parameters of the `session/update` notifications that the SDK accepted. */
  updates = [];
  permissions = [];
  elicitations = [];
  /** The ids of elicitations that the agent has told to be complete. */
  completed = [];
  /** Whether a check breaks a rule of the protocol on purpose. The judge then reads the agent's messages alone. */
  isWrong = false;
  /** Requests of the agent that it has withdrawn with `$/cancel_request`. */
  withdrawn = 0;
  /** Answers a permission request with an option's id, or `null` for "cancelled"; may be async. */
  decide = () => "allow";
  /** Answers an elicitation; may be async. */
  fill = () => ({ action: "accept", content: {} });

  #child;
  #connection;
  #changed = new Set();
  #stderr = "";
  /** How many updates the agent has sent. */
  #sent = 0;
  #tape = [];
  #began = performance.now();

  /** Starts a program with its own working directory below `scratch`, and with a store there if it keeps one. */
  static async start({ program, stores }, scratch) {
    const agent = new Agent();
    agent.cwd = join(scratch, "project");
    await mkdir(agent.cwd, { recursive: true });
    await agent.#open(program, stores ? ["--store", join(scratch, "store")] : []);
    return agent;
  }

  async #open(program, args) {
    const child = spawn(program, [...args, ...listening], { stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    child.on("error", (error) => (this.#stderr += String(error)));
    child.stderr.setEncoding("utf8").on("data", (words) => (this.#stderr += words));
    const stream = await dial(child, (direction, line) => this.#record(direction, line));
    this.#connection = acp
      .client({ name: "acp-tests" })
      .onRequest(asked.session.requestPermission, ({ params, signal }) => this.#permission(params, signal))
      .onRequest(asked.elicitation.create, ({ params, signal }) => this.#elicitation(params, signal))
      .onNotification(asked.elicitation.complete, ({ params }) => {
        this.completed.push(params.elicitationId);
        this.#notify();
      })
      .onNotification(asked.session.update, ({ params }) => {
        this.updates.push(params);
        this.#notify();
      })
      .connect(stream);
  }

  /** Writes a line on the tape. */
  #record(dir, line) {
    if (dir === "<" && line.includes('"method":"session/update"')) this.#sent += 1;
    this.#tape.push(JSON.stringify({ dir, ms: Math.floor(performance.now() - this.#began), line }));
  }

  #notify() {
    for (const look of [...this.#changed]) look();
  }

  /** Waits for the answer of the person, or until the agent withdraws its request. */
  async #person(answer, signal, withdrawn) {
    this.#notify();
    const aborted = new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        this.withdrawn += 1;
        resolve(withdrawn);
        this.#notify();
      });
    });
    return Promise.race([answer, aborted]);
  }

  async #permission(params, signal) {
    this.permissions.push(params);
    const optionId = await this.#person(this.decide(params), signal, null);
    return { outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
  }

  async #elicitation(params, signal) {
    this.elicitations.push(params);
    return this.#person(this.fill(params), signal, { action: "cancel" });
  }

  /** Waits until `look()` is truthy, and returns that. */
  async until(look, what) {
    let check;
    const found = new Promise((resolve, reject) => {
      check = () => {
        try {
          const value = look();
          if (value) resolve(value);
        } catch (error) {
          reject(error);
        }
      };
    });
    this.#changed.add(check);
    check();
    try {
      return await soon(found, what);
    } finally {
      this.#changed.delete(check);
    }
  }

  request(method, params, options) {
    return this.#connection.agent.request(method, params, options);
  }

  /** A session as the SDK offers it: with a queue of its own. */
  active() {
    return soon(this.#connection.agent.buildSession(this.cwd).start(), "session/new");
  }

  initialize(capabilities = ALL_CAPABILITIES, protocolVersion = acp.PROTOCOL_VERSION) {
    const info = { name: "acp-tests", version: "1.0.0" };
    return soon(this.request(on.initialize, { protocolVersion, capabilities, info }), "initialize");
  }

  login(methodId) {
    return soon(this.request(on.auth.login, { methodId }), "auth/login");
  }

  logout() {
    return soon(this.request(on.auth.logout, {}), "auth/logout");
  }

  newSession() {
    return soon(this.request(on.session.new, { cwd: this.cwd, mcpServers: [] }), "session/new");
  }

  /** The SDK hands over updates after the answer that follows them, so this waits for those that came before. */
  async #opened(params) {
    const answer = await soon(this.request(on.session.resume, params), "session/resume");
    await this.#handedOver();
    return answer;
  }

  #handedOver() {
    const sent = this.#sent;
    return this.until(() => this.updates.length >= sent, `${sent} updates in the SDK's handler`);
  }

  resume(sessionId) {
    return this.#opened({ sessionId, cwd: this.cwd, mcpServers: [] });
  }

  /** Resumes a session, and has all of it said again. */
  replay(sessionId) {
    return this.#opened({ sessionId, cwd: this.cwd, mcpServers: [], replayFrom: { type: "start" } });
  }

  close(sessionId) {
    return soon(this.request(on.session.close, { sessionId }), "session/close");
  }

  delete(sessionId) {
    return soon(this.request(on.session.delete, { sessionId }), "session/delete");
  }

  list(filter = {}) {
    return soon(this.request(on.session.list, filter), "session/list");
  }

  /** Sets an option to a string (a select) or a boolean, and returns the options of the answer. */
  async set(sessionId, configId, value) {
    const type = typeof value === "boolean" ? "boolean" : "id";
    const request = this.request(on.session.setConfigOption, { sessionId, configId, type, value });
    return (await soon(request, "session/set_config_option")).configOptions;
  }

  prompt(sessionId, words, options) {
    return this.request(on.session.prompt, { sessionId, prompt: [text(words)] }, options);
  }

  cancel(sessionId) {
    return this.#connection.agent.notify(on.session.cancel, { sessionId });
  }

  /** The updates of a session that the SDK handed over, from the place `from` of all on. */
  updatesOf(sessionId, from = 0) {
    return this.updates
      .slice(from)
      .filter((notification) => notification.sessionId === sessionId)
      .map((notification) => notification.update);
  }

  /** The updates from an inserted message up to `idle`. */
  worked(sessionId, messageId) {
    return this.until(() => {
      const updates = this.updatesOf(sessionId);
      const begin = updates.findIndex((update) => update.sessionUpdate === "user_message" && update.messageId === messageId);
      if (begin < 0) return undefined;
      const end = updates.findIndex((update, at) => at > begin && update.state === "idle");
      return end < 0 ? undefined : updates.slice(begin, end + 1);
    }, "the end of the turn");
  }

  /** Sends a prompt, and returns the updates of its turn. */
  async turn(sessionId, words) {
    const { messageId } = await soon(this.prompt(sessionId, words), "the answer to session/prompt");
    return this.worked(sessionId, messageId);
  }

  /** Closes stdin; the agent has to end by itself, with code 0. */
  async end() {
    const child = this.#child;
    assert.equal(child.exitCode ?? child.signalCode, null, `the agent ended early; stderr: ${this.#stderr}`);
    const closed = once(child, "close");
    this.#record(">", "EOF");
    const [code, signal] = await ended(child, closed, EXIT_BUDGET);
    this.#record("<", "EXIT");
    assert.equal(signal, null, `still running ${EXIT_BUDGET} ms after it was told to end`);
    assert.equal(code, 0, `exit code ${code}; stderr: ${this.#stderr}`);
    await this.#handedOver();
  }

  /** Keeps the tape in a file for the judge. */
  save(path) {
    return writeFile(`${path}.${this.isWrong ? "wrong" : "sound"}.jsonl`, `${this.#tape.join("\n")}\n`);
  }

  kill() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill("SIGKILL");
  }
}

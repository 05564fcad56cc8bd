// One agent process, and the SDK's connection to it. It keeps every message as it was sent, so that a
// check can look at the bytes and not only at the SDK's objects.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as acp from "@agentclientprotocol/sdk";
import { dial, ended, listening, withoutCursor } from "./dial.mjs";

const { agent: agentMethods, client: clientMethods } = acp.methods;

/** What a client that can do everything the checks need says of itself. */
export const ALL_CAPABILITIES = {
  fs: { readTextFile: true, writeTextFile: true },
  session: { configOptions: { boolean: {} } },
};

/** How long an agent may take to end after its stdin was closed, in milliseconds. */
const EXIT_BUDGET = 2000;

/** How long anything may take that is expected to come soon, in milliseconds. */
const SOON = 5000;

/** Fails with `what` unless `promise` settles soon. */
export async function soon(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${SOON} ms`)), SOON);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asserts that a request is refused with `code`, and returns the error. */
export async function refused(promise, code) {
  const error = await soon(
    promise.then(
      (result) => assert.fail(`answered ${JSON.stringify(result)} instead of an error`),
      (error) => error,
    ),
    "the refusal",
  );
  if (!(error instanceof acp.RequestError)) throw error;
  assert.equal(error.code, code, `the error is ${error.code}: ${error.message}`);
  assert.ok(error.message.length > 0, "the error has a message");
  return error;
}

/** The values of a full state, by option, in its order. */
export function values(configOptions) {
  return Object.fromEntries(configOptions.map((option) => [option.id, option.currentValue]));
}

/** An initialized agent with one session. */
export async function withSession(start, capabilities = ALL_CAPABILITIES) {
  const agent = await start();
  await agent.initialize(capabilities);
  const session = await agent.newSession();
  return { agent, session, id: session.sessionId };
}

export class Agent {
  /** Messages of the agent as parsed from its lines, in the order of the wire. */
  wire = [];
  /** Lines that were no JSON-RPC message. */
  strays = [];
  /** Parameters of the `session/update` notifications that the SDK accepted. */
  updates = [];
  permissions = [];
  writes = [];
  /** The names of members that the agent adds to updates, and that the SDK leaves out. */
  own = [];
  /** Names and parameters of messages that the SDK does not know. */
  extensions = [];
  /** Answers a request that the SDK does not know. */
  extend = (method) => {
    throw acp.RequestError.methodNotFound(method);
  };
  /** Answers a permission request with an option's id, or `null` for "cancelled"; may be async. */
  decide = () => "allow";

  #child;
  #connection;
  #changed = new Set();
  #stderr = "";

  /** Starts `command` with its own store and working directory below `scratch`. */
  static async start(command, scratch) {
    const agent = new Agent();
    agent.store = join(scratch, "store");
    agent.cwd = join(scratch, "project");
    await mkdir(agent.cwd, { recursive: true });
    await agent.#open(command);
    return agent;
  }

  async #open(command) {
    const child = spawn(command, ["--store", this.store, ...listening], { stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    child.on("error", (error) => (this.#stderr += String(error)));
    child.stderr.setEncoding("utf8").on("data", (text) => (this.#stderr += text));
    const stream = await dial(child, (direction, line) => {
      if (direction === "<") this.#observe(line);
    });
    this.#connection = acp
      .client({ name: "acp-tests" })
      .onRequest(clientMethods.session.requestPermission, (context) => this.#permission(context.params))
      .onRequest(clientMethods.fs.writeTextFile, (context) => {
        this.writes.push(withoutCursor(context.params));
        return {};
      })
      .onRequest("*", ({ method, params }) => {
        this.extensions.push([method, params]);
        return this.extend(method, params);
      })
      .onNotification("*", ({ method, params }) => {
        this.extensions.push([method, params]);
      })
      .onNotification(clientMethods.session.update, (context) => {
        this.updates.push(withoutCursor(context.params));
        this.#notify();
      })
      .connect(stream);
  }

  #observe(line) {
    try {
      const message = JSON.parse(line);
      assert.equal(message.jsonrpc, "2.0");
      this.wire.push(message);
    } catch {
      this.strays.push(line);
    }
    this.#notify();
  }

  #notify() {
    for (const look of [...this.#changed]) look();
  }

  async #permission(params) {
    this.permissions.push(withoutCursor(params));
    this.#notify();
    const optionId = await this.decide(params);
    return { outcome: optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
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

  request(method, params) {
    return this.#connection.agent.request(method, params);
  }

  /** The SDK's own object for a session that an answer has opened. */
  attach(answer) {
    return this.#connection.agent.attachSession(answer);
  }

  initialize(clientCapabilities = ALL_CAPABILITIES, protocolVersion = acp.PROTOCOL_VERSION) {
    const clientInfo = { name: "acp-tests", version: "1.0.0" };
    return soon(this.request(agentMethods.initialize, { protocolVersion, clientCapabilities, clientInfo }), "initialize");
  }

  newSession() {
    return soon(this.request(agentMethods.session.new, { cwd: this.cwd, mcpServers: [] }), "session/new");
  }

  load(sessionId) {
    return soon(this.request(agentMethods.session.load, { sessionId, cwd: this.cwd, mcpServers: [] }), "session/load");
  }

  resume(sessionId) {
    return soon(this.request(agentMethods.session.resume, { sessionId, cwd: this.cwd }), "session/resume");
  }

  close(sessionId) {
    return soon(this.request(agentMethods.session.close, { sessionId }), "session/close");
  }

  delete(sessionId) {
    return soon(this.request(agentMethods.session.delete, { sessionId }), "session/delete");
  }

  list(filter = {}) {
    return soon(this.request(agentMethods.session.list, filter), "session/list");
  }

  setMode(sessionId, modeId) {
    return soon(this.request(agentMethods.session.setMode, { sessionId, modeId }), "session/set_mode");
  }

  /** Sets an option to a string (a select) or a boolean, and returns the options of the answer. */
  async set(sessionId, configId, value) {
    const typed = typeof value === "boolean" ? { type: "boolean", value } : { value };
    const request = this.request(agentMethods.session.setConfigOption, { sessionId, configId, ...typed });
    return (await soon(request, "session/set_config_option")).configOptions;
  }

  prompt(sessionId, text) {
    const prompt = [{ type: "text", text }];
    return this.request(agentMethods.session.prompt, { sessionId, prompt });
  }

  cancel(sessionId) {
    return this.#connection.agent.notify(agentMethods.session.cancel, { sessionId });
  }

  /** The updates of a session that the SDK handed over, optionally of one kind. */
  updatesOf(sessionId, kind) {
    return this.updates
      .filter((notification) => notification.sessionId === sessionId)
      .map((notification) => notification.update)
      .filter((update) => kind === undefined || update.sessionUpdate === kind);
  }

  /** The text of a session's chunks of one kind. */
  text(sessionId, kind = "agent_message_chunk") {
    return this.updatesOf(sessionId, kind).map((chunk) => chunk.content.text).join("");
  }

  /** Closes stdin; the agent has to end by itself, with code 0, having written nothing but messages. */
  async end() {
    const child = this.#child;
    assert.equal(child.exitCode ?? child.signalCode, null, `the agent ended early; stderr: ${this.#stderr}`);
    const closed = once(child, "close");
    const [code, signal] = await ended(child, closed, EXIT_BUDGET);
    assert.equal(signal, null, `still running ${EXIT_BUDGET} ms after it was told to end`);
    assert.equal(code, 0, `exit code ${code}; stderr: ${this.#stderr}`);
    assert.deepEqual(this.strays, [], "lines on stdout that are no message");
    const sent = this.wire.filter((message) => message.method === clientMethods.session.update);
    await this.until(() => this.updates.length >= sent.length, `${sent.length} updates in the SDK's handler`);
    const known = sent.map(({ params }) => {
      const update = Object.entries(params.update).filter(([name]) => !this.own.includes(name));
      return { ...withoutCursor(params), update: Object.fromEntries(update) };
    });
    assert.deepEqual(this.updates, known, "updates that the SDK changed");
  }

  kill() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill("SIGKILL");
  }
}

// An agent of version 2 on the TypeScript SDK. It does what the agent of version 1 beside it does: so one client, with the
// same code, drives both.
//
// A prompt that comes while another is worked on waits. Ids of tool calls are those of the agent of version 1: each turn uses
// the same. Between its turns, the agent reports work of its own when it is asked to ("later").

import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk/experimental/v2";

const PAGE = 2;
const { agent: on, client } = methods;
const sessions = new Map();
let messages = 0;

const configOptions = (session) => [
  {
    configId: "model",
    name: "Model",
    category: "model",
    type: "select",
    currentValue: session.model,
    options: [
      { groupId: "sizes", name: "Sizes", options: [
        { value: "small", name: "Small" },
        { value: "large", name: "Large" },
      ] },
    ],
  },
  { configId: "brave", name: "Brave", type: "boolean", currentValue: session.brave },
];

class Cancelled extends Error {}

const pause = (signal, milliseconds = 20) =>
  new Promise((resolve, reject) =>
    setTimeout(() => (signal.aborted ? reject(new Cancelled()) : resolve()), milliseconds),
  );

class Turn {
  constructor(sessionId, client, signal) {
    Object.assign(this, { sessionId, client, signal, messageId: `message-${++messages}` });
  }

  update(update) {
    return this.client.notify(client.session.update, { sessionId: this.sessionId, update });
  }

  state(state) {
    return this.update({ sessionUpdate: "state_update", ...state });
  }

  say(content) {
    return this.update({ sessionUpdate: "agent_message_chunk", messageId: this.messageId, content });
  }

  text(text) {
    return this.say({ type: "text", text });
  }

  call(toolCallId, fields) {
    return this.update({ sessionUpdate: "tool_call_update", toolCallId, ...fields });
  }

  async work() {
    await this.text("I will look first. ");
    await pause(this.signal);
    await this.call("call_1", { title: "Reading the settings", kind: "read", status: "pending" });
    await pause(this.signal);
    await this.call("call_1", { status: "completed", content: [{ type: "content", content: { type: "text", text: "{}" } }] });
    await this.call("call_2", { title: "Changing the settings", kind: "edit", status: "pending" });
    const answer = this.client.request(client.session.requestPermission, {
      sessionId: this.sessionId,
      title: "May I change the settings?",
      subject: { type: "tool_call", toolCall: { toolCallId: "call_2" } },
      options: [
        { kind: "allow_once", name: "Change them", optionId: "allow" },
        { kind: "reject_once", name: "Leave them", optionId: "reject" },
      ],
    });
    await this.state({ state: "requires_action" });
    const { outcome } = await answer;
    // The SDK may deliver the answer before the notification that cancels the turn.
    if (outcome.outcome === "cancelled") throw new Cancelled();
    await this.state({ state: "running" });
    const allowed = outcome.optionId === "allow";
    await this.call("call_2", { status: allowed ? "completed" : "failed" });
    await pause(this.signal);
    await this.text(allowed ? "Changed." : "Left alone.");
  }

  async wait() {
    for (;;) {
      await this.text("tick ");
      await pause(this.signal);
    }
  }

  async later() {
    const background = [{ type: "tool_call", toolCallId: "watch" }];
    await this.call("watch", { title: "Watching", status: "in_progress" });
    await this.state({ state: "idle", stopReason: "end_turn", background });
    setTimeout(async () => {
      await this.state({ state: "running", background });
      await new Turn(this.sessionId, this.client, this.signal).text("It has changed.");
      await this.state({ state: "idle", stopReason: "end_turn", background });
      await this.call("watch", { status: "completed" });
      await this.state({ state: "idle", stopReason: "end_turn", background: [] });
    }, 20);
  }
}

/** Works on an inserted prompt until the session is idle. */
async function run(session, turn, prompt) {
  let stopReason = "end_turn";
  try {
    await turn.state({ state: "running" });
    if (prompt[0].text === "work") await turn.work();
    else if (prompt[0].text === "wait") await turn.wait();
    else if (prompt[0].text === "later") return await turn.later();
    else {
      for (const content of prompt) {
        await turn.say(content);
        session.history.push(["agent_message_chunk", turn.messageId, content]);
      }
    }
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    stopReason = "cancelled";
  }
  await turn.state({ state: "idle", stopReason });
}

function find(sessionId) {
  const session = sessions.get(sessionId);
  if (!session) throw new RequestError(-32002, `Session ${sessionId} not found`, { sessionId });
  return session;
}

/** Cancels what the session works on, and the prompts that wait. */
function cancel(session) {
  session.turn?.abort();
  for (const { reject } of session.held.splice(0)) reject(new RequestError(-32800, "cancelled"));
}

/** Inserts the next prompt, if nothing is worked on. */
function next(session) {
  if (session.turn || session.held.length === 0) return;
  const { sessionId, prompt, to, resolve } = session.held.shift();
  const abort = (session.turn = new AbortController());
  const turn = new Turn(sessionId, to, abort.signal);
  const messageId = `message-${++messages}`;
  for (const content of prompt) session.history.push(["user_message_chunk", messageId, content]);
  resolve({ messageId });
  turn
    .update({ sessionUpdate: "user_message", messageId, content: prompt })
    .then(() => run(session, turn, prompt))
    .finally(() => {
      session.turn = null;
      next(session);
    });
}

const example = agent({ name: "example-agent" })
  .onRequest(on.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    capabilities: { session: {} },
    info: { name: "example-agent", version: "2" },
  }))
  .onRequest(on.session.new, ({ params }) => {
    const sessionId = crypto.randomUUID();
    const session = { cwd: params.cwd, model: "small", brave: false, history: [], turn: null, held: [] };
    sessions.set(sessionId, session);
    return { sessionId, configOptions: configOptions(session) };
  })
  .onRequest(on.session.resume, async ({ params: { sessionId, replayFrom }, client: to }) => {
    const session = find(sessionId);
    const turn = new Turn(sessionId, to, null);
    if (replayFrom) {
      for (const [sessionUpdate, messageId, content] of session.history) {
        await turn.update({ sessionUpdate, messageId, content });
      }
    }
    await turn.state({ state: session.turn ? "running" : "idle", stopReason: session.turn ? undefined : "end_turn" });
    return { configOptions: configOptions(session) };
  })
  .onRequest(on.session.close, ({ params }) => {
    cancel(find(params.sessionId));
    return {};
  })
  .onRequest(on.session.list, ({ params }) => {
    const all = [...sessions].map(([sessionId, { cwd }]) => ({ sessionId, cwd }));
    const from = Number(params.cursor ?? 0);
    const nextCursor = from + PAGE < all.length ? String(from + PAGE) : undefined;
    return { sessions: all.slice(from, from + PAGE), nextCursor };
  })
  .onRequest(on.session.setConfigOption, ({ params: { sessionId, configId, value } }) => {
    const session = find(sessionId);
    session[configId] = value;
    return { configOptions: configOptions(session) };
  })
  .onRequest(on.session.prompt, ({ params: { sessionId, prompt }, client: to, signal }) => {
    const session = find(sessionId);
    return new Promise((resolve, reject) => {
      const held = { sessionId, prompt, to, resolve, reject };
      session.held.push(held);
      signal?.addEventListener("abort", () => {
        const at = session.held.indexOf(held);
        if (at < 0) return;
        session.held.splice(at, 1);
        reject(new RequestError(-32800, "withdrawn"));
      });
      next(session);
    });
  })
  .onNotification(on.session.cancel, ({ params }) => {
    const session = sessions.get(params.sessionId);
    if (session) cancel(session);
  });

example.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

// An agent on the TypeScript SDK, in the style of the SDK's own example: its turn has tool calls and a permission.
//
// It has the quirks of the example. Each turn uses the same ids of tool calls. If a turn is cancelled while it asks for
// permission, it ends with `end_turn`. Request ids begin at 0.

import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";

const PAGE = 2;
const { agent: on, client } = methods;
const sessions = new Map();
let knowsSwitches = false;

const modes = (session) => ({
  currentModeId: session.mode,
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "code", name: "Code" },
  ],
});

function configOptions(session) {
  const options = [
    {
      id: "model",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: session.model,
      options: [
        { value: "small", name: "Small" },
        { value: "large", name: "Large" },
      ],
    },
  ];
  if (knowsSwitches) options.push({ id: "brave", name: "Brave", type: "boolean", currentValue: session.brave });
  return options;
}

const pause = (signal, milliseconds = 20) =>
  new Promise((resolve, reject) =>
    setTimeout(() => (signal.aborted ? reject(new Error("aborted")) : resolve()), milliseconds),
  );

class Turn {
  constructor(sessionId, client, signal) {
    Object.assign(this, { sessionId, client, signal });
  }

  update(update) {
    return this.client.notify(client.session.update, { sessionId: this.sessionId, update });
  }

  say(content) {
    return this.update({ sessionUpdate: "agent_message_chunk", content });
  }

  text(text) {
    return this.say({ type: "text", text });
  }

  async work() {
    await this.text("I will look first. ");
    await pause(this.signal);
    await this.update({
      sessionUpdate: "tool_call",
      toolCallId: "call_1",
      title: "Reading the settings",
      kind: "read",
      status: "pending",
      locations: [{ path: "/project/settings.json" }],
      rawInput: { path: "/project/settings.json" },
    });
    await pause(this.signal);
    await this.update({
      sessionUpdate: "tool_call_update",
      toolCallId: "call_1",
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "{}" } }],
      rawOutput: { content: "{}" },
    });
    const toolCall = { toolCallId: "call_2", title: "Changing the settings", kind: "edit", status: "pending" };
    await this.update({ sessionUpdate: "tool_call", ...toolCall });
    const { outcome } = await this.client.request(client.session.requestPermission, {
      sessionId: this.sessionId,
      toolCall,
      options: [
        { kind: "allow_once", name: "Change them", optionId: "allow" },
        { kind: "reject_once", name: "Leave them", optionId: "reject" },
      ],
    });
    if (outcome.outcome === "cancelled") return;
    const allowed = outcome.optionId === "allow";
    await this.update({
      sessionUpdate: "tool_call_update",
      toolCallId: "call_2",
      status: allowed ? "completed" : "failed",
    });
    await pause(this.signal);
    await this.text(allowed ? "Changed." : "Left alone.");
  }

  async wait() {
    for (;;) {
      await this.text("tick ");
      await pause(this.signal);
    }
  }
}

const example = agent({ name: "example-agent" })
  .onRequest(on.initialize, ({ params }) => {
    knowsSwitches = Boolean(params.clientCapabilities?.session?.configOptions?.boolean);
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {}, resume: {} } },
      agentInfo: { name: "example-agent", version: "1" },
    };
  })
  .onRequest(on.session.new, ({ params }) => {
    const sessionId = crypto.randomUUID();
    const session = { cwd: params.cwd, mode: "ask", model: "small", brave: false, history: [], turn: null };
    sessions.set(sessionId, session);
    return { sessionId, modes: modes(session), configOptions: configOptions(session) };
  })
  .onRequest(on.session.load, async ({ params: { sessionId }, client: to }) => {
    const session = find(sessionId);
    const turn = new Turn(sessionId, to, null);
    for (const [sessionUpdate, content] of session.history) await turn.update({ sessionUpdate, content });
    return { modes: modes(session), configOptions: configOptions(session) };
  })
  .onRequest(on.session.resume, ({ params }) => ({ modes: modes(find(params.sessionId)) }))
  .onRequest(on.session.close, ({ params }) => find(params.sessionId).turn?.abort())
  .onRequest(on.session.list, ({ params }) => {
    const all = [...sessions].map(([sessionId, { cwd }]) => ({ sessionId, cwd, title: null }));
    const from = Number(params.cursor ?? 0);
    const nextCursor = from + PAGE < all.length ? String(from + PAGE) : undefined;
    return { sessions: all.slice(from, from + PAGE), nextCursor };
  })
  .onRequest(on.session.setMode, async ({ params: { sessionId, modeId }, client: to }) => {
    find(sessionId).mode = modeId;
    await new Turn(sessionId, to, null).update({ sessionUpdate: "current_mode_update", currentModeId: modeId });
  })
  .onRequest(on.session.setConfigOption, ({ params: { sessionId, configId, value } }) => {
    const session = find(sessionId);
    session[configId] = value;
    return { configOptions: configOptions(session) };
  })
  .onRequest(on.session.prompt, async ({ params: { sessionId, prompt }, client: to }) => {
    const session = find(sessionId);
    session.turn?.abort();
    const abort = (session.turn = new AbortController());
    const turn = new Turn(sessionId, to, abort.signal);
    for (const content of prompt) session.history.push(["user_message_chunk", content]);
    try {
      if (prompt[0].text === "work") await turn.work();
      else if (prompt[0].text === "wait") await turn.wait();
      else {
        for (const content of prompt) {
          await turn.say(content);
          session.history.push(["agent_message_chunk", content]);
        }
      }
    } catch (error) {
      if (abort.signal.aborted) return { stopReason: "cancelled" };
      throw error;
    }
    return { stopReason: "end_turn" };
  })
  .onNotification(on.session.cancel, ({ params }) => sessions.get(params.sessionId)?.turn?.abort());

function find(id) {
  const session = sessions.get(id);
  if (!session) throw new Error(`Session ${id} not found`);
  return session;
}

// With `--http`, it serves HTTP and WebSockets, and its first line is its URL.
if (process.argv[2] === "--http") await serve();
else example.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));

async function serve() {
  const { createServer } = await import("node:http");
  const { AcpServer } = await import("@agentclientprotocol/sdk/experimental/server");
  const { createNodeHttpHandler, createNodeWebSocketUpgradeHandler } = await import(
    "@agentclientprotocol/sdk/experimental/node"
  );
  const { WebSocketServer } = await import("ws");
  const acp = new AcpServer({ agent: example });
  const server = createServer(createNodeHttpHandler(acp));
  server.on("upgrade", createNodeWebSocketUpgradeHandler(acp, new WebSocketServer({ noServer: true })));
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/acp`));
}

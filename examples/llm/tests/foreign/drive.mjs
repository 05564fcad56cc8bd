// Drives `llm` through the TypeScript SDK: `drive.mjs AGENT FOLDER`. The environment names the server of the chat API.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import * as acp from "@agentclientprotocol/sdk";

const [command, cwd] = process.argv.slice(2);
const { agent: agentMethods, client: clientMethods } = acp.methods;
const written = [];
let updates = [];

/** An agent that is initialized. */
async function connect() {
  const child = spawn(command, [], { stdio: ["pipe", "pipe", "inherit"] });
  const connection = acp
    .client({ name: "acp-tests" })
    .onRequest(clientMethods.session.requestPermission, ({ params }) => {
      const option = params.options.find(({ kind }) => kind === "allow_always");
      return { outcome: { outcome: "selected", optionId: option.optionId } };
    })
    .onRequest(clientMethods.fs.writeTextFile, ({ params }) => {
      written.push(params);
      return {};
    })
    .onNotification(clientMethods.session.update, ({ params }) => void updates.push(params.update))
    .connect(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));
  const request = (method, params) => connection.agent.request(method, params);
  const clientCapabilities = { fs: { readTextFile: false, writeTextFile: true } };
  await request(agentMethods.initialize, { protocolVersion: acp.PROTOCOL_VERSION, clientCapabilities });
  const prompt = (sessionId, text) => request(agentMethods.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  return { child, request, prompt };
}

/** Waits for the text of all messages. The SDK starts a task for each message, so an answer may overtake the updates before it. */
async function text(expected) {
  let told;
  for (let tries = 0; tries < 200; tries++) {
    const chunks = updates.filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk");
    told = chunks.map(({ content }) => content.text).join("");
    if (told === expected) return;
    await setTimeout(50);
  }
  assert.equal(told, expected);
}

const first = await connect();
const { sessionId } = await first.request(agentMethods.session.new, { cwd, mcpServers: [] });
assert.deepEqual((await first.prompt(sessionId, "hello")).stopReason, "end_turn");
await text("Hello! How can I help you today?");
await first.prompt(sessionId, "write a note");
await text("Hello! How can I help you today?The note is written.");
assert.deepEqual(written, [{ sessionId, path: `${cwd}/note.txt`, content: "from the model" }]);
const call = updates.filter(({ sessionUpdate }) => sessionUpdate === "tool_call_update").at(-1);
assert.equal(call.status, "completed");
await assert.rejects(first.prompt(sessionId, "busy"), /try again in 1 seconds/);
first.child.kill("SIGKILL");
await once(first.child, "exit");

// The session goes on in another process.
updates = [];
const second = await connect();
const { sessions } = await second.request(agentMethods.session.list, {});
assert.equal(sessions.find((session) => session.sessionId === sessionId).title, "hello");
await second.request(agentMethods.session.load, { sessionId, cwd, mcpServers: [] });
await text("Hello! How can I help you today?The note is written.");
await second.prompt(sessionId, "hello");
second.child.stdin.end();
console.log("ok");

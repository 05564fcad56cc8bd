// Checks of a session's life on version 2: list, resume, replay, close, delete. Each takes a function that starts an agent,
// and the program that it starts.

import assert from "node:assert/strict";
import { Agent as First, refused, soon } from "./agent.mjs";
import { only, states, told, values, withSession } from "./agent-v2.mjs";

const UNKNOWN_METHOD = -32601;
const UNKNOWN_SESSION = -32002;
const KEPT = { mode: "code", model: "smart", brave: true };

/** The id of a session with one turn, left by an agent that is gone, and the next agent. */
async function leftBehind(start) {
  const { agent, id } = await withSession(start);
  await agent.set(id, "model", "smart");
  await agent.set(id, "brave", true);
  const updates = await agent.turn(id, "remember the milk");
  await agent.end();
  const next = await start();
  await next.initialize();
  return { agent: next, id, updates };
}

const ofMessages = (updates) => updates.filter((update) => update.messageId !== undefined);

/** The text and the kind of each message, by its id. */
function messages(updates) {
  const all = new Map();
  for (const { sessionUpdate, messageId, content } of ofMessages(updates)) {
    const words = Array.isArray(content) ? content.map((block) => block.text).join("") : content.text;
    const kind = sessionUpdate.replace("_chunk", "");
    const [, before] = all.get(messageId) ?? [kind, ""];
    all.set(messageId, [kind, Array.isArray(content) ? words : before + words]);
  }
  return [...all];
}

export async function a_replay_says_the_same_messages_again(start) {
  const { agent, id, updates } = await leftBehind(start);
  const { configOptions } = await agent.replay(id);
  const again = agent.updatesOf(id);
  assert.deepEqual(messages(again), messages(updates));
  assert.deepEqual(values(configOptions), KEPT);
  assert.equal(states(again).length, 1, "the state precedes the answer");
  assert.equal(again.at(-1).sessionUpdate, "state_update", "and is last");
  assert.equal(states(again)[0].split(" ")[0], "idle");
  assert.match(told(await agent.turn(id, "and the bread")), /and the bread/);
  await agent.end();
}

export async function a_resume_without_a_replay_says_the_state_alone(start) {
  const { agent, id } = await leftBehind(start);
  assert.deepEqual(values((await agent.resume(id)).configOptions), KEPT);
  assert.deepEqual(ofMessages(agent.updatesOf(id)), []);
  assert.equal(states(agent.updatesOf(id)).length, 1);
  assert.equal(states(await agent.turn(id, "go on")).at(-1), "idle end_turn");
  await agent.end();
}

export async function stored_sessions_are_listed(start) {
  const { agent, id } = await leftBehind(start);
  const { sessions, nextCursor } = await agent.list();
  assert.deepEqual(sessions.map((session) => [session.sessionId, session.cwd]), [[id, agent.cwd]]);
  assert.equal(nextCursor ?? null, null, "one page");
  assert.equal((await agent.list({ cwd: agent.cwd })).sessions.length, 1);
  assert.deepEqual((await agent.list({ cwd: "/nowhere" })).sessions, []);
  await agent.end();
}

export async function closing_a_session_cancels_its_turn(start) {
  const { agent, id } = await withSession(start);
  await soon(agent.prompt(id, "slow"), "the answer");
  await agent.until(() => told(agent.updatesOf(id)), "some text");
  const held = refused(agent.prompt(id, "and this"), -32800);
  await agent.close(id);
  await held;
  assert.equal(only(agent.updatesOf(id), "user_message").length, 1, "what waited was not inserted");
  // The SDK hands over an update a moment after the answer behind it. The judge reads the order on the wire.
  await agent.until(() => states(agent.updatesOf(id)).at(-1) === "idle cancelled", "the end of its work");
  await refused(agent.prompt(id, "still there?"), UNKNOWN_SESSION);
  await agent.resume(id);
  assert.equal(states(await agent.turn(id, "hello again")).at(-1), "idle end_turn");
  await agent.end();
}

export async function a_deleted_session_is_no_longer_listed(start) {
  const { agent, id } = await leftBehind(start);
  await agent.delete(id);
  assert.deepEqual((await agent.list()).sessions, []);
  await agent.delete(id);
  await refused(agent.replay(id), UNKNOWN_SESSION);
  await agent.end();
}

export async function what_is_unknown_is_an_error(start) {
  const { agent } = await withSession(start);
  const stranger = "no-such-session";
  await refused(agent.replay(stranger), UNKNOWN_SESSION);
  await refused(agent.resume(stranger), UNKNOWN_SESSION);
  await refused(agent.prompt(stranger, "hello"), UNKNOWN_SESSION);
  await refused(agent.set(stranger, "model", "smart"), UNKNOWN_SESSION);
  await refused(agent.request("_acp-tests.dev/nothing", {}), UNKNOWN_METHOD);
  await agent.cancel(stranger);
  await agent.newSession();
  await agent.end();
}

export async function a_session_of_version_1_is_said_again_in_version_2_and_back(start, { program, folder }) {
  const first = await First.start(program, folder);
  try {
    await first.initialize();
    const { sessionId } = await first.newSession();
    await soon(first.prompt(sessionId, "remember the milk"), "the answer");
    const said = first.text(sessionId);
    await first.end();

    const agent = await start();
    await agent.initialize();
    await agent.replay(sessionId);
    const second = messages(agent.updatesOf(sessionId));
    const [asked, ...rest] = second.map(([, message]) => message);
    assert.deepEqual(asked, ["user_message", "remember the milk"]);
    assert.ok(rest.some(([kind, words]) => kind === "agent_message" && words === said), "the same words");
    await agent.turn(sessionId, "and the bread");
    const all = messages(agent.updatesOf(sessionId));
    await agent.end();

    const other = await start();
    await other.initialize();
    await other.replay(sessionId);
    assert.deepEqual(messages(other.updatesOf(sessionId)), all, "the same messages with the same ids");
    await other.end();

    const back = await First.start(program, folder);
    try {
      await back.initialize();
      await back.load(sessionId);
      assert.equal(back.text(sessionId, "user_message_chunk"), "remember the milkand the bread");
      await back.end();
    } finally {
      back.kill();
    }
  } finally {
    first.kill();
  }
}

// Checks of a session's life: load, list, resume, close, delete, errors. Each takes a function that starts an agent.

import assert from "node:assert/strict";
import { refused, soon, values, withSession } from "./agent.mjs";

const UNKNOWN_METHOD = -32601;
const UNKNOWN_SESSION = -32002;

const answerOf = (agent, is) => agent.wire.findIndex((message) => message.result !== undefined && is(message.result));

/** The id of a session with one turn in which `model` was changed, left by an agent that is gone. */
async function leftBehind(start) {
  const { agent, id } = await withSession(start);
  await agent.set(id, "model", "smart");
  await agent.set(id, "brave", true);
  await soon(agent.prompt(id, "remember the milk"), "the answer");
  const said = agent.text(id);
  await agent.end();
  const next = await start();
  await next.initialize();
  return { agent: next, id, said };
}

export async function a_loaded_session_replays_before_it_answers(start) {
  const { agent, id, said } = await leftBehind(start);
  const loaded = await agent.load(id);
  assert.equal(agent.text(id, "user_message_chunk"), "remember the milk");
  assert.equal(agent.text(id), said);
  const answer = answerOf(agent, (result) => result.configOptions !== undefined);
  const updates = agent.wire.flatMap((message, index) => (message.method === "session/update" ? [index] : []));
  assert.ok(updates.length >= 2 && updates.every((index) => index < answer), "every update precedes the answer");
  assert.deepEqual(values(loaded.configOptions), { mode: "code", model: "smart", brave: true });
  assert.equal(loaded.modes.currentModeId, "code");
  await agent.end();
}

export async function a_loaded_session_goes_on(start) {
  const { agent, id } = await leftBehind(start);
  await agent.load(id);
  assert.equal((await soon(agent.prompt(id, "and the bread"), "the answer")).stopReason, "end_turn");
  assert.match(agent.text(id), /and the bread/);
  await agent.end();
  const last = await start();
  await last.initialize();
  await last.load(id);
  assert.match(last.text(id, "user_message_chunk"), /remember the milk.*and the bread/);
  await last.end();
}

export async function a_resumed_session_replays_nothing(start) {
  const { agent, id } = await leftBehind(start);
  const resumed = await agent.resume(id);
  assert.deepEqual(values(resumed.configOptions), { mode: "code", model: "smart", brave: true });
  assert.deepEqual(agent.updates, []);
  assert.equal((await soon(agent.prompt(id, "go on"), "the answer")).stopReason, "end_turn");
  await agent.end();
}

export async function stored_sessions_are_listed(start) {
  const { agent, id } = await leftBehind(start);
  const { sessions, nextCursor } = await agent.list();
  assert.deepEqual(sessions.map((session) => [session.sessionId, session.cwd]), [[id, agent.cwd]]);
  assert.equal(nextCursor ?? null, null, "one page");
  assert.equal((await agent.list({ cwd: agent.cwd })).sessions.length, 1);
  assert.deepEqual((await agent.list({ cwd: agent.store })).sessions, [], "none of another working directory");
  await agent.end();
}

export async function closing_a_session_cancels_its_turn_first(start) {
  const { agent, id } = await withSession(start);
  const turn = agent.prompt(id, "slow");
  await agent.until(() => agent.text(id), "the first chunk");
  await agent.close(id);
  assert.equal((await soon(turn, "the answer")).stopReason, "cancelled");
  const ended = answerOf(agent, (result) => result.stopReason !== undefined);
  const closed = agent.wire.findLastIndex((message) => message.result !== undefined);
  assert.ok(ended < closed, "the turn's answer precedes that of session/close");
  await refused(agent.prompt(id, "still there?"), UNKNOWN_SESSION);
  await agent.end();
}

export async function a_closed_session_can_be_resumed(start) {
  const { agent, id } = await withSession(start);
  await soon(agent.prompt(id, "hello"), "the answer");
  await agent.set(id, "model", "smart");
  await agent.close(id);
  const resumed = await agent.resume(id);
  assert.equal(values(resumed.configOptions).mode, "code");
  assert.equal((await soon(agent.prompt(id, "hello again"), "the answer")).stopReason, "end_turn");
  await agent.end();
}

export async function a_deleted_session_is_no_longer_listed(start) {
  const { agent, id } = await leftBehind(start);
  await agent.delete(id);
  assert.deepEqual((await agent.list()).sessions, []);
  await agent.delete(id);
  await refused(agent.load(id), UNKNOWN_SESSION);
  await agent.end();
}

export async function an_unknown_session_is_an_error(start) {
  const { agent } = await withSession(start);
  const stranger = "no-such-session";
  await refused(agent.load(stranger), UNKNOWN_SESSION);
  await refused(agent.resume(stranger), UNKNOWN_SESSION);
  await refused(agent.prompt(stranger, "hello"), UNKNOWN_SESSION);
  await refused(agent.set(stranger, "model", "smart"), UNKNOWN_SESSION);
  await refused(agent.setMode(stranger, "ask"), UNKNOWN_SESSION);
  await agent.cancel(stranger);
  await agent.newSession();
  await agent.end();
}

export async function an_unknown_method_is_an_error(start) {
  const { agent } = await withSession(start);
  await refused(agent.request("_acp-tests.dev/nothing", {}), UNKNOWN_METHOD);
  await refused(agent.request("session/nothing", {}), UNKNOWN_METHOD);
  await agent.newSession();
  await agent.end();
}

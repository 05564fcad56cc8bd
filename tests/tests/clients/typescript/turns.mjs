// Checks of prompt turns: updates, tool calls, permission, cancellation. Each takes a function that starts an agent.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { refused, soon, values, withSession } from "./agent.mjs";

const INVALID_REQUEST = -32600;

/** Where on the wire the first message stands that `is` holds for; fails when there is none. */
function place(agent, is, what) {
  const index = agent.wire.findIndex(is);
  assert.notEqual(index, -1, `${what} on the wire`);
  return index;
}

const isUpdate = (message) => message.method === "session/update";
const isTurnsEnd = (message) => message.result?.stopReason !== undefined;

export async function a_turn_streams_a_thought_a_plan_and_an_answer(start) {
  const { agent, id } = await withSession(start);
  const answer = await soon(agent.prompt(id, "hello world, how are you"), "the answer");
  assert.equal(answer.stopReason, "end_turn");
  assert.notEqual(agent.text(id, "agent_thought_chunk"), "");
  assert.match(agent.text(id), /hello world, how are you/);
  assert.ok(agent.updatesOf(id, "agent_message_chunk").length > 2, "the answer comes in pieces");
  const plans = agent.updatesOf(id, "plan");
  assert.ok(plans.length >= 2, "the plan moves on");
  for (const plan of plans) assert.equal(plan.entries.length, 2, "each plan is complete");
  assert.ok(plans.at(-1).entries.every((entry) => entry.status === "completed"), "the last plan is done");
  await agent.end();
}

export async function every_update_of_a_turn_precedes_its_answer(start) {
  const { agent, id } = await withSession(start);
  await soon(agent.prompt(id, "one two three"), "the answer");
  const end = place(agent, isTurnsEnd, "the answer");
  await agent.set(id, "model", "smart");
  const late = agent.wire.slice(end).filter(isUpdate);
  assert.deepEqual(late, [], "updates after the answer");
  assert.ok(agent.wire.slice(0, end).some(isUpdate), "updates before the answer");
  await agent.end();
}

export async function the_agent_can_change_an_option_during_a_turn(start) {
  const { agent, session, id } = await withSession(start);
  await soon(agent.prompt(id, "switch please"), "the answer");
  const [update, ...more] = agent.updatesOf(id, "config_option_update");
  const expected = structuredClone(session.configOptions);
  expected[1].currentValue = "smart";
  assert.deepEqual(update.configOptions, expected, "the full state");
  assert.deepEqual(more, [], "one change, one update");
  assert.equal(values(await agent.set(id, "brave", true)).model, "smart");
  await agent.end();
}

/** What a client sees of the tool call of an edit: its start and the states it went through. */
function toolCall(agent, id) {
  const calls = agent.updatesOf(id, "tool_call");
  assert.equal(calls.length, 1, "one tool call");
  const [call] = calls;
  const updates = agent.updatesOf(id, "tool_call_update");
  for (const update of updates) assert.equal(update.toolCallId, call.toolCallId);
  // A tool call without a status is pending. An update without a status does not change it.
  const later = updates.map((update) => update.status).filter((status) => status);
  return { call, states: [call.status ?? "pending", ...later] };
}

export async function an_edit_that_is_allowed_goes_through_the_client(start) {
  const { agent, id } = await withSession(start);
  await soon(agent.prompt(id, "edit the notes"), "the answer");
  const path = join(agent.cwd, "NOTES.md");
  const { call, states } = toolCall(agent, id);
  assert.equal(call.kind, "edit");
  assert.deepEqual(states, ["pending", "in_progress", "completed"]);
  const [diff] = call.content;
  assert.deepEqual([diff.type, diff.path], ["diff", path]);
  const [asked] = agent.permissions;
  assert.equal(agent.permissions.length, 1);
  assert.deepEqual([asked.sessionId, asked.toolCall.toolCallId], [id, call.toolCallId]);
  assert.deepEqual(asked.options.map((option) => option.optionId), ["allow", "reject"]);
  assert.deepEqual(asked.options.map((option) => option.kind.split("_")[0]), ["allow", "reject"]);
  assert.deepEqual(agent.writes, [{ sessionId: id, path, content: diff.newText }]);
  await agent.end();
}

export async function an_edit_is_written_by_the_agent_when_the_client_takes_no_files(start) {
  const { agent, id } = await withSession(start, { session: { configOptions: { boolean: {} } } });
  await soon(agent.prompt(id, "edit the notes"), "the answer");
  assert.deepEqual(agent.writes, [], "no request that the client did not offer");
  const { call, states } = toolCall(agent, id);
  assert.equal(states.at(-1), "completed");
  assert.equal(readFileSync(join(agent.cwd, "NOTES.md"), "utf8"), call.content[0].newText);
  await agent.end();
}

export async function an_edit_that_is_rejected_fails_and_writes_nothing(start) {
  const { agent, id } = await withSession(start);
  agent.decide = () => "reject";
  const answer = await soon(agent.prompt(id, "edit the notes"), "the answer");
  assert.equal(answer.stopReason, "end_turn");
  assert.deepEqual(toolCall(agent, id).states, ["pending", "failed"]);
  assert.deepEqual(agent.writes, []);
  assert.equal(existsSync(join(agent.cwd, "NOTES.md")), false);
  await agent.end();
}

export async function an_option_that_was_not_offered_is_no_permission(start) {
  const { agent, id } = await withSession(start);
  agent.decide = () => "allow_everything";
  await soon(agent.prompt(id, "edit the notes"), "the answer");
  assert.equal(toolCall(agent, id).states.at(-1), "failed");
  assert.deepEqual(agent.writes, []);
  await agent.end();
}

export async function a_brave_agent_does_not_ask(start) {
  const { agent, id } = await withSession(start);
  await agent.set(id, "brave", true);
  await soon(agent.prompt(id, "edit the notes"), "the answer");
  assert.deepEqual(agent.permissions, []);
  assert.deepEqual(toolCall(agent, id).states, ["pending", "in_progress", "completed"]);
  assert.equal(agent.writes.length, 1);
  await agent.end();
}

export async function in_mode_ask_nothing_is_edited(start) {
  const { agent, id } = await withSession(start);
  await agent.set(id, "mode", "ask");
  await soon(agent.prompt(id, "edit the notes"), "the answer");
  assert.deepEqual(agent.updatesOf(id, "tool_call"), []);
  assert.deepEqual(agent.permissions, []);
  await agent.end();
}

export async function a_turn_that_waits_for_permission_can_be_cancelled(start) {
  const { agent, id } = await withSession(start);
  let answer;
  agent.decide = () => new Promise((resolve) => (answer = resolve));
  const turn = agent.prompt(id, "edit the notes");
  await agent.until(() => agent.permissions.length, "the permission request");
  await agent.cancel(id);
  answer(null);
  assert.equal((await soon(turn, "the answer")).stopReason, "cancelled");
  assert.deepEqual(agent.writes, []);
  await agent.end();
}

export async function a_running_turn_is_cancelled_at_once(start) {
  const { agent, id } = await withSession(start);
  const turn = agent.prompt(id, "slow");
  await agent.until(() => agent.text(id).length > 4, "some text");
  const begin = performance.now();
  await agent.cancel(id);
  assert.equal((await soon(turn, "the answer")).stopReason, "cancelled");
  assert.ok(performance.now() - begin < 1000, "the turn ends within a second");
  const end = place(agent, isTurnsEnd, "the answer");
  await agent.set(id, "model", "smart");
  assert.deepEqual(agent.wire.slice(end).filter(isUpdate), [], "updates after the answer");
  await agent.end();
}

export async function a_cancel_right_behind_the_prompt_is_not_lost(start) {
  const { agent, id } = await withSession(start);
  for (let round = 0; round < 10; round += 1) {
    const turn = agent.prompt(id, "slow");
    const cancelled = agent.cancel(id);
    assert.equal((await soon(turn, `answer ${round}`)).stopReason, "cancelled");
    await cancelled;
  }
  await agent.end();
}

export async function a_cancel_does_not_reach_the_next_turn(start) {
  const { agent, id } = await withSession(start);
  await agent.cancel(id);
  assert.equal((await soon(agent.prompt(id, "hello"), "the answer")).stopReason, "end_turn");
  const turn = agent.prompt(id, "slow");
  await agent.cancel(id);
  assert.equal((await soon(turn, "the answer")).stopReason, "cancelled");
  await agent.cancel(id);
  assert.equal((await soon(agent.prompt(id, "hello again"), "the answer")).stopReason, "end_turn");
  assert.match(agent.text(id), /hello again/);
  await agent.end();
}

export async function a_second_prompt_for_a_busy_session_is_refused(start) {
  const { agent, id } = await withSession(start);
  const turn = agent.prompt(id, "slow");
  await agent.until(() => agent.text(id), "the first chunk");
  await refused(agent.prompt(id, "me too"), INVALID_REQUEST);
  await agent.cancel(id);
  assert.equal((await soon(turn, "the answer")).stopReason, "cancelled");
  await agent.end();
}

export async function two_sessions_run_at_once(start) {
  const { agent, id: first } = await withSession(start);
  const { sessionId: second } = await agent.newSession();
  assert.notEqual(first, second);
  const slow = agent.prompt(first, "slow");
  await agent.until(() => agent.text(first), "the first chunk");
  assert.equal((await soon(agent.prompt(second, "hello"), "the second session's answer")).stopReason, "end_turn");
  assert.doesNotMatch(agent.text(first), /hello/);
  await agent.cancel(second);
  const before = agent.text(first).length;
  await agent.until(() => agent.text(first).length > before, "more of the first session");
  await agent.cancel(first);
  assert.equal((await soon(slow, "the answer")).stopReason, "cancelled");
  await agent.end();
}

export async function two_sessions_have_options_of_their_own(start) {
  const { agent, id: first } = await withSession(start);
  const { sessionId: second } = await agent.newSession();
  await agent.set(first, "model", "smart");
  assert.deepEqual(values(await agent.set(second, "brave", true)), { mode: "code", model: "fast", brave: true });
  assert.deepEqual(values(await agent.set(first, "mode", "code")), { mode: "code", model: "smart", brave: false });
  await agent.end();
}

export async function an_agent_ends_in_the_middle_of_a_turn(start) {
  const { agent, id } = await withSession(start);
  const turn = agent.prompt(id, "slow").catch(() => {});
  await agent.until(() => agent.text(id), "the first chunk");
  await agent.end();
  await soon(turn, "the end of the request");
}

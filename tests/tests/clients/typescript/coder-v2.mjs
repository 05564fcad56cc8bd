// Checks of `coder` on version 2: its capabilities, turns, permission, prompts that wait, and options. Each takes a function
// that starts an agent.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { refused, soon } from "./agent.mjs";
import { CANCELLED, only, states, told, values, withSession } from "./agent-v2.mjs";

const INVALID_PARAMS = -32602;
const DEFAULTS = { mode: "code", model: "fast", brave: false };

export async function initialize_answers_in_version_2(start) {
  const agent = await start();
  const answer = await agent.initialize();
  assert.equal(answer.protocolVersion, 2);
  assert.equal(answer.info.name, "coder");
  assert.match(answer.info.version, /^\d+\.\d+/);
  assert.deepEqual(Object.keys(answer.capabilities.session).filter((name) => name === "delete"), ["delete"]);
  assert.equal(answer.agentCapabilities, undefined, "a name of version 1");
  await agent.end();
}

export async function a_turn_begins_with_its_message_and_ends_with_idle(start) {
  const { agent, id } = await withSession(start);
  const updates = await agent.turn(id, "hello world, how are you");
  const [message, running, ...rest] = updates;
  assert.deepEqual([message.sessionUpdate, message.content[0].text], ["user_message", "hello world, how are you"]);
  assert.equal(running.state, "running");
  assert.deepEqual(states(updates), ["running", "idle end_turn"]);
  assert.notEqual(told(rest, "agent_thought_chunk"), "");
  assert.match(told(rest), /hello world, how are you/);
  const chunks = only(rest, "agent_message_chunk");
  assert.ok(chunks.length > 2, "the answer comes in pieces");
  assert.equal(new Set(chunks.map((chunk) => chunk.messageId)).size, 1, "they are one message");
  const plans = only(rest, "plan_update").map((update) => update.plan);
  assert.ok(plans.length >= 2, "the plan moves on");
  assert.equal(new Set(plans.map((plan) => plan.planId)).size, 1, "it is one plan");
  assert.ok(plans.at(-1).entries.every((entry) => entry.status === "completed"), "the last plan is done");
  await agent.end();
}

export async function the_sdk_reads_a_turn_to_its_end(start) {
  const agent = await start();
  await agent.initialize();
  const session = await agent.active();
  for (const words of ["hello", "and again"]) {
    const said = session.prompt(words);
    assert.match(await soon(session.readTextUntilIdle(), "the text"), new RegExp(words));
    await soon(said, "the answer");
  }
  await soon(session.setConfigOption({ configId: "model", type: "id", value: "smart" }), "the option");
  assert.equal(values(session.configOptions).model, "smart");
  session.dispose();
  await agent.end();
}

/** What a client sees of the tool call of an edit: all that it was told, and the states that it went through. */
function toolCall(updates) {
  const changes = only(updates, "tool_call_update");
  assert.equal(new Set(changes.map((change) => change.toolCallId)).size, 1, "one tool call");
  // A tool call without a status is pending. An update without a status does not change it.
  const states = [changes[0].status ?? "pending", ...changes.slice(1).map((change) => change.status).filter(Boolean)];
  return { call: Object.assign({}, ...changes), states };
}

export async function an_edit_that_is_allowed_is_written(start) {
  const { agent, id } = await withSession(start);
  const updates = await agent.turn(id, "edit the notes");
  assert.deepEqual(states(updates), ["running", "requires_action", "running", "idle end_turn"]);
  const path = join(agent.cwd, "NOTES.md");
  const { call, states: went } = toolCall(updates);
  assert.equal(call.kind, "edit");
  assert.deepEqual(went, ["pending", "in_progress", "completed"]);
  const [{ type, changes, patch }] = call.content;
  assert.equal(type, "diff");
  assert.deepEqual(changes.map((change) => [change.operation, change.path]), [["add", path]]);
  assert.equal(patch.format, "git_patch");
  const [asked] = agent.permissions;
  assert.equal(agent.permissions.length, 1);
  assert.equal(asked.sessionId, id);
  assert.match(asked.title, /NOTES\.md/);
  assert.deepEqual([asked.subject.type, asked.subject.toolCall.toolCallId], ["tool_call", call.toolCallId]);
  assert.deepEqual(asked.options.map((option) => option.optionId), ["allow", "reject"]);
  const written = readFileSync(path, "utf8").trimEnd().split("\n");
  assert.ok(written.every((line) => patch.text.includes(`+${line}`)), "the patch has what was written");
  await agent.end();
}

export async function an_edit_that_is_rejected_fails_and_writes_nothing(start) {
  const { agent, id } = await withSession(start);
  agent.decide = () => "reject";
  const updates = await agent.turn(id, "edit the notes");
  assert.equal(states(updates).at(-1), "idle end_turn");
  assert.deepEqual(toolCall(updates).states, ["pending", "failed"]);
  assert.equal(existsSync(join(agent.cwd, "NOTES.md")), false);
  await agent.end();
}

export async function a_turn_that_waits_for_permission_is_cancelled_with_its_question(start) {
  const { agent, id } = await withSession(start);
  agent.decide = () => new Promise(() => {});
  const { messageId } = await soon(agent.prompt(id, "edit the notes"), "the answer");
  await agent.until(() => agent.permissions.length, "the permission request");
  await agent.cancel(id);
  const updates = await agent.worked(id, messageId);
  assert.equal(states(updates).at(-1), "idle cancelled");
  await agent.until(() => agent.withdrawn === 1, "the end of the question");
  assert.equal(existsSync(join(agent.cwd, "NOTES.md")), false);
  assert.equal(states(await agent.turn(id, "hello")).at(-1), "idle end_turn");
  await agent.end();
}

/** A session with a turn that counts slowly. */
async function counting(start) {
  const { agent, id } = await withSession(start);
  const { messageId } = await soon(agent.prompt(id, "slow"), "the answer");
  await agent.until(() => told(agent.updatesOf(id)), "some text");
  return { agent, id, messageId };
}

export async function a_running_turn_is_cancelled_at_once(start) {
  const { agent, id, messageId } = await counting(start);
  const begin = performance.now();
  await agent.cancel(id);
  assert.deepEqual(states(await agent.worked(id, messageId)), ["running", "idle cancelled"]);
  assert.ok(performance.now() - begin < 1000, "the turn ends within a second");
  const before = agent.updates.length;
  await agent.set(id, "model", "smart");
  assert.deepEqual(agent.updates.slice(before), [], "updates after idle");
  await agent.end();
}

export async function prompts_for_a_busy_session_wait_and_are_cancelled_with_it(start) {
  const { agent, id, messageId } = await counting(start);
  const held = ["one", "two"].map((words) => refused(agent.prompt(id, words), CANCELLED));
  await agent.cancel(id);
  await Promise.all(held);
  assert.equal(states(await agent.worked(id, messageId)).at(-1), "idle cancelled");
  assert.equal(only(agent.updatesOf(id), "user_message").length, 1, "they were not inserted");
  assert.equal(states(await agent.turn(id, "three")).at(-1), "idle end_turn");
  await agent.end();
}

export async function a_prompt_that_waits_can_be_withdrawn_alone(start) {
  const { agent, id, messageId } = await counting(start);
  const abort = new AbortController();
  const held = refused(agent.prompt(id, "not this", { cancellationSignal: abort.signal }), CANCELLED);
  abort.abort();
  await held;
  const before = told(agent.updatesOf(id));
  await agent.until(() => told(agent.updatesOf(id)) !== before, "more of the turn that runs");
  await agent.cancel(id);
  assert.equal(states(await agent.worked(id, messageId)).at(-1), "idle cancelled");
  await agent.end();
}

export async function prompts_that_wait_are_worked_on_in_their_order(start) {
  const { agent, id } = await withSession(start);
  const answers = ["first", "second", "third"].map((words) => agent.prompt(id, words));
  const said = [];
  for (const answer of answers) {
    const { messageId } = await soon(answer, "the answer");
    const updates = await agent.worked(id, messageId);
    said.push(told(updates).trim().split(" ").at(-1));
  }
  assert.deepEqual(said, ["first", "second", "third"]);
  await agent.end();
}

export async function a_cancel_right_behind_the_prompt_is_not_lost(start) {
  const { agent, id } = await withSession(start);
  for (let round = 0; round < 10; round += 1) {
    const before = agent.updates.length;
    const inserted = agent.prompt(id, "slow").then(
      () => true,
      (error) => {
        assert.equal(error.code, CANCELLED);
        return false;
      },
    );
    await agent.cancel(id);
    if (await soon(inserted, `answer ${round}`)) {
      await agent.until(() => states(agent.updatesOf(id, before)).at(-1) === "idle cancelled", "the end of the turn");
    }
  }
  assert.equal(states(await agent.turn(id, "hello")).at(-1), "idle end_turn");
  await agent.end();
}

export async function two_sessions_run_at_once(start) {
  const { agent, id: first, messageId } = await counting(start);
  const { sessionId: second } = await agent.newSession();
  assert.equal(states(await agent.turn(second, "hello")).at(-1), "idle end_turn");
  assert.deepEqual(states(agent.updatesOf(first)), ["running"]);
  await agent.cancel(first);
  assert.equal(states(await agent.worked(first, messageId)).at(-1), "idle cancelled");
  await agent.end();
}

export async function options_have_ids_and_typed_values(start) {
  const { agent, session, id } = await withSession(start);
  assert.deepEqual(values(session.configOptions), DEFAULTS);
  assert.deepEqual(session.configOptions.map((option) => option.type), ["select", "select", "boolean"]);
  assert.deepEqual(session.configOptions.map((option) => option.category ?? null), ["mode", "model", null]);
  assert.deepEqual(values(await agent.set(id, "model", "smart")), { ...DEFAULTS, model: "smart" });
  assert.deepEqual(values(await agent.set(id, "brave", true)), { ...DEFAULTS, model: "smart", brave: true });
  assert.deepEqual(only(agent.updatesOf(id), "config_option_update"), [], "the client that set it gets no update");
  await agent.end();
}

export async function what_an_option_does_not_offer_is_refused_and_changes_nothing(start) {
  const { agent, id } = await withSession(start);
  agent.isWrong = true;
  await refused(agent.set(id, "model", "genius"), INVALID_PARAMS);
  await refused(agent.set(id, "model", true), INVALID_PARAMS);
  await refused(agent.set(id, "colour", "red"), INVALID_PARAMS);
  assert.deepEqual(values(await agent.set(id, "mode", "ask")), { ...DEFAULTS, mode: "ask" });
  await agent.end();
}

export async function the_agent_can_change_an_option_during_a_turn(start) {
  const { agent, id } = await withSession(start);
  const [change, ...more] = only(await agent.turn(id, "switch please"), "config_option_update");
  assert.deepEqual(values(change.configOptions), { ...DEFAULTS, model: "smart" });
  assert.deepEqual(more, [], "one change, one update");
  await agent.end();
}

export async function an_agent_ends_in_the_middle_of_a_turn(start) {
  const { agent } = await counting(start);
  await agent.end();
}

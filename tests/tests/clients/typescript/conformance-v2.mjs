// Checks of `conformance` on version 2: logins, forms, and each update that it can send. Each takes a function that starts an
// agent.

import assert from "node:assert/strict";
import { refused, soon } from "./agent.mjs";
import { only, states, told, withSession } from "./agent-v2.mjs";

export async function a_user_logs_in_and_out(start) {
  const agent = await start();
  const { authMethods, capabilities } = await agent.initialize();
  assert.deepEqual(authMethods.map((method) => [method.methodId, method.type]), [["key", "agent"], ["login", "terminal"]]);
  assert.deepEqual(Object.keys(capabilities.session.prompt).sort(), ["audio", "embeddedContext", "image"]);
  await agent.login("key");
  const { sessionId } = await agent.newSession();
  assert.equal(told(await agent.turn(sessionId, "hello")), "ok");
  await agent.logout();
  await agent.end();
}

export async function a_login_that_was_not_offered_is_refused(start) {
  const agent = await start();
  await agent.initialize();
  agent.isWrong = true;
  await refused(agent.login("no such method"), -32602);
  await agent.end();
}

export async function a_login_in_a_terminal_is_offered_to_clients_that_have_one(start) {
  const agent = await start();
  const { authMethods } = await agent.initialize({});
  assert.deepEqual(authMethods.map((method) => method.methodId), ["key"]);
  await agent.end();
}

export async function a_form_is_accepted_or_declined(start) {
  const { agent, id } = await withSession(start);
  const updates = await agent.turn(id, "tck:elicit-form");
  assert.equal(told(updates), "thank you");
  assert.deepEqual(states(updates), ["running", "requires_action", "running", "idle end_turn"]);
  agent.fill = () => ({ action: "decline" });
  assert.equal(told(await agent.turn(id, "tck:elicit-form")), "never mind");
  const [form] = agent.elicitations;
  assert.deepEqual([form.mode, form.sessionId, form.message], ["form", id, "Which branch?"]);
  await agent.end();
}

export async function a_turn_that_waits_for_a_form_is_cancelled_with_it(start) {
  const { agent, id } = await withSession(start);
  agent.fill = () => new Promise(() => {});
  const { messageId } = await soon(agent.prompt(id, "tck:elicit-form"), "the answer");
  await agent.until(() => agent.elicitations.length, "the form");
  await agent.cancel(id);
  assert.equal(states(await agent.worked(id, messageId)).at(-1), "idle cancelled");
  await agent.until(() => agent.withdrawn === 1, "the end of the form");
  await agent.end();
}

export async function a_page_is_opened_and_done(start) {
  const { agent, id } = await withSession(start);
  agent.fill = () => ({ action: "accept" });
  await agent.turn(id, "tck:elicit-url");
  const [page] = agent.elicitations;
  assert.deepEqual([page.mode, page.url], ["url", "https://example.com/sign-in"]);
  assert.deepEqual(agent.completed, [page.elicitationId]);
  await agent.end();
}

export async function a_client_without_forms_and_pages_is_not_asked(start) {
  const { agent, id } = await withSession(start, {});
  assert.match(told(await agent.turn(id, "tck:elicit-form")), /shows no forms/);
  assert.match(told(await agent.turn(id, "tck:elicit-url")), /opens no pages/);
  assert.deepEqual(agent.elicitations, []);
  await agent.end();
}

export async function a_client_of_version_2_has_no_files_and_no_terminals(start) {
  const { agent, id } = await withSession(start);
  assert.match(told(await agent.turn(id, "tck:read")), /reads no files/);
  assert.match(told(await agent.turn(id, "tck:write")), /writes no files/);
  assert.match(told(await agent.turn(id, "tck:terminal")), /runs no terminals/);
  await agent.end();
}

export async function permission_has_all_options(start) {
  const { agent, id } = await withSession(start);
  agent.decide = () => "always";
  const last = only(await agent.turn(id, "tck:permission"), "tool_call_update").at(-1);
  assert.equal(last.status, "completed");
  const [asked] = agent.permissions;
  assert.deepEqual(asked.options.map((option) => option.kind), ["allow_once", "allow_always", "reject_once"]);
  assert.equal(asked.title, "Change something");
  await agent.end();
}

export async function a_turn_ends_with_each_reason(start) {
  const { agent, id } = await withSession(start);
  const reasons = { "tck:refuse": "refusal", "tck:max_tokens": "max_tokens", "tck:max_turn": "max_turn_requests" };
  for (const [words, reason] of Object.entries(reasons)) {
    assert.deepEqual(states(await agent.turn(id, words)), ["running", `idle ${reason}`]);
  }
  await agent.end();
}

export async function a_turn_that_fails_says_so_and_the_session_goes_on(start) {
  const { agent, id } = await withSession(start);
  assert.deepEqual(states(await agent.turn(id, "tck:crash")), ["running", "idle error"]);
  assert.deepEqual(states(await agent.turn(id, "hello")), ["running", "idle end_turn"]);
  await agent.end();
}

/** The updates that a word of the agent's script adds to a turn. */
const SAYS = {
  "tck:tool": ["tool_call_update", "tool_call_update", "tool_call_update"],
  "tck:plan": ["plan_update", "plan_update"],
  "tck:usage": ["usage_update"],
  "tck:commands": ["available_commands_update"],
  "tck:mode": ["config_option_update"],
  "tck:config": ["config_option_update"],
  "tck:title": ["session_info_update", "session_info_update"],
  "tck:thought": ["agent_thought_chunk"],
  "tck:notice": ["notice"],
  "tck:compaction": ["compaction_update", "compaction_summary_chunk", "compaction_update"],
  "stream 3 10": ["agent_message_chunk", "agent_message_chunk", "agent_message_chunk"],
};

export async function each_update_has_its_name_of_version_2(start) {
  const { agent, id } = await withSession(start);
  for (const [words, kinds] of Object.entries(SAYS)) {
    const said = (await agent.turn(id, words)).map((update) => update.sessionUpdate);
    const around = ["user_message", "state_update", "state_update"];
    assert.deepEqual([...said].sort(), [...around, ...kinds].sort(), words);
  }
  await agent.end();
}

export async function sessions_of_memory_are_listed_resumed_and_deleted(start) {
  const { agent, id } = await withSession(start);
  await agent.turn(id, "tck:tool");
  assert.deepEqual((await agent.list()).sessions.map((session) => session.sessionId), [id]);
  await agent.close(id);
  const before = agent.updates.length;
  await agent.replay(id);
  const calls = only(agent.updatesOf(id, before), "tool_call_update");
  assert.equal(Object.assign({}, ...calls).status, "completed");
  await agent.delete(id);
  assert.deepEqual((await agent.list()).sessions, []);
  await agent.end();
}

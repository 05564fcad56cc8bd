// Checks of small departures from the schema, each of which the agent `departing` declares. Each check takes a function that
// starts an agent.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { methods } from "@agentclientprotocol/sdk/unstable";
import { ALL_CAPABILITIES, refused, soon, values } from "./agent.mjs";

const AUTH_REQUIRED = -32000;
const INVALID_PARAMS = -32602;
const UNKNOWN_SESSION = -32002;

/** The members of updates that the agent declares. The SDK leaves them out. */
const OWN = ["models", "worker"];

const NOTICES = { session: { ...ALL_CAPABILITIES.session, notices: {} } };

/** An initialized agent, and its answer. */
async function initialized(start, capabilities = ALL_CAPABILITIES) {
  const agent = await start();
  agent.own = OWN;
  return { agent, answer: await agent.initialize(capabilities) };
}

async function withSession(start, capabilities = ALL_CAPABILITIES) {
  const { agent } = await initialized(start, capabilities);
  const session = await agent.newSession();
  return { agent, session, id: session.sessionId };
}

/** The text that the agent answers to a prompt. */
async function said(agent, id, text) {
  const before = agent.text(id).length;
  assert.equal((await soon(agent.prompt(id, text), "the answer")).stopReason, "end_turn");
  return agent.text(id).slice(before);
}

/** The updates of a session as they were sent, optionally of one kind. */
function sent(agent, id, kind) {
  return agent.wire
    .filter((message) => message.method === "session/update" && message.params.sessionId === id)
    .map((message) => message.params.update)
    .filter((update) => kind === undefined || update.sessionUpdate === kind);
}

/** `models` of an older version, with a current one. */
function models(currentModelId) {
  const availableModels = [
    { modelId: "fast", name: "Fast" },
    { modelId: "smart", name: "Smart" },
  ];
  return { availableModels, currentModelId };
}

const setModel = (agent, sessionId, modelId) =>
  soon(agent.request("session/set_model", { sessionId, modelId }), "session/set_model");

export async function a_member_of_the_options_stands_wherever_they_stand(start) {
  const { agent, session, id } = await withSession(start);
  assert.deepEqual(session.models, models("smart"));
  assert.deepEqual(values(session.configOptions), { model: "smart", effort: "low" });
  const set = { sessionId: id, configId: "model", value: "fast" };
  const answer = await soon(agent.request(methods.agent.session.setConfigOption, set), "session/set_config_option");
  assert.deepEqual([answer.models, values(answer.configOptions).model], [models("fast"), "fast"]);
  await setModel(agent, id, "smart");
  await agent.until(() => agent.updatesOf(id, "config_option_update").length, "the options");
  const [update] = sent(agent, id, "config_option_update");
  assert.deepEqual([update.models, values(update.configOptions).model], [models("smart"), "smart"]);
  await said(agent, id, "one");
  assert.deepEqual((await agent.resume(id)).models, models("smart"));
  await agent.end();
}

export async function an_answer_has_the_members_that_its_handler_adds(start) {
  const { agent, answer } = await initialized(start);
  assert.equal(answer.region, "eu");
  assert.equal((await agent.newSession()).budget, 10);
  await agent.end();
}

export async function each_update_has_a_declared_member(start) {
  const { agent, id } = await withSession(start);
  assert.equal(await said(agent, id, "one"), "one");
  await setModel(agent, id, "fast");
  await agent.until(() => agent.updatesOf(id, "config_option_update").length, "the options");
  const updates = sent(agent, id);
  assert.ok(updates.length >= 3, `${updates.length} updates`);
  for (const update of updates) assert.equal(update.worker, 3, update.sessionUpdate);
  await agent.end();
}

export async function a_way_to_authenticate_has_a_shape_of_its_own(start) {
  const { agent, answer } = await initialized(start);
  const way = { id: "key", name: "Use DEPARTING_KEY", type: "env_var", vars: [{ name: "DEPARTING_KEY" }] };
  assert.deepEqual(answer.authMethods, [way]);
  await soon(agent.request(methods.agent.authenticate, { methodId: "key" }), "authenticate");
  await refused(agent.request(methods.agent.authenticate, { methodId: "vars" }), INVALID_PARAMS);
  await agent.end();
}

export async function credentials_that_die_are_refused_and_the_client_is_told_once(start) {
  const { agent, id } = await withSession(start, NOTICES);
  await said(agent, id, "die");
  for (let round = 0; round < 2; round += 1) await refused(agent.prompt(id, "two"), AUTH_REQUIRED);
  await refused(agent.newSession(), AUTH_REQUIRED);
  await refused(agent.request("session/set_model", { sessionId: id, modelId: "fast" }), AUTH_REQUIRED);
  assert.deepEqual(agent.updatesOf(id, "notice").map((notice) => notice.severity), ["warning"]);
  await soon(agent.request(methods.agent.authenticate, { methodId: "key" }), "authenticate");
  assert.equal(await said(agent, id, "three"), "die, three");
  await agent.end();
}

export async function a_fork_is_a_session_of_its_own(start) {
  const { agent, answer } = await initialized(start);
  assert.deepEqual(answer.agentCapabilities.sessionCapabilities.fork, {});
  const { sessionId: first } = await agent.newSession();
  await said(agent, first, "one");
  await setModel(agent, first, "fast");
  const cwd = join(agent.cwd, "fork");
  await mkdir(cwd);
  const fork = { sessionId: first, cwd, mcpServers: [] };
  const forked = await soon(agent.request(methods.agent.session.fork, fork), "session/fork");
  assert.notEqual(forked.sessionId, first);
  assert.deepEqual([forked.models, values(forked.configOptions)], [models("fast"), { model: "fast", effort: "low" }]);
  const session = agent.attach(forked);
  await soon(session.prompt("two"), "the answer");
  assert.equal(await soon(session.readText(), "the text"), "one, two");
  assert.equal(await said(agent, forked.sessionId, "where"), cwd);
  assert.equal(await said(agent, first, "three"), "one, three");
  await refused(agent.request(methods.agent.session.fork, { ...fork, sessionId: "none" }), INVALID_PARAMS);
  await agent.end();
}

/** Leaves a session behind that an earlier process had, and returns another process and the id. */
async function leftBehind(start) {
  const { agent, id } = await withSession(start);
  await said(agent, id, "one");
  await agent.end();
  return { ...(await initialized(start)), id };
}

export async function a_prompt_opens_a_session_of_an_earlier_process(start) {
  const { agent, id } = await leftBehind(start);
  assert.equal(await said(agent, id, "two"), "one, two");
  const [options] = agent.updatesOf(id, "config_option_update");
  assert.deepEqual(values(options.configOptions), { model: "smart", effort: "low" }, "what no answer has told");
  assert.deepEqual(sent(agent, id, "config_option_update").map((update) => update.models), [models("smart")]);
  await refused(agent.prompt("none", "two"), UNKNOWN_SESSION);
  assert.equal(await said(agent, id, "three"), "one, two, three");
  await agent.end();
}

export async function a_set_opens_a_session_of_an_earlier_process(start) {
  const { agent, id } = await leftBehind(start);
  assert.deepEqual(values(await agent.set(id, "effort", "high")), { model: "smart", effort: "high" });
  await refused(agent.set("none", "effort", "high"), UNKNOWN_SESSION);
  assert.equal(await said(agent, id, "two"), "one, two");
  await agent.end();
}

export async function a_load_replays_a_thought(start) {
  const { agent, id } = await leftBehind(start);
  await agent.load(id);
  await agent.until(() => agent.text(id, "user_message_chunk"), "the replay");
  assert.equal(agent.text(id, "agent_thought_chunk"), "This was there before.");
  assert.equal(agent.text(id, "user_message_chunk"), "one");
  await agent.end();
}

export async function a_permission_is_asked_before_the_call_begins(start) {
  const { agent, id } = await withSession(start);
  const reported = [];
  const answers = ["reject", "allow_always"];
  agent.decide = () => {
    reported.push(sent(agent, id, "tool_call").length);
    return answers.shift();
  };
  assert.equal(await said(agent, id, "test"), "not allowed");
  assert.equal(await said(agent, id, "test"), "tested");
  assert.equal(await said(agent, id, "test"), "tested");
  assert.deepEqual(reported, [0, 0], "nothing is reported before, and the answer is remembered");
  const [rejected, allowed] = agent.permissions;
  const places = ["a.rs", "b.rs"].map((name) => ({ path: join(agent.cwd, name) }));
  const { toolCallId, title, kind, status, locations, _meta } = allowed.toolCall;
  assert.deepEqual([rejected.toolCall.toolCallId, toolCallId], ["core_1", "core_2"]);
  assert.deepEqual([title, kind, status, locations], ["cargo test", "execute", "pending", places]);
  assert.deepEqual([_meta, allowed._meta], [{ call: 2 }, { request: 2 }]);
  const kinds = ["allow_once", "allow_always", "reject_once", "reject_always"];
  assert.deepEqual(allowed.options.map((option) => option.kind).sort(), kinds.sort());
  const [begun, ...more] = agent.updatesOf(id, "tool_call");
  assert.deepEqual([begun.toolCallId, begun.title, begun.locations], ["core_2", "cargo test --all", places]);
  assert.deepEqual([begun._meta, more.map((call) => call.toolCallId)], [{ call: 2 }, ["core_3"]]);
  const ends = agent.updatesOf(id, "tool_call_update").filter((update) => update.status === "completed");
  assert.deepEqual(ends.map((update) => update.toolCallId), ["core_2", "core_3"]);
  await agent.end();
}

export async function a_method_of_its_own_sets_an_option_and_resets_the_others(start) {
  const { agent, id } = await withSession(start);
  await agent.set(id, "effort", "high");
  assert.deepEqual(await setModel(agent, id, "fast"), {});
  await agent.until(() => agent.updatesOf(id, "config_option_update").length, "the options");
  const told = agent.updatesOf(id, "config_option_update").map((update) => values(update.configOptions));
  assert.deepEqual(told, [{ model: "fast", effort: "low" }], "one update");
  const error = await refused(agent.request("session/set_model", { sessionId: id, modelId: "new" }), INVALID_PARAMS);
  assert.match(error.message, /`fast`, `smart`/, "the refusal names what is offered");
  assert.deepEqual(values(await agent.set(id, "effort", "low")), { model: "fast", effort: "low" });
  await agent.end();
}

export async function a_command_runs_beside_a_turn(start) {
  const { agent, id } = await withSession(start);
  await agent.until(() => agent.updatesOf(id, "available_commands_update").length, "the commands");
  const [{ availableCommands }] = agent.updatesOf(id, "available_commands_update");
  assert.deepEqual(availableCommands.map((command) => command.name), ["count"]);
  const turn = agent.prompt(id, "wait");
  await agent.until(() => agent.text(id), "the first chunk");
  assert.equal(await said(agent, id, "/count"), `1 in ${id}`);
  assert.ok(!agent.wire.some((message) => message.result?.stopReason === "cancelled"), "the turn runs");
  await agent.cancel(id);
  assert.equal((await soon(turn, "the answer")).stopReason, "cancelled");
  await agent.end();
}

export async function a_bundle_gives_prompts_and_commands_their_own_session(start) {
  const { agent, id: first } = await withSession(start);
  const { sessionId: second } = await agent.newSession();
  await said(agent, first, "one");
  await said(agent, first, "two");
  assert.equal(await said(agent, second, "three"), "three");
  assert.equal(await said(agent, first, "/count"), `2 in ${first}`);
  assert.equal(await said(agent, second, "/count"), `1 in ${second}`);
  await agent.end();
}

export async function a_turn_knows_the_directories_of_the_last_call_that_opened_its_session(start) {
  const { agent } = await initialized(start);
  const [other, more] = [join(agent.cwd, "other"), join(agent.cwd, "more")];
  await Promise.all([other, more].map((folder) => mkdir(folder)));
  const params = { cwd: agent.cwd, additionalDirectories: [more], mcpServers: [] };
  const { sessionId: id } = await soon(agent.request(methods.agent.session.new, params), "session/new");
  assert.equal(await said(agent, id, "where"), `${agent.cwd} ${more}`);
  await soon(agent.request(methods.agent.session.resume, { sessionId: id, cwd: other }), "session/resume");
  assert.equal(await said(agent, id, "where"), other);
  await agent.end();
}

export async function methods_of_a_vendor_go_in_both_directions(start) {
  const { agent, id } = await withSession(start);
  const path = join(agent.cwd, "a.rs");
  const review = await soon(agent.request("_acme.dev/review", { path, depth: "thorough" }), "the review");
  assert.deepEqual(review.findings, [{ content: { type: "text", text: "looks fine" }, location: { path, line: 1 } }]);
  await refused(agent.request("_acme.dev/review", { path, depth: "deep" }), INVALID_PARAMS);
  agent.extend = () => ({ shown: agent.extensions.length < 4 });
  assert.deepEqual([await said(agent, id, "open"), await said(agent, id, "open")], ["shown", "hidden"]);
  const opens = [
    ["_acme.dev/progress", { percent: 50 }],
    ["_acme.dev/open_editor", { location: { path, line: 2 } }],
  ];
  assert.deepEqual(agent.extensions, [...opens, ...opens]);
  await agent.end();
}

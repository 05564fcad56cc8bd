// Checks of `initialize`, config options and modes. Each takes a function that starts an agent.

import assert from "node:assert/strict";
import { ALL_CAPABILITIES, refused, values, withSession } from "./agent.mjs";

const INVALID_PARAMS = -32602;
const DEFAULTS = { mode: "code", model: "fast", brave: false };

export async function initialize_tells_the_version_the_name_and_the_capabilities(start) {
  const agent = await start();
  const answer = await agent.initialize();
  assert.equal(answer.protocolVersion, 1);
  assert.equal(answer.agentInfo.name, "coder");
  assert.match(answer.agentInfo.version, /^\d+\.\d+/);
  const capabilities = answer.agentCapabilities;
  assert.equal(capabilities.loadSession, true);
  for (const ability of ["list", "resume", "close", "delete"]) {
    assert.equal(typeof capabilities.sessionCapabilities[ability], "object", ability);
  }
  await agent.end();
}

export async function initialize_answers_its_own_version_to_a_newer_client(start) {
  const agent = await start();
  assert.equal((await agent.initialize(ALL_CAPABILITIES, 99)).protocolVersion, 1);
  await agent.end();
}

export async function a_new_session_offers_every_option(start) {
  const { agent, session } = await withSession(start);
  assert.deepEqual(values(session.configOptions), DEFAULTS);
  assert.deepEqual(Object.keys(values(session.configOptions)), ["mode", "model", "brave"], "the declared order");
  const [mode, model, brave] = session.configOptions;
  assert.deepEqual([mode.type, mode.category], ["select", "mode"]);
  assert.deepEqual([model.type, model.category], ["select", "model"]);
  assert.deepEqual(mode.options.map((option) => option.value), ["code", "ask"]);
  assert.deepEqual(model.options.map((option) => option.value), ["fast", "smart"]);
  assert.deepEqual([brave.type, "options" in brave], ["boolean", false]);
  for (const option of session.configOptions) {
    assert.ok(option.name && option.description, `${option.id} has a name and a description`);
  }
  await agent.end();
}

export async function the_mode_option_is_mirrored_as_modes(start) {
  const { agent, session } = await withSession(start);
  assert.equal(session.modes.currentModeId, "code");
  assert.deepEqual(session.modes.availableModes.map((mode) => mode.id), ["code", "ask"]);
  await agent.end();
}

export async function a_boolean_is_hidden_from_a_client_that_knows_none(start) {
  const { agent, session, id } = await withSession(start, {});
  assert.deepEqual(values(session.configOptions), { mode: "code", model: "fast" });
  assert.deepEqual(values(await agent.set(id, "model", "smart")), { mode: "code", model: "smart" });
  await agent.prompt(id, "switch please");
  const [update] = agent.updatesOf(id, "config_option_update");
  assert.deepEqual(values(update.configOptions), { mode: "code", model: "fast" });
  await agent.end();
}

export async function setting_a_select_answers_the_full_state(start) {
  const { agent, session, id } = await withSession(start);
  const state = await agent.set(id, "model", "smart");
  const expected = structuredClone(session.configOptions);
  expected[1].currentValue = "smart";
  assert.deepEqual(state, expected);
  assert.deepEqual(agent.updates, [], "the client that set it gets no update");
  await agent.end();
}

export async function setting_a_boolean_answers_the_full_state(start) {
  const { agent, session, id } = await withSession(start);
  const expected = structuredClone(session.configOptions);
  expected[2].currentValue = true;
  assert.deepEqual(await agent.set(id, "brave", true), expected);
  assert.deepEqual(values(await agent.set(id, "brave", false)), DEFAULTS);
  await agent.end();
}

/** What the agent says the options are, found by setting one to what it is. */
async function state(agent, id) {
  return values(await agent.set(id, "model", "fast"));
}

export async function an_unknown_option_is_refused_and_changes_nothing(start) {
  const { agent, id } = await withSession(start);
  await refused(agent.set(id, "colour", "red"), INVALID_PARAMS);
  assert.deepEqual(await state(agent, id), DEFAULTS);
  await agent.end();
}

export async function an_unknown_value_is_refused_and_changes_nothing(start) {
  const { agent, id } = await withSession(start);
  const error = await refused(agent.set(id, "model", "genius"), INVALID_PARAMS);
  assert.match(JSON.stringify([error.message, error.data]), /smart/, "the refusal names what is offered");
  await refused(agent.set(id, "mode", "Code"), INVALID_PARAMS);
  await refused(agent.set(id, "mode", ""), INVALID_PARAMS);
  assert.deepEqual(await state(agent, id), DEFAULTS);
  await agent.end();
}

export async function a_value_of_the_wrong_type_is_refused_and_changes_nothing(start) {
  const { agent, id } = await withSession(start);
  await refused(agent.set(id, "model", true), INVALID_PARAMS);
  await refused(agent.set(id, "brave", "true"), INVALID_PARAMS);
  assert.deepEqual(await state(agent, id), DEFAULTS);
  await agent.end();
}

export async function setting_the_mode_option_tells_old_clients_the_mode(start) {
  const { agent, id } = await withSession(start);
  assert.equal(values(await agent.set(id, "mode", "ask")).mode, "ask");
  const update = await agent.until(() => agent.updates[0], "the mode update");
  assert.deepEqual(update, { sessionId: id, update: { sessionUpdate: "current_mode_update", currentModeId: "ask" } });
  await agent.set(id, "model", "smart");
  assert.equal(agent.updates.length, 1, "one update for one change");
  await agent.end();
}

export async function setting_the_mode_tells_new_clients_the_full_state(start) {
  const { agent, session, id } = await withSession(start);
  await agent.setMode(id, "ask");
  const { update } = await agent.until(() => agent.updates[0], "the option update");
  const expected = structuredClone(session.configOptions);
  expected[0].currentValue = "ask";
  assert.deepEqual(update, { sessionUpdate: "config_option_update", configOptions: expected });
  assert.equal((await state(agent, id)).mode, "ask");
  await agent.end();
}

export async function an_unknown_mode_is_refused_and_changes_nothing(start) {
  const { agent, id } = await withSession(start);
  await refused(agent.setMode(id, "yolo"), INVALID_PARAMS);
  assert.deepEqual(await state(agent, id), DEFAULTS);
  assert.deepEqual(agent.updates, []);
  await agent.end();
}

export async function options_can_be_set_during_a_turn(start) {
  const { agent, id } = await withSession(start);
  const turn = agent.prompt(id, "slow");
  await agent.until(() => agent.text(id), "the first chunk");
  assert.equal(values(await agent.set(id, "model", "smart")).model, "smart");
  await agent.cancel(id);
  assert.equal((await turn).stopReason, "cancelled");
  assert.equal(values(await agent.set(id, "brave", true)).model, "smart");
  await agent.end();
}

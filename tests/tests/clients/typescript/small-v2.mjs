// Checks of the small agents `echo` and `assistant` on version 2. Neither declares a store. Each takes a function that starts an
// agent.

import assert from "node:assert/strict";
import { refused, soon } from "./agent.mjs";
import { only, states, told, values, withSession } from "./agent-v2.mjs";

const UNKNOWN_SESSION = -32002;

export const echo = {
  async echo_repeats_with_its_options(start) {
    const { agent, session, id } = await withSession(start);
    assert.deepEqual(values(session.configOptions), { shout: false, times: "1" });
    const updates = await agent.turn(id, "hello");
    assert.equal(told(updates), "hello");
    assert.deepEqual(states(updates), ["running", "idle end_turn"]);
    await agent.set(id, "shout", true);
    await agent.set(id, "times", "2");
    assert.equal(told(await agent.turn(id, "hello")), "HELLOHELLO");
    await agent.end();
  },

  async echo_answers_the_methods_that_every_agent_has(start) {
    const { agent, id } = await withSession(start);
    assert.ok(Array.isArray((await agent.list()).sessions));
    await agent.cancel(id);
    await agent.resume(id);
    assert.equal(told(await agent.turn(id, "still here")), "still here");
    await agent.close(id);
    await refused(agent.prompt(id, "hello"), UNKNOWN_SESSION);
    await agent.end();
  },

  async echo_speaks_its_highest_version_to_a_newer_client(start) {
    const agent = await start();
    assert.equal((await agent.initialize({}, 99)).protocolVersion, 2);
    await agent.end();
  },
};

export const assistant = {
  async assistant_lists_and_replays_what_it_keeps_itself(start) {
    const { agent, session, id } = await withSession(start);
    assert.deepEqual(values(session.configOptions), { model: "smart", effort: "medium", brave: false });
    assert.equal(told(await agent.turn(id, "count")), "one two three");
    assert.deepEqual((await agent.list()).sessions.map((listed) => [listed.sessionId, listed.cwd]), [[id, agent.cwd]]);
    const before = agent.updates.length;
    await agent.replay(id);
    const again = agent.updatesOf(id, before);
    assert.equal(told(again), "one two three");
    assert.match(JSON.stringify(again), /count/);
    assert.equal(again.at(-1).state, "idle");
    await refused(agent.replay("sess-99"), UNKNOWN_SESSION);
    await agent.close(id);
    await agent.end();
  },

  async assistant_changes_its_own_option(start) {
    const { agent, id } = await withSession(start);
    const [change] = only(await agent.turn(id, "/fast"), "config_option_update");
    assert.equal(values(change.configOptions).model, "fast");
    const { messageId } = await soon(agent.prompt(id, "again"), "the answer");
    await agent.cancel(id);
    assert.match(states(await agent.worked(id, messageId)).at(-1), /^idle (cancelled|end_turn)$/);
    await agent.end();
  },
};

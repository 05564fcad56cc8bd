"""Checks of small departures from the schema, each of which the agent `departing` declares."""

import contextlib

from acp import schema
from agent import equal, refused, running, soon, values

AUTH_REQUIRED = -32000
INVALID_PARAMS = -32602
UNKNOWN_SESSION = -32002

# The members of updates that the agent declares. The SDK leaves them out.
OWN = ["models", "worker"]


@contextlib.asynccontextmanager
async def _initialized(command, folder):
    """A running agent, and its answer to `initialize`."""
    async with running(command, folder) as agent:
        agent.own = OWN
        yield agent, await agent.initialize()


@contextlib.asynccontextmanager
async def _with_session(command, folder):
    async with _initialized(command, folder) as (agent, _):
        yield agent, (await agent.new_session()).session_id


async def _said(agent, id, text):
    """The text that the agent answers to a prompt."""
    before = len(agent.text(id))
    equal(await agent.answer(id, text), "end_turn")
    return agent.text(id)[before:]


def _sent(agent, id, kind=None):
    """The updates of a session as they were sent, optionally of one kind."""
    sent = [message["params"] for message in agent.wire if message.get("method") == "session/update"]
    updates = [params["update"] for params in sent if params["sessionId"] == id]
    return [update for update in updates if kind is None or update["sessionUpdate"] == kind]


def _answer(agent):
    """The last answer as it was sent."""
    return [message["result"] for message in agent.wire if "result" in message][-1]


def _models(current):
    """`models` of an older version, with a current one."""
    available = [{"modelId": "fast", "name": "Fast"}, {"modelId": "smart", "name": "Smart"}]
    return {"availableModels": available, "currentModelId": current}


def _set_model(agent, id, model):
    return agent.send("session/set_model", {"sessionId": id, "modelId": model})


async def _told(agent, id):
    """The updates of options."""
    await agent.until(lambda: agent.updates_of(id, "config_option_update"), "the options")
    return agent.updates_of(id, "config_option_update")


async def a_member_of_the_options_stands_wherever_they_stand(command, folder):
    async with _with_session(command, folder) as (agent, id):
        equal(_answer(agent)["models"], _models("smart"))
        equal(values(await agent.set(id, "model", "fast"))["model"], "fast")
        equal(_answer(agent)["models"], _models("fast"))
        await soon(_set_model(agent, id, "smart"), "session/set_model")
        equal([values(update.config_options)["model"] for update in await _told(agent, id)], ["smart"])
        equal([update["models"] for update in _sent(agent, id, "config_option_update")], [_models("smart")])
        await agent.answer(id, "one")
        equal(values((await agent.resume(id)).config_options)["model"], "smart")
        equal(_answer(agent)["models"], _models("smart"))


async def an_answer_has_the_members_that_its_handler_adds(command, folder):
    async with _initialized(command, folder) as (agent, _):
        equal(_answer(agent)["region"], "eu")
        await agent.new_session()
        equal(_answer(agent)["budget"], 10)


async def each_update_has_a_declared_member(command, folder):
    async with _with_session(command, folder) as (agent, id):
        equal(await _said(agent, id, "one"), "one")
        await soon(_set_model(agent, id, "fast"), "session/set_model")
        await _told(agent, id)
        updates = _sent(agent, id)
        assert len(updates) >= 3, f"{len(updates)} updates"
        equal([update.get("worker") for update in updates], [3] * len(updates))


async def a_way_to_authenticate_has_a_shape_of_its_own(command, folder):
    async with _initialized(command, folder) as (agent, answer):
        [way] = answer.auth_methods
        assert isinstance(way, schema.EnvVarAuthMethod), f"the SDK knows its shape: {way!r}"
        equal([way.id, way.type, [var.name for var in way.vars]], ["key", "env_var", ["DEPARTING_KEY"]])
        await soon(agent.connection.authenticate("key"), "authenticate")
        await refused(agent.connection.authenticate("vars"), INVALID_PARAMS)


async def credentials_that_die_are_refused(command, folder):
    # This version of the SDK does not know notices, so the client is told by the refusals alone.
    async with _with_session(command, folder) as (agent, id):
        await _said(agent, id, "die")
        before = len(agent.updates)
        for _ in range(2):
            await refused(agent.prompt(id, "two"), AUTH_REQUIRED)
        await refused(agent.new_session(), AUTH_REQUIRED)
        await refused(_set_model(agent, id, "fast"), AUTH_REQUIRED)
        equal(agent.updates[before:], [])
        await soon(agent.connection.authenticate("key"), "authenticate")
        equal(await _said(agent, id, "three"), "die, three")


async def a_fork_is_a_session_of_its_own(command, folder):
    async with _initialized(command, folder) as (agent, answer):
        assert answer.agent_capabilities.session_capabilities.fork is not None, "the capability"
        first = (await agent.new_session()).session_id
        await _said(agent, first, "one")
        await soon(_set_model(agent, first, "fast"), "session/set_model")
        cwd = str(agent.cwd / "fork")
        forked = await soon(agent.connection.fork_session(first, cwd, mcp_servers=[]), "session/fork")
        assert forked.session_id != first, "the ids are unique"
        equal(values(forked.config_options), {"model": "fast", "effort": "low"})
        equal(_answer(agent)["models"], _models("fast"))
        equal(await _said(agent, forked.session_id, "two"), "one, two")
        equal(await _said(agent, forked.session_id, "where"), cwd)
        equal(await _said(agent, first, "three"), "one, three")
        await refused(agent.connection.fork_session("none", cwd), INVALID_PARAMS)


@contextlib.asynccontextmanager
async def _left_behind(command, folder):
    """Another process than the one that has had a session, and the id."""
    async with _with_session(command, folder) as (agent, id):
        await _said(agent, id, "one")
    async with _initialized(command, folder) as (agent, _):
        yield agent, id


async def a_prompt_opens_a_session_of_an_earlier_process(command, folder):
    async with _left_behind(command, folder) as (agent, id):
        equal(await _said(agent, id, "two"), "one, two")
        [options] = await _told(agent, id)
        equal(values(options.config_options), {"model": "smart", "effort": "low"}, "what no answer has told")
        equal([update["models"] for update in _sent(agent, id, "config_option_update")], [_models("smart")])
        await refused(agent.prompt("none", "two"), UNKNOWN_SESSION)
        equal(await _said(agent, id, "three"), "one, two, three")


async def a_set_opens_a_session_of_an_earlier_process(command, folder):
    async with _left_behind(command, folder) as (agent, id):
        equal(values(await agent.set(id, "effort", "high")), {"model": "smart", "effort": "high"})
        await refused(agent.set("none", "effort", "high"), UNKNOWN_SESSION)
        equal(await _said(agent, id, "two"), "one, two")


async def a_load_replays_a_thought(command, folder):
    async with _left_behind(command, folder) as (agent, id):
        await agent.load(id)
        await agent.until(lambda: agent.text(id, "user_message_chunk"), "the replay")
        equal(agent.text(id, "agent_thought_chunk"), "This was there before.")
        equal(agent.text(id, "user_message_chunk"), "one")


async def a_permission_is_asked_before_the_call_begins(command, folder):
    async with _with_session(command, folder) as (agent, id):
        reported, answers = [], ["reject", "allow_always"]

        def decide():
            reported.append(len(_sent(agent, id, "tool_call")))
            return answers.pop(0)

        agent.decide = decide
        equal([await _said(agent, id, "test") for _ in range(3)], ["not allowed", "tested", "tested"])
        equal(reported, [0, 0], "nothing is reported before, and the answer is remembered")
        [(_, rejected, _), (_, allowed, options)] = agent.permissions
        places = [str(agent.cwd / name) for name in ("a.rs", "b.rs")]
        equal([rejected.tool_call_id, allowed.tool_call_id], ["core_1", "core_2"])
        equal([allowed.title, allowed.kind, allowed.status], ["cargo test", "execute", "pending"])
        equal([location.path for location in allowed.locations], places)
        equal(allowed.field_meta, {"call": 2})
        kinds = ["allow_always", "allow_once", "reject_always", "reject_once"]
        equal(sorted(option.kind for option in options), kinds)
        begun, later = agent.updates_of(id, "tool_call")
        equal([begun.tool_call_id, later.tool_call_id], ["core_2", "core_3"])
        equal([begun.title, begun.field_meta], ["cargo test --all", {"call": 2}])
        equal([location.path for location in begun.locations], places)
        ends = [update for update in agent.updates_of(id, "tool_call_update") if update.status == "completed"]
        equal([update.tool_call_id for update in ends], ["core_2", "core_3"])


async def a_method_of_its_own_sets_an_option_and_resets_the_others(command, folder):
    async with _with_session(command, folder) as (agent, id):
        await agent.set(id, "effort", "high")
        equal(await soon(_set_model(agent, id, "fast"), "session/set_model"), {})
        equal([values(update.config_options) for update in await _told(agent, id)], [{"model": "fast", "effort": "low"}])
        error = await refused(_set_model(agent, id, "new"), INVALID_PARAMS)
        assert "`fast`, `smart`" in str(error), f"the refusal names what is offered: {error}"
        equal(values(await agent.set(id, "effort", "low")), {"model": "fast", "effort": "low"})


async def a_command_runs_beside_a_turn(command, folder):
    async with _with_session(command, folder) as (agent, id):
        await agent.until(lambda: agent.updates_of(id, "available_commands_update"), "the commands")
        [update] = agent.updates_of(id, "available_commands_update")
        equal([each.name for each in update.available_commands], ["count"])
        turn = agent.prompt(id, "wait")
        await agent.until(lambda: agent.text(id), "the first chunk")
        equal(await _said(agent, id, "/count"), f"1 in {id}")
        assert not turn.done(), "the turn runs"
        await agent.cancel(id)
        equal((await soon(turn, "the answer")).stop_reason, "cancelled")


async def a_bundle_gives_prompts_and_commands_their_own_session(command, folder):
    async with _with_session(command, folder) as (agent, first):
        second = (await agent.new_session()).session_id
        await _said(agent, first, "one")
        await _said(agent, first, "two")
        equal(await _said(agent, second, "three"), "three")
        equal(await _said(agent, first, "/count"), f"2 in {first}")
        equal(await _said(agent, second, "/count"), f"1 in {second}")


async def a_turn_knows_the_directories_of_the_last_call_that_opened_its_session(command, folder):
    async with _initialized(command, folder) as (agent, _):
        other, more = str(agent.cwd / "other"), str(agent.cwd / "more")
        opening = agent.connection.new_session(str(agent.cwd), additional_directories=[more], mcp_servers=[])
        id = (await soon(opening, "session/new")).session_id
        equal(await _said(agent, id, "where"), f"{agent.cwd} {more}")
        await soon(agent.connection.resume_session(id, other), "session/resume")
        equal(await _said(agent, id, "where"), other)


async def methods_of_a_vendor_go_in_both_directions(command, folder):
    async with _with_session(command, folder) as (agent, id):
        path = str(agent.cwd / "a.rs")
        review = await soon(agent.connection.ext_method("acme.dev/review", {"path": path, "depth": "thorough"}), "the review")
        finding = {"content": {"type": "text", "text": "looks fine"}, "location": {"path": path, "line": 1}}
        equal(review, {"findings": [finding]})
        await refused(agent.connection.ext_method("acme.dev/review", {"path": path, "depth": "deep"}), INVALID_PARAMS)
        agent.extend = lambda _: {"shown": len(agent.extensions) < 4}
        equal([await _said(agent, id, "open") for _ in range(2)], ["shown", "hidden"])
        opens = [("acme.dev/progress", {"percent": 50}), ("acme.dev/open_editor", {"location": {"path": path, "line": 2}})]
        equal(agent.extensions, opens + opens)

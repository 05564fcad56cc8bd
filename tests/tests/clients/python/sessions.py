"""Checks of a session's life: load, list, resume, close, delete, errors."""

from agent import equal, refused, running, soon, values, with_session

UNKNOWN_METHOD = -32601
UNKNOWN_SESSION = -32002
CHANGED = {"mode": "code", "model": "smart", "brave": True}


async def _leave_behind(command, folder):
    """A session with one turn and changed options, left by an agent that is gone: its id and what the agent said."""
    async with with_session(command, folder) as (agent, _, id):
        await agent.set(id, "model", "smart")
        await agent.set(id, "brave", True)
        await agent.answer(id, "remember the milk")
        return id, agent.text(id)


def _places(agent, holds):
    return [index for index, message in enumerate(agent.wire) if holds(message)]


async def a_loaded_session_replays_before_it_answers(command, folder):
    id, said = await _leave_behind(command, folder)
    async with running(command, folder) as agent:
        await agent.initialize()
        loaded = await agent.load(id)
        updates = _places(agent, lambda message: message.get("method") == "session/update")
        [answer] = _places(agent, lambda message: "configOptions" in (message.get("result") or {}))
        assert len(updates) >= 2 and max(updates) < answer, f"updates at {updates}, the answer at {answer}"
        await agent.until(lambda: len(agent.updates) == len(updates), "the updates in the SDK's handler")
        equal(agent.text(id, "user_message_chunk"), "remember the milk")
        equal(agent.text(id), said)
        equal(values(loaded.config_options), CHANGED)
        equal(loaded.modes.current_mode_id, "code")


async def a_loaded_session_goes_on(command, folder):
    id, _ = await _leave_behind(command, folder)
    async with running(command, folder) as agent:
        await agent.initialize()
        await agent.load(id)
        equal(await agent.answer(id, "and the bread"), "end_turn")
        assert "and the bread" in agent.text(id)


async def a_resumed_session_replays_nothing(command, folder):
    id, _ = await _leave_behind(command, folder)
    async with running(command, folder) as agent:
        await agent.initialize()
        resumed = await agent.resume(id)
        equal(values(resumed.config_options), CHANGED)
        equal(agent.updates, [])
        equal(await agent.answer(id, "go on"), "end_turn")


async def stored_sessions_are_listed(command, folder):
    id, _ = await _leave_behind(command, folder)
    async with running(command, folder) as agent:
        await agent.initialize()
        listed = await soon(agent.connection.list_sessions(), "session/list")
        equal([(each.session_id, each.cwd) for each in listed.sessions], [(id, str(agent.cwd))])
        equal(listed.next_cursor, None)
        elsewhere = await soon(agent.connection.list_sessions(cwd=str(agent.store)), "session/list")
        equal(elsewhere.sessions, [])


async def closing_a_session_cancels_its_turn_first(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        turn = agent.prompt(id, "slow")
        await agent.until(lambda: agent.text(id), "the first chunk")
        await soon(agent.connection.close_session(id), "session/close")
        equal((await soon(turn, "the answer")).stop_reason, "cancelled")
        results = [message["result"] for message in agent.wire if "result" in message]
        assert "stopReason" in results[-2], f"the turn's answer precedes that of session/close: {results[-2:]}"
        await refused(agent.prompt(id, "still there?"), UNKNOWN_SESSION)


async def a_closed_session_can_be_resumed(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        await agent.answer(id, "hello")
        await soon(agent.connection.close_session(id), "session/close")
        equal(values((await agent.resume(id)).config_options)["mode"], "code")
        equal(await agent.answer(id, "hello again"), "end_turn")


async def a_deleted_session_is_no_longer_listed(command, folder):
    id, _ = await _leave_behind(command, folder)
    async with running(command, folder) as agent:
        await agent.initialize()
        await agent.delete(id)
        equal((await soon(agent.connection.list_sessions(), "session/list")).sessions, [])
        await agent.delete(id)
        await refused(agent.load(id), UNKNOWN_SESSION)


async def an_unknown_session_is_an_error(command, folder):
    async with with_session(command, folder) as (agent, _, __):
        stranger = "no-such-session"
        await refused(agent.load(stranger), UNKNOWN_SESSION)
        await refused(agent.resume(stranger), UNKNOWN_SESSION)
        await refused(agent.prompt(stranger, "hello"), UNKNOWN_SESSION)
        await refused(agent.set(stranger, "model", "smart"), UNKNOWN_SESSION)
        await refused(agent.set_mode(stranger, "ask"), UNKNOWN_SESSION)
        await agent.cancel(stranger)
        await agent.new_session()


async def an_unknown_method_is_an_error(command, folder):
    async with with_session(command, folder) as (agent, _, __):
        await refused(agent.connection.ext_method("acp-tests.dev/nothing", {}), UNKNOWN_METHOD)
        await refused(agent.send("session/nothing", {}), UNKNOWN_METHOD)
        await agent.new_session()

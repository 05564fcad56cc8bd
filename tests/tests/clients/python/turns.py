"""Checks of prompt turns: updates, tool calls, permission, cancellation."""

import asyncio
import time

from acp import schema
from agent import BOOLEAN, equal, refused, soon, values, with_session

INVALID_REQUEST = -32600


def _after_the_turn(agent):
    """The messages that came after the last turn's answer."""
    ends = [index for index, message in enumerate(agent.wire) if "stopReason" in (message.get("result") or {})]
    return agent.wire[ends[-1] + 1 :]


def _is_update(message):
    return message.get("method") == "session/update"


async def a_turn_streams_a_thought_a_plan_and_an_answer(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        equal(await agent.answer(id, "hello world, how are you"), "end_turn")
        assert agent.text(id, "agent_thought_chunk"), "a thought"
        assert "hello world, how are you" in agent.text(id), agent.text(id)
        assert len(agent.updates_of(id, "agent_message_chunk")) > 2, "the answer comes in pieces"
        plans = agent.updates_of(id, "plan")
        assert len(plans) >= 2, "the plan moves on"
        equal({len(plan.entries) for plan in plans}, {2}, "entries of each plan")
        equal([entry.status for entry in plans[-1].entries], ["completed", "completed"], "the last plan")


async def every_update_of_a_turn_precedes_its_answer(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        await agent.answer(id, "one two three")
        seen = len(agent.updates_of(id))
        await agent.set(id, "model", "smart")
        equal([message for message in _after_the_turn(agent) if _is_update(message)], [], "updates after the answer")
        assert seen > 4, f"{seen} updates before the answer"


async def the_agent_can_change_an_option_during_a_turn(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        await agent.answer(id, "switch please")
        [update] = agent.updates_of(id, "config_option_update")
        equal(values(update.config_options), {"mode": "code", "model": "smart", "brave": False})
        equal(values(await agent.set(id, "brave", True))["model"], "smart")


def _tool_call(agent, id):
    """What a client sees of the tool call of an edit: its start and the states it went through."""
    [call] = agent.updates_of(id, "tool_call")
    updates = agent.updates_of(id, "tool_call_update")
    equal({update.tool_call_id for update in updates}, {call.tool_call_id}, "the tool call of the updates")
    # A tool call without a status is pending. An update without a status does not change it.
    later = [update.status for update in updates if update.status is not None]
    return call, [call.status or "pending", *later]


async def an_edit_that_is_allowed_goes_through_the_client(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        equal(await agent.answer(id, "edit the notes"), "end_turn")
        path = str(agent.cwd / "NOTES.md")
        call, states = _tool_call(agent, id)
        equal(call.kind, "edit")
        equal(states, ["pending", "in_progress", "completed"])
        [diff] = call.content
        equal([diff.type, diff.path], ["diff", path])
        [(session, tool_call, options)] = agent.permissions
        equal([session, tool_call.tool_call_id], [id, call.tool_call_id])
        equal([option.option_id for option in options], ["allow", "reject"])
        equal(agent.writes, [(id, path, diff.new_text)])


async def an_edit_is_written_by_the_agent_when_the_client_takes_no_files(command, folder):
    capabilities = schema.ClientCapabilities(session=BOOLEAN)
    async with with_session(command, folder, capabilities) as (agent, _, id):
        await agent.answer(id, "edit the notes")
        equal(agent.writes, [], "requests that the client did not offer")
        call, states = _tool_call(agent, id)
        equal(states[-1], "completed")
        equal((agent.cwd / "NOTES.md").read_text(), call.content[0].new_text)


async def an_edit_that_is_rejected_fails_and_writes_nothing(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        agent.decide = lambda: "reject"
        equal(await agent.answer(id, "edit the notes"), "end_turn")
        equal(_tool_call(agent, id)[1], ["pending", "failed"])
        equal(agent.writes, [])
        assert not (agent.cwd / "NOTES.md").exists(), "the file was written"


async def an_option_that_was_not_offered_is_no_permission(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        agent.decide = lambda: "allow_everything"
        await agent.answer(id, "edit the notes")
        equal(_tool_call(agent, id)[1][-1], "failed")
        equal(agent.writes, [])


async def a_brave_agent_does_not_ask(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        await agent.set(id, "brave", True)
        await agent.answer(id, "edit the notes")
        equal(agent.permissions, [])
        equal(_tool_call(agent, id)[1], ["pending", "in_progress", "completed"])
        equal(len(agent.writes), 1)


async def in_mode_ask_nothing_is_edited(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        await agent.set(id, "mode", "ask")
        await agent.answer(id, "edit the notes")
        equal(agent.updates_of(id, "tool_call"), [])
        equal(agent.permissions, [])


async def a_turn_that_waits_for_permission_can_be_cancelled(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        decision = asyncio.get_running_loop().create_future()
        agent.decide = lambda: decision
        turn = agent.prompt(id, "edit the notes")
        await agent.until(lambda: agent.permissions, "the permission request")
        await agent.cancel(id)
        decision.set_result(None)
        equal((await soon(turn, "the answer")).stop_reason, "cancelled")
        equal(agent.writes, [])


async def a_running_turn_is_cancelled_at_once(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        turn = agent.prompt(id, "slow")
        await agent.until(lambda: len(agent.text(id)) > 4, "some text")
        begin = time.monotonic()
        await agent.cancel(id)
        equal((await soon(turn, "the answer")).stop_reason, "cancelled")
        assert time.monotonic() - begin < 1.0, "the turn ends within a second"
        await agent.set(id, "model", "smart")
        equal([message for message in _after_the_turn(agent) if _is_update(message)], [], "updates after the answer")


async def a_cancel_right_behind_the_prompt_is_not_lost(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        for turn in range(10):
            answer = agent.prompt(id, "slow")
            # After this yield the prompt is in the queue, and the agent had no time to answer it.
            await asyncio.sleep(0)
            await agent.cancel(id)
            equal((await soon(answer, f"answer {turn}")).stop_reason, "cancelled")


async def a_cancel_does_not_reach_the_next_turn(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        await agent.cancel(id)
        equal(await agent.answer(id, "hello"), "end_turn")
        turn = agent.prompt(id, "slow")
        await agent.until(lambda: agent.text(id), "the first chunk")
        await agent.cancel(id)
        equal((await soon(turn, "the answer")).stop_reason, "cancelled")
        await agent.cancel(id)
        equal(await agent.answer(id, "hello again"), "end_turn")
        assert "hello again" in agent.text(id)


async def a_second_prompt_for_a_busy_session_is_refused(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        turn = agent.prompt(id, "slow")
        await agent.until(lambda: agent.text(id), "the first chunk")
        await refused(agent.prompt(id, "me too"), INVALID_REQUEST)
        await agent.cancel(id)
        equal((await soon(turn, "the answer")).stop_reason, "cancelled")


async def two_sessions_run_at_once(command, folder):
    async with with_session(command, folder) as (agent, _, first):
        second = (await agent.new_session()).session_id
        assert first != second, "the ids are unique"
        slow = agent.prompt(first, "slow")
        await agent.until(lambda: agent.text(first), "the first chunk")
        equal(await agent.answer(second, "hello"), "end_turn")
        await agent.cancel(second)
        before = len(agent.text(first))
        await agent.until(lambda: len(agent.text(first)) > before, "more of the first session")
        await agent.cancel(first)
        equal((await soon(slow, "the answer")).stop_reason, "cancelled")


async def two_sessions_have_options_of_their_own(command, folder):
    async with with_session(command, folder) as (agent, _, first):
        second = (await agent.new_session()).session_id
        await agent.set(first, "model", "smart")
        equal(values(await agent.set(second, "brave", True)), {"mode": "code", "model": "fast", "brave": True})
        equal(values(await agent.set(first, "mode", "code")), {"mode": "code", "model": "smart", "brave": False})


async def an_agent_ends_in_the_middle_of_a_turn(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        turn = agent.prompt(id, "slow")
        await agent.until(lambda: agent.text(id), "the first chunk")
    try:
        await soon(turn, "the end of the request")
    except ConnectionError:
        pass

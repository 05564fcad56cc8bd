"""Checks of `initialize`, config options and modes."""

from acp import schema
from agent import ALL_CAPABILITIES, as_sent, equal, refused, running, values, with_session

INVALID_PARAMS = -32602
DEFAULTS = {"mode": "code", "model": "fast", "brave": False}


def _changed(options, option, value):
    """A full state as it was sent, with one value changed."""
    state = [as_sent(each) for each in options]
    next(each for each in state if each["id"] == option)["currentValue"] = value
    return state


async def _state(agent, session):
    """What the agent says the options are, found by setting one to what it is."""
    return values(await agent.set(session, "model", "fast"))


async def initialize_tells_the_version_the_name_and_the_capabilities(command, folder):
    async with running(command, folder) as agent:
        answer = await agent.initialize()
        equal(answer.protocol_version, 1)
        equal(answer.agent_info.name, "coder")
        capabilities = answer.agent_capabilities
        equal(capabilities.load_session, True)
        for ability in ("list", "resume", "close", "delete"):
            assert getattr(capabilities.session_capabilities, ability) is not None, ability


async def initialize_answers_its_own_version_to_a_newer_client(command, folder):
    async with running(command, folder) as agent:
        equal((await agent.initialize(ALL_CAPABILITIES, 99)).protocol_version, 1)


async def a_new_session_offers_every_option(command, folder):
    async with with_session(command, folder) as (agent, session, _):
        equal(list(values(session.config_options).items()), list(DEFAULTS.items()))
        mode, model, brave = session.config_options
        equal([mode.type, mode.category, model.type, model.category], ["select", "mode", "select", "model"])
        equal([value.value for value in mode.options], ["code", "ask"])
        equal([value.value for value in model.options], ["fast", "smart"])
        equal(brave.type, "boolean")
        for option in session.config_options:
            assert option.name and option.description, f"{option.id} has a name and a description"
        # The SDK drops options that it cannot read, so the check also looks at the message itself.
        sent = agent.wire[-1]["result"]["configOptions"]
        equal([as_sent(option) for option in session.config_options], sent, "the options as sent")


async def the_mode_option_is_mirrored_as_modes(command, folder):
    async with with_session(command, folder) as (agent, session, _):
        equal(session.modes.current_mode_id, "code")
        equal([mode.id for mode in session.modes.available_modes], ["code", "ask"])


async def a_boolean_is_hidden_from_a_client_that_knows_none(command, folder):
    async with with_session(command, folder, schema.ClientCapabilities()) as (agent, session, id):
        equal(values(session.config_options), {"mode": "code", "model": "fast"})
        equal(values(await agent.set(id, "model", "smart")), {"mode": "code", "model": "smart"})
        await agent.answer(id, "switch please")
        [update] = agent.updates_of(id, "config_option_update")
        equal(values(update.config_options), {"mode": "code", "model": "fast"})


async def setting_a_select_answers_the_full_state(command, folder):
    async with with_session(command, folder) as (agent, session, id):
        state = await agent.set(id, "model", "smart")
        equal([as_sent(option) for option in state], _changed(session.config_options, "model", "smart"))
        equal(agent.updates, [], "updates for the client that set it")


async def setting_a_boolean_answers_the_full_state(command, folder):
    async with with_session(command, folder) as (agent, session, id):
        state = await agent.set(id, "brave", True)
        equal([as_sent(option) for option in state], _changed(session.config_options, "brave", True))
        equal(values(await agent.set(id, "brave", False)), DEFAULTS)


async def an_unknown_option_is_refused_and_changes_nothing(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        await refused(agent.set(id, "colour", "red"), INVALID_PARAMS)
        equal(await _state(agent, id), DEFAULTS)


async def an_unknown_value_is_refused_and_changes_nothing(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        error = await refused(agent.set(id, "model", "genius"), INVALID_PARAMS)
        assert "smart" in f"{error} {error.data}", f"the refusal names what is offered: {error}"
        await refused(agent.set(id, "mode", "Code"), INVALID_PARAMS)
        equal(await _state(agent, id), DEFAULTS)


async def a_value_of_the_wrong_type_is_refused_and_changes_nothing(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        await refused(agent.set(id, "model", True), INVALID_PARAMS)
        await refused(agent.set(id, "brave", "true"), INVALID_PARAMS)
        equal(await _state(agent, id), DEFAULTS)


async def setting_the_mode_option_tells_old_clients_the_mode(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        equal(values(await agent.set(id, "mode", "ask"))["mode"], "ask")
        await agent.until(lambda: agent.updates, "the mode update")
        await agent.set(id, "model", "smart")
        [update] = agent.updates_of(id)
        equal(as_sent(update), {"sessionUpdate": "current_mode_update", "currentModeId": "ask"})


async def setting_the_mode_tells_new_clients_the_full_state(command, folder):
    async with with_session(command, folder) as (agent, session, id):
        await agent.set_mode(id, "ask")
        await agent.until(lambda: agent.updates, "the option update")
        [update] = agent.updates_of(id)
        expected = _changed(session.config_options, "mode", "ask")
        equal(as_sent(update), {"sessionUpdate": "config_option_update", "configOptions": expected})
        equal((await _state(agent, id))["mode"], "ask")


async def an_unknown_mode_is_refused_and_changes_nothing(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        await refused(agent.set_mode(id, "yolo"), INVALID_PARAMS)
        equal(await _state(agent, id), DEFAULTS)
        equal(agent.updates, [])


async def options_can_be_set_during_a_turn(command, folder):
    async with with_session(command, folder) as (agent, _, id):
        turn = agent.prompt(id, "slow")
        await agent.until(lambda: agent.text(id), "the first chunk")
        equal(values(await agent.set(id, "model", "smart"))["model"], "smart")
        await agent.cancel(id)
        equal((await turn).stop_reason, "cancelled")
        equal(values(await agent.set(id, "brave", True))["model"], "smart")

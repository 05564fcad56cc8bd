"""An agent on the Python SDK, in the style of the SDK's own example: it repeats the prompt.

It has the quirks of the example. Session ids are numbers from "0". It accepts the id of a session that nobody opened.
It only records `session/cancel`, so a cancelled turn continues to its end, and ends with `end_turn`.
"""

import asyncio
import logging
from typing import Any

from acp import (
    PROTOCOL_VERSION,
    Agent,
    InitializeResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PromptResponse,
    run_agent,
    start_tool_call,
    text_block,
    update_agent_message,
    update_agent_message_text,
    update_tool_call,
    update_user_message,
)
from acp.helpers import update_current_mode
from acp.interfaces import Client
from acp.schema import (
    AgentCapabilities,
    Implementation,
    ListSessionsResponse,
    PermissionOption,
    SessionCapabilities,
    SessionConfigOptionBoolean,
    SessionConfigOptionSelect,
    SessionConfigSelectOption,
    SessionInfo,
    SessionListCapabilities,
    SessionMode,
    SessionModeState,
    SetSessionConfigOptionResponse,
    SetSessionModeResponse,
    ToolCallUpdate,
)

PAGE = 2
TICKS = 12


class Session:
    def __init__(self, cwd: str) -> None:
        self.cwd = cwd
        self.mode = "ask"
        self.values: dict[str, Any] = {"model": "small", "brave": False}
        self.history: list[Any] = []


class ExampleAgent(Agent):
    _client: Client

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}
        self._knows_switches = False

    def on_connect(self, conn: Client) -> None:
        self._client = conn

    def _session(self, session_id: str) -> Session:
        return self._sessions.setdefault(session_id, Session("/"))

    def _modes(self, session: Session) -> SessionModeState:
        modes = [SessionMode(id="ask", name="Ask"), SessionMode(id="code", name="Code")]
        return SessionModeState(current_mode_id=session.mode, available_modes=modes)

    def _options(self, session: Session) -> list[Any]:
        values = [SessionConfigSelectOption(value=value, name=value.title()) for value in ("small", "large")]
        model = SessionConfigOptionSelect(
            id="model", name="Model", type="select", current_value=session.values["model"], options=values
        )
        brave = SessionConfigOptionBoolean(
            id="brave", name="Brave", type="boolean", current_value=session.values["brave"]
        )
        return [model, brave] if self._knows_switches else [model]

    async def initialize(self, protocol_version, client_capabilities=None, client_info=None, **kwargs):
        session = client_capabilities and client_capabilities.session
        self._knows_switches = bool(session and session.config_options and session.config_options.boolean)
        return InitializeResponse(
            protocol_version=PROTOCOL_VERSION,
            agent_capabilities=AgentCapabilities(
                load_session=True, session_capabilities=SessionCapabilities(list=SessionListCapabilities())
            ),
            agent_info=Implementation(name="example-agent", title="Example Agent", version="0.1.0"),
        )

    async def new_session(self, cwd, additional_directories=None, mcp_servers=None, **kwargs):
        session_id = str(len(self._sessions))
        session = self._sessions[session_id] = Session(cwd)
        return NewSessionResponse(
            session_id=session_id, modes=self._modes(session), config_options=self._options(session)
        )

    async def load_session(self, cwd, session_id, mcp_servers=None, additional_directories=None, **kwargs):
        session = self._session(session_id)
        for update in session.history:
            await self._client.session_update(session_id, update)
        return LoadSessionResponse(modes=self._modes(session), config_options=self._options(session))

    async def list_sessions(self, cwd=None, cursor=None, **kwargs):
        infos = [SessionInfo(session_id=key, cwd=session.cwd) for key, session in self._sessions.items()]
        begin = int(cursor or 0)
        more = str(begin + PAGE) if begin + PAGE < len(infos) else None
        return ListSessionsResponse(sessions=infos[begin : begin + PAGE], next_cursor=more)

    async def set_session_mode(self, session_id, mode_id, **kwargs):
        self._session(session_id).mode = mode_id
        await self._client.session_update(session_id, update_current_mode(mode_id))
        return SetSessionModeResponse()

    async def set_config_option(self, config_id, session_id, value, **kwargs):
        session = self._session(session_id)
        session.values[config_id] = value
        return SetSessionConfigOptionResponse(config_options=self._options(session))

    async def prompt(self, session_id, prompt, **kwargs):
        session = self._session(session_id)
        session.history.extend(update_user_message(block) for block in prompt)
        match prompt[0].text:
            case "work":
                await self._work(session_id)
            case "wait":
                for _ in range(TICKS):
                    await self._client.session_update(session_id, update_agent_message_text("tick "))
                    await asyncio.sleep(0.02)
            case _:
                for block in prompt:
                    update = update_agent_message(block)
                    session.history.append(update)
                    await self._client.session_update(session_id, update)
        return PromptResponse(stop_reason="end_turn")

    async def _work(self, session_id: str) -> None:
        async def send(update: Any) -> None:
            await self._client.session_update(session_id, update)

        await send(update_agent_message(text_block("I will look first. ")))
        await send(start_tool_call("call_1", "Reading the settings", kind="read", status="pending"))
        await send(update_tool_call("call_1", status="completed", raw_output={"content": "{}"}))
        await send(start_tool_call("call_2", "Changing the settings", kind="edit", status="pending"))
        answer = await self._client.request_permission(
            session_id=session_id,
            tool_call=ToolCallUpdate(tool_call_id="call_2", title="Changing the settings", kind="edit"),
            options=[
                PermissionOption(kind="allow_once", name="Change them", option_id="allow"),
                PermissionOption(kind="reject_once", name="Leave them", option_id="reject"),
            ],
        )
        if answer.outcome.outcome == "cancelled":
            return
        allowed = answer.outcome.option_id == "allow"
        await send(update_tool_call("call_2", status="completed" if allowed else "failed"))
        await send(update_agent_message_text("Changed." if allowed else "Left alone."))

    async def cancel(self, session_id, **kwargs):
        logging.info("was asked to cancel in %s", session_id)


async def main() -> None:
    logging.basicConfig(level=logging.INFO)
    await run_agent(ExampleAgent())


if __name__ == "__main__":
    asyncio.run(main())

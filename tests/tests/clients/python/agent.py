"""One agent process, and the SDK's connection to it.

The SDK drops messages that it does not understand. So this module keeps every message as it was sent, and every log
message of the SDK. A check can then look at both.
"""

import asyncio
import contextlib
import logging
import os
import signal
import time

import acp
from acp import schema

# The way to an agent process: its stdin and stdout, or the port that it opens, by `http`, `http2` or `websocket`.
TRANSPORT = os.environ.get("ACP_TRANSPORT")

BOOLEAN = schema.ClientSessionCapabilities(
    config_options=schema.SessionConfigOptionsCapabilities(boolean=schema.BooleanConfigOptionCapabilities())
)
FILES = schema.FileSystemCapabilities(read_text_file=True, write_text_file=True)
# The capabilities of a client that can do everything that the checks need.
ALL_CAPABILITIES = schema.ClientCapabilities(fs=FILES, session=BOOLEAN)

# The time in which an agent must end after its stdin was closed, in seconds. The SDK kills it after this time.
EXIT_BUDGET = 2.0
# The time limit for events that should come soon, in seconds.
SOON = 5.0


async def soon(awaitable, what):
    """Fails with `what` unless `awaitable` is done soon."""
    try:
        return await asyncio.wait_for(awaitable, SOON)
    except asyncio.TimeoutError:
        raise AssertionError(f"{what} did not come within {SOON} s") from None


def equal(actual, expected, what="value"):
    assert actual == expected, f"{what}: {actual!r}, expected {expected!r}"


async def refused(awaitable, code):
    """Asserts that a request is refused with `code`, and returns the error."""
    try:
        answer = await soon(awaitable, "the refusal")
    except acp.RequestError as error:
        equal(error.code, code, f"the code of `{error}`")
        assert str(error), "the error has a message"
        return error
    raise AssertionError(f"answered {answer!r} instead of an error")


def values(options):
    """The values of a full state, by option, in its order."""
    return {option.id: option.current_value for option in options}


def as_sent(model):
    """A model of the SDK as the JSON that it was read from."""
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


class Log(logging.Handler):
    """The warnings of the SDK: about lines that are not JSON, and about notifications that it could not read."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        if "method=$/cancel_request" in record.getMessage():
            return  # This version does not know it, and nothing depends on it.
        error = record.exc_info[1] if record.exc_info else ""
        self.lines.append(f"{record.getMessage()} {error}")


class Agent:
    """The client's side of one connection, in the form that the SDK needs. It records everything that it gets."""

    def __init__(self, folder):
        self.store = folder / "store"
        self.cwd = folder / "project"
        self.cwd.mkdir(parents=True, exist_ok=True)
        self.wire = []
        self.updates = []
        self.permissions = []
        self.writes = []
        # The names of members that the agent adds to updates, and that the SDK leaves out.
        self.own = []
        # Names and parameters of messages that the SDK does not know. It takes the underscore from the name.
        self.extensions = []
        # Returns the answer to a permission request: an option's id, or `None` for "cancelled". It may be async.
        self.decide = lambda: "allow"
        self._changed = asyncio.Event()

    # The SDK calls these functions.

    def on_connect(self, connection):
        self.connection = connection

    async def session_update(self, session_id, update, **meta):
        self.updates.append((session_id, update))
        self._changed.set()

    async def request_permission(self, session_id, tool_call, options, **meta):
        self.permissions.append((session_id, tool_call, options))
        self._changed.set()
        decision = self.decide()
        if asyncio.iscoroutine(decision) or isinstance(decision, asyncio.Future):
            decision = await decision
        if decision is None:
            return schema.RequestPermissionResponse(outcome=schema.DeniedOutcome(outcome="cancelled"))
        return schema.RequestPermissionResponse(outcome=schema.AllowedOutcome(outcome="selected", option_id=decision))

    async def write_text_file(self, session_id, path, content, **meta):
        self.writes.append((session_id, path, content))
        return schema.WriteTextFileResponse()

    async def ext_method(self, method, params):
        self.extensions.append((method, params))
        return self.extend(method)

    async def ext_notification(self, method, params):
        self.extensions.append((method, params))

    def extend(self, method):
        """Answers a request that the SDK does not know."""
        raise acp.RequestError.method_not_found(f"_{method}")

    def observe(self, event):
        if event.direction.value == "incoming":
            self.wire.append(event.message)
            self._changed.set()

    # The checks call these functions.

    async def until(self, look, what):
        """Waits until `look()` returns a true value, and returns this value."""

        async def found():
            while not (value := look()):
                self._changed.clear()
                await self._changed.wait()
            return value

        return await soon(found(), what)

    async def initialize(self, capabilities=ALL_CAPABILITIES, version=acp.PROTOCOL_VERSION):
        info = schema.Implementation(name="acp-tests", version="1.0.0")
        return await soon(self.connection.initialize(version, capabilities, info), "initialize")

    async def new_session(self):
        return await soon(self.connection.new_session(str(self.cwd), mcp_servers=[]), "session/new")

    async def load(self, session_id):
        return await soon(self.connection.load_session(str(self.cwd), session_id, mcp_servers=[]), "session/load")

    async def resume(self, session_id):
        return await soon(self.connection.resume_session(session_id, str(self.cwd)), "session/resume")

    async def delete(self, session_id):
        # This version of the SDK has no function for this method.
        return await soon(self.send("session/delete", {"sessionId": session_id}), "session/delete")

    def send(self, method, params):
        """A request that the SDK has no function for."""
        return self.connection._conn.send_request(method, params)

    async def set(self, session_id, option, value):
        """Sets an option to a string (a select) or a boolean, and returns the options of the answer."""
        answer = await soon(self.connection.set_config_option(option, session_id, value), "session/set_config_option")
        return answer.config_options

    async def set_mode(self, session_id, mode):
        return await soon(self.connection.set_session_mode(session_id, mode), "session/set_mode")

    def prompt(self, session_id, text):
        """Starts a turn; the task gives its answer."""
        return asyncio.create_task(self.connection.prompt(session_id, [acp.text_block(text)]))

    async def answer(self, session_id, text):
        """The stop reason of a whole turn."""
        return (await soon(self.prompt(session_id, text), "the answer")).stop_reason

    async def cancel(self, session_id):
        await soon(self.connection.cancel(session_id), "the end of a notification")

    def updates_of(self, session_id, kind=None):
        found = [update for session, update in self.updates if session == session_id]
        return [update for update in found if kind is None or update.session_update == kind]

    def text(self, session_id, kind="agent_message_chunk"):
        return "".join(chunk.content.text for chunk in self.updates_of(session_id, kind))

    def _known(self, message):
        """The parameters of an update, without the members of its own and the cursor of the transport."""
        params = dict(message["params"])
        if TRANSPORT:
            assert params.pop("_meta")["acp/cursor"], "each message over the network has a cursor"
        update = {name: value for name, value in params["update"].items() if name not in self.own}
        return {**params, "update": update}

    async def check_nothing_was_lost(self):
        """Compares the updates from the SDK with the updates that the agent sent."""
        sent = [self._known(message) for message in self.wire if message.get("method") == "session/update"]
        await self.until(lambda: len(self.updates) >= len(sent), f"{len(sent)} updates in the SDK's handler")
        seen = [{"sessionId": session, "update": as_sent(update)} for session, update in self.updates]
        # The SDK starts a task for each update, and the tasks may end in another order.
        for update in seen:
            assert update in sent, f"an update that the SDK changed: {update}"
        equal(len(seen), len(sent), "the number of updates")


@contextlib.asynccontextmanager
async def _listening(agent, command, *arguments):
    """An agent process that opens a port, and the SDK's connection to it. It is asked to end as the system does."""
    pipes = {"stdin": asyncio.subprocess.DEVNULL, "stderr": asyncio.subprocess.PIPE}
    process = await asyncio.create_subprocess_exec(command, *arguments, "--listen", "127.0.0.1:0", **pipes)
    try:
        line = (await soon(process.stderr.readline(), "the address")).decode()
        url = line.removeprefix("listening on ").strip()
        async with _dialled(url) as transport:
            connection = acp.connect_to_agent(agent, transport, observers=[agent.observe])
            yield connection, process
            await connection.close()
        process.send_signal(signal.SIGTERM)
        await soon(process.wait(), "the end of the process")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@contextlib.asynccontextmanager
async def _dialled(url):
    if TRANSPORT == "websocket":
        from acp.ws import create_websocket_stream

        yield await create_websocket_stream(url.replace("http", "ws", 1))
        return
    import httpx
    from acp.http import create_http_stream

    # Without TLS, a client speaks HTTP/2 only if it speaks nothing else.
    is_second = TRANSPORT == "http2"
    version = {"http1": not is_second, "http2": is_second}
    async with httpx.AsyncClient(**version, timeout=httpx.Timeout(None), trust_env=False) as client:
        yield create_http_stream(url, client=client)


@contextlib.asynccontextmanager
async def running(command, folder):
    """An agent that has to end by itself, with code 0, when its stdin is closed, having written messages only."""
    agent, log = Agent(folder), Log()
    logging.getLogger().addHandler(log)
    arguments = (command, "--store", str(agent.store))
    try:
        if TRANSPORT:
            spawned = _listening(agent, *arguments)
        else:
            spawned = acp.spawn_agent_process(agent, *arguments, observers=[agent.observe])
        async with spawned as (_, process):
            yield agent
            assert process.returncode is None, f"the agent ended early: {process.returncode}"
            await agent.check_nothing_was_lost()
            closed = time.monotonic()
        elapsed = time.monotonic() - closed
        equal(process.returncode, 0, "exit code")
        assert elapsed < EXIT_BUDGET, f"{elapsed:.1f} s to end"
        equal(log.lines, [], "complaints of the SDK")
    finally:
        logging.getLogger().removeHandler(log)


@contextlib.asynccontextmanager
async def with_session(command, folder, capabilities=ALL_CAPABILITIES):
    """A running agent, initialized, with one session: the agent, the answer to `session/new`, the session's id."""
    async with running(command, folder) as agent:
        await agent.initialize(capabilities)
        session = await agent.new_session()
        yield agent, session, session.session_id

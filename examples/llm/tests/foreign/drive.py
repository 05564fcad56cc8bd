"""Drives `llm` through the Python SDK: `drive.py AGENT FOLDER`. The environment names the server of the chat API."""

import asyncio
import contextlib
import os
import re
import sys

import acp
from acp import schema


class Client:
    """The client's side of a connection. It allows everything."""

    def __init__(self):
        self.updates = []
        self.written = []

    def on_connect(self, connection):
        pass

    async def session_update(self, session_id, update, **meta):
        self.updates.append(update)

    async def request_permission(self, session_id, tool_call, options, **meta):
        option = next(option for option in options if option.kind == "allow_once")
        outcome = schema.AllowedOutcome(outcome="selected", option_id=option.option_id)
        return schema.RequestPermissionResponse(outcome=outcome)

    async def write_text_file(self, session_id, path, content, **meta):
        self.written.append((path, content))
        return schema.WriteTextFileResponse()

    async def text(self, expected):
        """Waits for the text of all messages. The SDK starts a task for each update."""
        for _ in range(200):
            chunks = [update for update in self.updates if update.session_update == "agent_message_chunk"]
            text = "".join(chunk.content.text for chunk in chunks)
            if text == expected:
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"{text!r}, expected {expected!r}")


@contextlib.asynccontextmanager
async def connect(command):
    client = Client()
    async with acp.spawn_agent_process(client, command, env=dict(os.environ)) as (connection, _):
        files = schema.FileSystemCapabilities(read_text_file=False, write_text_file=True)
        await connection.initialize(acp.PROTOCOL_VERSION, schema.ClientCapabilities(fs=files), None)
        yield client, connection


async def main(command, cwd):
    async with connect(command) as (client, agent):
        session = (await agent.new_session(cwd, mcp_servers=[])).session_id
        prompt = lambda text: agent.prompt(session, [acp.text_block(text)])
        assert (await prompt("hello")).stop_reason == "end_turn"
        await client.text("Hello! How can I help you today?")
        await prompt("write a note")
        await client.text("Hello! How can I help you today?The note is written.")
        assert client.written == [(f"{cwd}/note.txt", "from the model")], client.written
        try:
            raise AssertionError(await prompt("busy"))
        except acp.RequestError as error:
            assert re.search("try again in 1 seconds", str(error)), error
    # The session goes on in another process.
    async with connect(command) as (client, agent):
        await agent.load_session(cwd, session, mcp_servers=[])
        await client.text("Hello! How can I help you today?The note is written.")
        assert (await agent.prompt(session, [acp.text_block("hello")])).stop_reason == "end_turn"
    print("ok")


asyncio.run(asyncio.wait_for(main(*sys.argv[1:]), 60))

"""Serves the example agent over HTTP and WebSocket. The first line is its URL."""

import asyncio
import socket

from acp.http.asgi import create_asgi_app
from example_agent import ExampleAgent
from hypercorn.asyncio import serve
from hypercorn.config import Config


async def main() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    config = Config()
    config.bind = [f"fd://{listener.fileno()}"]
    config.errorlog = None
    agent = ExampleAgent()

    def connected(connection):
        agent.on_connect(connection)
        return agent

    print(f"http://127.0.0.1:{listener.getsockname()[1]}/acp", flush=True)
    await serve(create_asgi_app(connected), config)


if __name__ == "__main__":
    asyncio.run(main())

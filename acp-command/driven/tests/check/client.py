"""A client that is broken on purpose: it starts the agent of its argument, and prompts once."""

import json
import subprocess
import sys

agent = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def say(message):
    agent.stdin.write(json.dumps(message) + "\n")
    agent.stdin.flush()


def hear(until):
    for line in agent.stdout:
        message = json.loads(line)
        if message.get("id") == until and "method" not in message:
            return message
        if "method" in message and "id" in message:
            # It selects what was not offered, and knows all methods.
            say({"jsonrpc": "2.0", "id": message["id"], "result": {"outcome": {"outcome": "selected", "optionId": "all"}}})


say({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1, "clientCapabilities": {}}})
hear(1)
say({"jsonrpc": "2.0", "id": 2, "method": "session/new", "params": {"cwd": "here", "mcpServers": []}})
session = hear(2)["result"]["sessionId"]
params = {"sessionId": session, "configId": "how", "value": "loud"}
say({"jsonrpc": "2.0", "id": 3, "method": "session/set_config_option", "params": params})
hear(3)
prompt = [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]
say({"jsonrpc": "2.0", "id": 4, "method": "session/prompt", "params": {"sessionId": session, "prompt": prompt}})
hear(4)
agent.stdin.close()
agent.wait()

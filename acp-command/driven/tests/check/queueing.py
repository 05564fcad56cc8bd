"""An agent of version 1 whose prompts wait for one another: a cancellation is one of the turn at work.

A turn of the default slow prompt ends only when it is cancelled.
"""

import json
import sys

waiting = []


def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def tell(session, text):
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
    say(method="session/update", params={"sessionId": session, "update": update})


for line in sys.stdin:
    message = json.loads(line)
    method, params, id = message.get("method"), message.get("params", {}), message.get("id")
    if method == "initialize":
        info = {"name": "queueing", "version": "1"}
        say(id=id, result={"protocolVersion": 1, "agentInfo": info, "agentCapabilities": {}})
    elif method == "session/new":
        say(id=id, result={"sessionId": f"session-{id}"})
    elif method == "session/prompt" and params["prompt"][0]["text"].startswith("Say"):
        tell(params["sessionId"], "hello")
        say(id=id, result={"stopReason": "end_turn"})
    elif method == "session/prompt":
        waiting.append(id)
        if len(waiting) == 1:
            tell(params["sessionId"], "1")
    elif method == "session/cancel" and waiting:
        say(id=waiting.pop(0), result={"stopReason": "cancelled"})
        if waiting:
            tell(params["sessionId"], "2")

"""An agent with mistakes: it talks on stdout, numbers its sessions alike, offers a mode that it does not list, takes any
value, forgets cancellations, advertises a list that it does not have, fails at unknown methods, and stays when its input ends."""

import json
import sys
import threading
import time

turn = None


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def end(id):
    time.sleep(0.4)
    send(id=id, result={"stopReason": "end_turn"})


print("Starting up..", flush=True)
for line in sys.stdin:
    try:
        message = json.loads(line)
        method, id = message.get("method"), message.get("id")
    except (ValueError, AttributeError):
        continue
    params = message.get("params") or {}
    if method == "initialize":
        capabilities = {"sessionCapabilities": {"list": {}}}
        send(id=id, result={"protocolVersion": 1, "agentCapabilities": capabilities, "authMethods": []})
    elif method == "session/new":
        modes = {"currentModeId": "code", "availableModes": [{"id": "ask", "name": "Ask"}]}
        send(id=id, result={"sessionId": "s", "modes": modes})
    elif method == "session/set_mode":
        send(id=id, result={})
    elif method == "session/prompt":
        text = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Hello."}}
        send(method="session/update", params={"sessionId": params.get("sessionId"), "update": text})
        threading.Thread(target=end, args=(id,)).start()
    elif id is not None and method:
        send(id=id, error={"code": -32603 if method.startswith("_") else -32601, "message": "no"})
time.sleep(600)

"""A small agent that keeps the rules of `acp check`. Its argument names the rule of an agent's process that it breaks instead."""

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time

BREAKS = sys.argv[1] if len(sys.argv) > 1 else None
METHODS = {"session/new": ["cwd", "mcpServers"], "session/prompt": ["sessionId", "prompt"]}
LOADS = ("replays", "replays-late", "replays-nothing")
VALUES = [{"value": "fast", "name": "Fast"}]
OPTIONS = [{"id": "model", "name": "Model", "type": "select", "currentValue": "fast", "options": VALUES}]
sessions = {}  # by id: what cancels the running turn, or None
lock = threading.Lock()


def send(**message):
    line = json.dumps({"jsonrpc": "2.0", **message}) + "\n"
    with lock:
        if BREAKS == "slow-reader" and not select.select([], [1], [], 0.5)[1]:
            sys.exit()  # nobody reads: this thread ends, and its turn is never answered
        os.write(1, line.encode())


def refuse(id, code, text, **more):
    send(id=id, error={"code": code, "message": text, **more})


def say(session, text):
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
    send(method="session/update", params={"sessionId": session, "update": update})


def turn(id, session, text, cancelled):
    say(session, "Hello.")
    if BREAKS == "never-ends":
        return
    if BREAKS == "slow-reader":
        for _ in range(500):
            say(session, "word " * 200)
    if BREAKS == "fails-anyway" and text.startswith("Count"):
        say(session, "0\n")
        cancelled.wait(0.3)
        sessions[session] = None
        return refuse(id, -32603, "Aborted")
    if text.startswith("Count"):
        for number in range(6 if BREAKS == "fails-cancelled-and-is-short" else 200):
            if cancelled.wait(0.05) and BREAKS != "cancel-in-time":
                break
            time.sleep(0.05 if cancelled.is_set() else 0)
            say(session, f"{number}\n")
        if cancelled.is_set() and BREAKS in ("fails-cancelled", "fails-cancelled-and-is-short"):
            sessions[session] = None
            return refuse(id, -32603, "Aborted")
    sessions[session] = None
    send(id=id, result={"stopReason": "cancelled" if cancelled.is_set() else "end_turn"})


def initialize(id, params):
    if BREAKS == "other-version" and params["protocolVersion"] not in (1, 2):
        return
    capabilities = {"sessionCapabilities": {"list": {}}} if BREAKS == "advertised-dead" else {}
    if BREAKS == "refuses-images":
        capabilities = {"promptCapabilities": {"image": True, "embeddedContext": False}}
    if BREAKS in LOADS:
        capabilities = {"loadSession": True}
    info = {"name": "process", "version": "1"}
    version = params["protocolVersion"] if BREAKS == "echoes-version" else 1
    result = {"protocolVersion": version, "agentInfo": info, "agentCapabilities": capabilities, "authMethods": []}
    send(id=id, result=result)


def new(id, params):
    if not os.path.isabs(params["cwd"]) or any("type" in server for server in params["mcpServers"]):
        return refuse(id, -32602, "the folder is not absolute, or the MCP server is of no kind that this agent takes")
    session = f"s{len(sessions)}"
    sessions[session] = None
    if BREAKS == "processes-left":
        nothing = subprocess.DEVNULL
        subprocess.Popen(["sleep", "600"], stdin=nothing, stdout=nothing, stderr=nothing)
    options = {"configOptions": OPTIONS} if BREAKS in ("reads-options", "ignores-options") else {}
    send(id=id, result={"sessionId": session, **options})


def load(id, params):
    if params["sessionId"] not in sessions:
        return refuse(id, -32002, "there is no such session")
    if BREAKS == "replays":
        say(params["sessionId"], "Hello.")
    send(id=id, result={})
    if BREAKS == "replays-late":
        say(params["sessionId"], "Hello.")


def set_option(id, params):
    if BREAKS == "reads-options":
        sessions[params["sessionId"]]  # one that is not there ends this agent
    elif params["sessionId"] not in sessions:
        return
    send(id=id, result={"configOptions": OPTIONS})


def prompt(id, params):
    session, blocks = params["sessionId"], params["prompt"]
    if session not in sessions:
        return refuse(id, -32002, "there is no such session")
    if not all(block["type"] in ("text", "resource_link") for block in blocks):
        return refuse(id, -32602, "this agent takes text only")
    if sessions[session]:
        return refuse(id, -32600, "a turn is at work")
    cancelled = sessions[session] = threading.Event()
    text = "".join(block["text"] for block in blocks)
    threading.Thread(target=turn, args=(id, session, text, cancelled), daemon=True).start()


def request(id, method, params):
    if method == "session/list" and BREAKS == "served-hidden":
        send(id=id, result={"sessions": []})
    elif method == "session/set_config_option" and BREAKS in ("reads-options", "ignores-options"):
        set_option(id, params)
    elif method == "session/load" and BREAKS in LOADS:
        load(id, params)
    elif method not in ("initialize", *METHODS):
        code = -32600 if BREAKS == "custom-unknown" and method.startswith("_") else -32601
        refuse(id, code, "there is no such method")
    else:
        try:
            {"initialize": initialize, "session/new": new, "session/prompt": prompt}[method](id, params)
        except (KeyError, TypeError):
            if BREAKS == "takes-wrong" and method == "session/new":
                return send(id=id, result={"sessionId": f"w{id}"})
            if BREAKS == "takes-wrong":
                return send(id=id, result={"stopReason": "end_turn"})
            if BREAKS == "ignores-wrong" or BREAKS == "ignores-wrong-prompts" and method == "session/prompt":
                return
            refuse(id, -32602, "these are no params of this method")


def notification(method, params):
    if method == "session/cancel" and BREAKS == "reads-cancel":
        params["sessionId"]  # a notification without it ends this agent
    if method == "session/cancel" and params.get("sessionId") in sessions:
        cancelled = sessions[params["sessionId"]]
        if cancelled:
            cancelled.set()
        elif BREAKS == "goes-on":
            os._exit(0)


def hear(line):
    try:
        message = json.loads(line)
    except ValueError:
        return refuse(None, -32700, "this line is no JSON")
    if not isinstance(message, dict):
        if BREAKS == "goes-on-anyway":
            print("Traceback:\n  \x1b[31mno object\x1b[0m", file=sys.stderr, flush=True)
            os._exit(3)
        if BREAKS == "is-killed":
            os.kill(os.getpid(), signal.SIGKILL)
        return refuse(None, -32600, "this is no message")
    method, params = message.get("method"), message.get("params")
    if method is None and not ("id" in message and ("result" in message or "error" in message)):
        refuse(None, -32600, "this is no message")
    elif method and "id" in message:
        request(message["id"], method, params)
    elif method:
        notification(method, params)


if BREAKS == "exit-by-signal":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin.buffer:
    hear(line)
if BREAKS == ("exit-in-turn" if any(sessions.values()) else "exit"):
    os.close(1)
    time.sleep(600)
os._exit(3 if BREAKS == "exit-code" else 0)
